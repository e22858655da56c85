import { describe, expect, test } from 'vitest';
import { FOLDINGS, OPTIONS } from '../../src/contract/contract.ts';
import { cleanUnderOwn } from './clean.ts';
import { ONE_OF_EACH } from './options.ts';
import { probed, wrongProbes } from './probed.ts';

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
      'type: 1',
      'type: 3',
      'type: 4',
      'type: 6',
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
