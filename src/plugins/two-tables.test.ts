import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { declareContract } from '../contract/declare.ts';
import { rowsFromTable } from '../duckdb/rows.ts';
import { runFeed } from '../runner/session.ts';
import { sqlCalls } from './host/sql.ts';
import { DEFAULT_LIMITS } from './implementation.ts';
import { hostInThisProcess } from './in-process.ts';
import { openSqlIn } from './sql.ts';

const folder = mkdtempSync(join(tmpdir(), 'scd2check-two-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function open(sql: string) {
  const path = join(folder, 'load.sql');
  writeFileSync(path, sql);
  return openSqlIn(() => hostInThisProcess(sqlCalls()), path, DEFAULT_LIMITS);
}

/** The rows after a load of A and a load of B. */
async function rowsOf(sql: string) {
  const implementation = await open(sql);
  const { contract } = declareContract([implementation.declared]);
  const row = (segment: string) => ({ customer_id: 'x', customer_segment: segment, street: null });
  const batches = [
    { asOf: 1_000_000n, rows: [row('A')] },
    { asOf: 2_000_000n, rows: [row('B')] },
  ];
  const outcome = await runFeed(implementation, contract, { id: 'test', batches });
  await implementation.close();
  if ('failed' in outcome) throw outcome.failed.failure;
  const last = outcome.trace.steps.at(-1)!;
  if (last.outcome.status !== 'applied') throw new Error(last.outcome.reason);
  return rowsFromTable(last.dimension).map((one) => [
    one['in_history'],
    one['customer_segment'],
    one['valid_from'] === null,
  ]);
}

const LOAD = (history: string) => `
INSERT INTO ${history} (customer_id, customer_segment, valid_from) SELECT customer_id, customer_segment, :as_of FROM batch;
DELETE FROM dimension;
INSERT INTO dimension BY NAME FROM batch;`;
const EXPECTED = [
  [false, 'B', true],
  [true, 'A', false],
  [true, 'B', false],
];

describe('a script with a history table', () => {
  test('declares type 4 by naming it, and finds both tables made', async () => {
    expect(await rowsOf(`-- scd2check:history past\n${LOAD('past')}`)).toEqual(EXPECTED);
  });

  test('that names none keeps it beside the dimension', async () => {
    expect(await rowsOf(`-- scd2check:type 4\n${LOAD('dimension_history')}`)).toEqual(EXPECTED);
  });

  test('may keep both in one relation, with a flag of its own', async () => {
    const sql = `-- scd2check:type 4
-- scd2check:setup
CREATE TABLE dimension (customer_id VARCHAR, customer_segment VARCHAR, street VARCHAR, valid_from TIMESTAMP, valid_to TIMESTAMP, in_history BOOLEAN);
-- scd2check:load
DELETE FROM dimension WHERE NOT in_history;
INSERT INTO dimension BY NAME SELECT *, false AS in_history FROM batch;
INSERT INTO dimension BY NAME SELECT *, :as_of AS valid_from, true AS in_history FROM batch;`;
    expect((await rowsOf(sql)).sort()).toEqual(EXPECTED);
  });

  test('and another type is refused, with the lines', async () => {
    const sql = `-- scd2check:type 2\n-- scd2check:history past\n${LOAD('past')}`;
    await expect(open(sql)).rejects.toThrow(
      'load.sql:2: a history table is named, which only `type: 4` has; line 1',
    );
  });
});
