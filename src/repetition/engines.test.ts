import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPETITION_CHECKS } from '../checks/index.ts';
import { declareContract } from '../contract/declare.ts';
import { openCommand } from '../plugins/command.ts';
import { DEFAULT_LIMITS } from '../plugins/implementation.ts';
import { openImplementation } from '../plugins/open.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import { type RepetitionOutcome, runRepetition } from './run.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');
const ALL = REPETITION_CHECKS.map(({ id }) => id);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scd2check-repetition-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function check(path: string, checks: readonly string[] = ALL): Promise<RepetitionOutcome> {
  return checkOpened(await openImplementation(path), checks);
}

async function checkOpened(
  implementation: OpenedImplementation,
  checks: readonly string[],
): Promise<RepetitionOutcome> {
  try {
    return await runRepetition({
      implementation,
      contract: declareContract([implementation.declared]).contract,
      checks,
      seed: 1,
      deadline: performance.now() + 60_000,
      shrinkMs: 60_000,
      stop: () => false,
      progress: () => undefined,
      replay: (feed) => feed,
    });
  } finally {
    await implementation.close();
  }
}

async function script(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

type Changes = readonly (readonly [string, string])[];

/** The right example with some of its text changed. */
const observationLog = (...changes: Changes) => changed('observation-log.sql', changes);

function changed(example: string, changes: Changes): string {
  let text = readFileSync(join(EXAMPLES, example), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`The example has no ${from}`);
    text = text.replace(from, to);
  }
  return text;
}

const WITHOUT_TRANSACTION = [
  ['BEGIN;', ''],
  ['COMMIT;', ''],
] as const;
const REMOVES_FIRST = 'DELETE FROM observation WHERE as_of = :as_of;';

describe('the examples', () => {
  test.each([
    ['observation-log.sql', ['batching', 'resumes']],
    ['observation-log.ts', ['batching', 'crash-safe', 'resumes']],
    ['observation-log.py', ['batching', 'crash-safe', 'resumes']],
    ['seeds/daily-merge.sql', ['order-independent', 'batching']],
    ['seeds/recipe.sql', ['order-independent', 'batching']],
    ['seeds/recipe-hash.sql', ['order-independent', 'batching']],
    ['seeds/recipe-delete.sql', ['order-independent', 'batching']],
  ])('%s holds all that apply', async (path, skipped) => {
    const { findings, tallies } = await check(join(EXAMPLES, path));
    expect(findings).toEqual([]);
    expect(tallies.filter(({ skipReason }) => skipReason !== null).map(({ id }) => id)).toEqual(skipped);
    expect(tallies.filter((one) => one.skipReason === null && one.exercised === 0)).toEqual([]);
  });
});

