import { describe, expect, test } from 'vitest';
import { FOLDINGS, OPTIONS } from '../../src/contract/contract.ts';
import { MUTANTS } from '../mutants/index.ts';
import { openMutant } from '../mutants/open.ts';
import { cleanUnderOwn } from './clean.ts';
import { deciding } from './implementation.ts';
import { ONE_OF_EACH } from './options.ts';
import { probed, wrongProbes } from './probed.ts';
import { decisionsOf, defectsOf, runUndeclared } from './undeclared.ts';

/** The short form of `npm run verify:decisions`. */
const NAMED = ONE_OF_EACH.map((one) => [JSON.stringify(one.decisions), one] as const);

describe('a correct implementation of one option', () => {
  test('there is for each option of each field that can be judged in this process', () => {
    const covered = new Set(ONE_OF_EACH.map(({ field, option }) => `${field}: ${option}`));
    const all = Object.entries(OPTIONS).flatMap(([field, { options }]) =>
      options.map((option) => `${field}: ${option}`),
    );
    const foldings = ['compare', 'keyCompare'].flatMap((field) =>
      ['sql', ...FOLDINGS].map((option) => `${field}: ${option}`),
    );
    expect([...all, ...foldings].filter((name) => !covered.has(name))).toEqual([
      'clock: moved',
      'clock: wall',
    ]);
  });

  test.each(NAMED)('%s is clean under its own contract', async (_, one) => {
    expect(await cleanUnderOwn(one, 1, 40)).toMatchObject({ finding: null });
  });

  test.each(NAMED)('%s is found out by a probe, in at most 40 loads', async (_, one) => {
    const report = await probed(one);
    expect(wrongProbes(one, report)).toEqual([]);
    expect(report.batches).toBeLessThanOrEqual(40);
  });
});

/** Runs take seconds each, so these are some; all of them are in the long form. */
const SMALL = { scope: 1, histories: 20, cases: false } as const;

describe('a run without a declared contract', () => {
  const named = [
    'end: inclusive',
    'deletes: ignore',
    'firstStart: opened_at',
    'grain: second',
    'late: ignore',
  ];
  const chosen = ONE_OF_EACH.filter(({ field, option }) => named.includes(`${field}: ${option}`));

  test.each(chosen.map((one) => [`${one.field}: ${one.option}`, one] as const))(
    'calls what is right under `%s` a decision, and nothing a defect',
    async (name, one) => {
      const report = await runUndeclared(deciding(one), SMALL);
      expect(defectsOf(report)).toEqual([]);
      expect(decisionsOf(report)).toContain(name);
    },
  );

  test('sends rows that date themselves in their own form, says so, and finds nothing', async () => {
    const one = ONE_OF_EACH.find(({ field, option }) => `${field}: ${option}` === 'changeBy: row-time')!;
    const { findings, notes } = await runUndeclared(deciding(one), SMALL);
    expect(findings).toEqual([]);
    expect(notes.join(' ')).toContain('it follows `stamp: row-time`, `changeBy: row-time`');
  });

  test.each([
    ['firstStartScope: first-load', /firstStart: /, 'firstStartScope: first-load'],
    ['lateScope: key', /late: (ignore|reject)/, 'lateScope: key'],
    ['batchStates: one', /batchStates: one/, 'batchStates: one'],
  ])(
    'finds both where `%s` says more of another decision, and tells of both',
    async (name, decision, other) => {
      const one = ONE_OF_EACH.find(({ field, option }) => `${field}: ${option}` === name)!;
      const report = await runUndeclared(deciding(one), { scope: 2, histories: 20, cases: true });
      expect(defectsOf(report)).toEqual([]);
      const said = decisionsOf(report).join(', ');
      expect(said).toMatch(decision);
      expect(`${said} ${report.notes.join(' ')}`).toContain(other);
    },
  );

  const wrong = [
    'null-to-value-missed',
    'closed-restamped',
    'hard-delete-all',
    'late-as-newest',
    'flag-left-true',
  ];

  test.each(MUTANTS.filter(({ id }) => wrong.includes(id)).map((mutant) => [mutant.id, mutant] as const))(
    'never calls the mutant `%s` a decision',
    async (_, mutant) => {
      const { implementation } = await openMutant(mutant);
      const report = await runUndeclared(implementation, SMALL);
      expect(decisionsOf(report)).toEqual([]);
      expect(defectsOf(report)).not.toEqual([]);
    },
  );
});