describe('a script', () => {
  test('that inserts again what it has inserted is not idempotent', async () => {
    const path = await script('again.sql', observationLog([REMOVES_FIRST, '']));
    const { findings } = await check(path);
    expect(findings.map((one) => one.check)).toEqual(['idempotent']);
    const [first, second] = findings[0]!.counterexample.batches;
    expect(findings[0]!.counterexample.batches.length).toBe(2);
    expect(second!.rows).toEqual(first!.rows);
    expect(findings[0]!.message).toBe('The same batch again changed the dimension.');
  });

  test('that passes over what is late is not independent of the order', async () => {
    const late = 'FROM batch WHERE :as_of >= (SELECT coalesce(max(as_of), :as_of) FROM snapshot);';
    const path = await script('late.sql', observationLog(['FROM batch;', late]));
    const { findings } = await check(path, ['order-independent', 'deterministic', 'crash-safe']);
    expect(findings.map((one) => one.check)).toEqual(['order-independent']);
    expect(findings[0]!.counterexample.batches.some((batch) => batch.late)).toBe(true);
  });

  test('that draws lots is not deterministic', async () => {
    const drawn = `:as_of, customer_id, CASE WHEN random() < 0.5 THEN customer_segment END, street FROM batch;`;
    const path = await script(
      'lots.sql',
      observationLog([':as_of, customer_id, customer_segment, street FROM batch;', drawn]),
    );
    const { findings } = await check(path, ['deterministic']);
    expect(findings.map((one) => one.check)).toEqual(['deterministic']);
  });

  test('that knows from a variable what its table shows does not resume', async () => {
    const known = "AND t.is_current = true AND getvariable('loaded');\nSET VARIABLE loaded = true;";
    const path = await script(
      'remembers.sql',
      changed('seeds/daily-merge.sql', [['AND t.is_current = true;', known]]),
    );
    const { findings } = await check(path, ['resumes', 'deterministic']);
    expect(findings.map((one) => one.check)).toEqual(['resumes']);
    expect(findings[0]!.counterexample.batches.length).toBe(2);
  });

  test('without a transaction is safe where a rerun repairs what was left', async () => {
    const path = await script('repairs.sql', observationLog(...WITHOUT_TRANSACTION));
    const { findings, tallies } = await check(path, ['crash-safe']);
    expect(findings).toEqual([]);
    expect(tallies[0]).toMatchObject({ skipReason: null, count: 0 });
  });

  test('without a transaction is unsafe where a rerun adds to what was left', async () => {
    const once = `INSERT INTO loaded SELECT :as_of; DELETE FROM dimension;`;
    const unsafe = observationLog(
      ...WITHOUT_TRANSACTION,
      ['CREATE TABLE snapshot', 'CREATE TABLE loaded (as_of TIMESTAMP); CREATE TABLE snapshot'],
      [REMOVES_FIRST, ''],
      ['street FROM batch;', 'street FROM batch WHERE NOT EXISTS (FROM loaded WHERE as_of = :as_of);'],
      ['DELETE FROM dimension;', once],
    );
    const { findings } = await check(await script('unsafe.sql', unsafe));
    expect(findings.map((one) => one.check)).toEqual(['crash-safe']);
    expect(findings[0]!.message).toMatch(
      /^A load that was stopped after statement [12] of 5 and run again left/,
    );
    expect(findings[0]!.counterexample.batches.length).toBeLessThanOrEqual(2);
    const held = await check(await script('held.sql', `-- scd2check:transaction caller\n${unsafe}`), [
      'crash-safe',
    ]);
    expect(held.findings).toEqual([]);
  });

  test('that fails when it is run again after a crash is unsafe too, and says why', async () => {
    const path = await script(
      'stuck.sql',
      observationLog(
        ...WITHOUT_TRANSACTION,
        [REMOVES_FIRST, 'CREATE TABLE work AS FROM batch;'],
        ['DELETE FROM dimension;', 'DROP TABLE work; DELETE FROM dimension;'],
      ),
    );
    const { findings } = await check(path, ['crash-safe']);
    expect(findings[0]!.message).toMatch(/raised an error: .*work/);
    expect(findings[0]!.counterexample.batches.length).toBe(1);
  });

  test('whose setup leaves a temporary table is skipped, with the reason', async () => {
    const path = await script(
      'temp.sql',
      observationLog(['CREATE TABLE snapshot', 'CREATE TEMP TABLE snapshot']),
    );
    const { tallies } = await check(path, ['crash-safe']);
    expect(tallies[0]!.skipReason).toContain('leaves something in the connection');
  });
});

describe('a command whose state outlives it', () => {
  const program = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'command', 'durable.mjs');
  const open = (manner: string) =>
    openCommand(['node', program, manner, join(folder, `${manner}.jsonl`)], DEFAULT_LIMITS);

  test('is killed in the middle of a load, and safe where it puts the new state in the place of the old', async () => {
    const { findings, tallies } = await checkOpened(await open('careful'), ['crash-safe']);
    expect(findings).toEqual([]);
    expect(tallies[0]!.exercised).toBeGreaterThan(0);
  });

  test('is not safe where it writes row by row', async () => {
    const { findings } = await checkOpened(await open('careless'), ['crash-safe']);
    expect(findings[0]!.message).toMatch(/^A load that was killed half-way and run again left another/);
  });
});
