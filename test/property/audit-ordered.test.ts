import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layOut } from '../../src/audit/layout.ts';
import { screenInOrder } from '../../src/audit/ordered.ts';
import { numberedFile, openTable } from '../../src/audit/table.ts';
import { declareContract } from '../../src/contract/declare.ts';
import { Database } from '../../src/duckdb/connection.ts';
import { bareAudit } from '../audit/bare-audit.ts';

/**
 * Tables in the order of their keys, with defects of every kind in some of them, in a Parquet file: what the pass in the order of the file
 * clears, the checks themselves must clear too; and where the order is broken it must say so.
 */
const TABLE = (
  seed: number,
  one: number,
) => `SELECT k // 3 AS id, 'k' || k % 3 AS part, CASE WHEN h % ${one} = 1 THEN s_before ELSE s END AS name, CASE WHEN h % ${one} = 2 THEN NULL ELSE f END AS valid_from,
    CASE WHEN h % ${one} = 3 THEN f WHEN h % ${one} = 4 THEN t + INTERVAL 1 microsecond WHEN h % ${one} = 5 THEN t - INTERVAL 1 day WHEN h % ${one} = 6 THEN NULL WHEN h % ${one} = 7 THEN TIMESTAMP 'infinity'
      WHEN t IS NULL AND h % 5 = 0 THEN TIMESTAMP '2027-01-01' + to_days((h % 7)::INTEGER) ELSE t END AS valid_to,
    CASE WHEN h % ${one} = 8 THEN NULL WHEN h % ${one} = 9 THEN true ELSE t IS NULL AND h % 5 <> 0 END AS is_current, CASE WHEN h % ${one} = 10 THEN 'other' ELSE md5(s) END AS row_hash
  FROM (SELECT k, v, hash(k, v, ${seed}) >> 20 AS h, 'n' || (k % 997) || (v % 3) AS s, 'n' || (k % 997) || ((v + 2) % 3) AS s_before, TIMESTAMP '2026-01-01' + to_days(v::INTEGER) AS f,
      CASE WHEN v + 1 < versions THEN TIMESTAMP '2026-01-01' + to_days(v::INTEGER + 1) END AS t
    FROM (SELECT k, 1 + hash(k, ${seed}) % 7 AS versions FROM range(6000) keys (k)), range(7) numbers (v) WHERE v < versions)
  ORDER BY k // 3, k % 3, v`;

/** Contracts, and how ends are written under them. */
const CONTRACTS = [
  ['deletes=never', 'valid_to'],
  ['deletes=close', 'valid_to'],
  ['openMarker=9999-12-31;deletes=never', `coalesce(valid_to, TIMESTAMP '9999-12-31')`],
  ['end=inclusive;grain=day;deletes=ignore', 'valid_to - INTERVAL 1 day'],
  ['isCurrent=none;deletes=never', 'valid_to'],
  ['isCurrent=none;deletes=never', 'valid_to::TIMESTAMPTZ'],
] as const;
const KEYS = ['key=id, part', 'tracked=name', 'hash=row_hash'];

let db: Database;
let folder: string;
beforeAll(async () => {
  db = await Database.open({ config: { preserve_insertion_order: 'false' } });
  folder = mkdtempSync(join(tmpdir(), 'scd2check-ordered-'));
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

async function written(name: string, sql: string) {
  const path = join(folder, `${name}.parquet`);
  await db.run(
    `SET preserve_insertion_order = true; COPY (${sql}) TO '${path}' (ROW_GROUP_SIZE 20000); SET preserve_insertion_order = false`,
  );
  return openTable(db, path, '/', 'audited');
}

async function clear() {
  for (const { name } of await db.rows<{ name: string }>('SELECT table_name AS name FROM duckdb_tables()'))
    await db.run(`DROP TABLE "${name}"`);
}

/** What the pass alone says; null where it does not vouch for the order. */
async function inOrder(
  table: Awaited<ReturnType<typeof written>>,
  settings: readonly string[],
  stretchRows?: number,
) {
  await clear();
  const lines = settings.map((line) => {
    const [name, value] = line.split('=');
    return { name: name!, value: value!, where: 'test' };
  });
  const { contract } = layOut(declareContract([lines]), table);
  const file = (await numberedFile(db, table))!;
  return screenInOrder(db, { contract, from: table.from, where: 'true', repeats: true }, file, stretchRows);
}

async function audited(
  table: Awaited<ReturnType<typeof written>>,
  settings: readonly string[],
  exact: boolean,
) {
  await clear();
  const report = await bareAudit(db, table, settings, { examples: 3, exact });
  const found = await db.rows<{ check_id: string; id: string }>(
    'SELECT check_id, id FROM judged ORDER BY ALL',
  );
  return {
    found: found.map(({ check_id, id }) => `${check_id} ${id}`),
    findings: report.findings,
    exercised: report.checks.map(({ id, exercised }) => [id, exercised]),
    table: { ...report.table, suspects: 0 },
    notices: report.notices,
  };
}

// One row in so many is at fault: rows kept in passing, rows read again, and none.
test.each(
  CONTRACTS.flatMap(([settings, end]) => [150, 4000, 2 ** 40].map((one) => [settings, one, end] as const)),
)('the pass in order and the checks agree: %s, a fault in %d rows', async (contract, one, end) => {
  const settings = [...KEYS, ...contract.split(';')];
  const table = await written(
    'right',
    `SELECT * REPLACE (${end} AS valid_to, ${end.includes('TZ') ? 'valid_from::TIMESTAMPTZ' : 'valid_from'} AS valid_from) FROM (${TABLE(one, one)})`,
  );
  expect(await inOrder(table, settings)).not.toBeNull();
  const screened = await audited(table, settings, false);
  const exact = await audited(table, settings, true);
  if (one < 2 ** 40) expect(exact.found.length).toBeGreaterThan(5);
  expect(screened).toEqual(exact);
});

test.each([
  [
    'two rows of a key apart from its others',
    (place: string) => `${place} + CASE WHEN ${place} IN (14001, 14002) THEN 30 ELSE 0 END`,
  ],
  [
    'a row of another key between them',
    (place: string) => `CASE WHEN ${place} = 5 THEN 20000.5 ELSE ${place} END`,
  ],
  ['the later keys first', (place: string) => `(${place} + 9000) % 100000 % 23999`],
])('no order is vouched for where there are %s', async (_, place) => {
  const table = await written(
    'broken',
    `SELECT * EXCLUDE (p) FROM (SELECT *, row_number() OVER () AS p FROM (${TABLE(1, 2 ** 40)})) ORDER BY ${place('p')}`,
  );
  expect(await inOrder(table, [...KEYS, 'deletes=never'])).toBeNull();
});

test('rows without a key after all others keep the order; before others they break it', async () => {
  const rows = `SELECT * FROM (${TABLE(1, 2 ** 40)})`;
  const last = await written(
    'nulls-last',
    `FROM (${rows}) UNION ALL SELECT NULL, 'x', 'a', TIMESTAMP '2026-01-01', NULL, true, 'x'`,
  );
  const first = await written(
    'nulls-first',
    `SELECT NULL AS id, 'x' AS part, 'a' AS name, TIMESTAMP '2026-01-01' AS valid_from, NULL::TIMESTAMP AS valid_to, true AS is_current, 'x' AS row_hash UNION ALL FROM (${rows})`,
  );
  const settings = [...KEYS, 'deletes=never'];
  expect(await inOrder(last, settings)).not.toBeNull();
  expect(await inOrder(first, settings)).toBeNull();
  expect((await audited(last, settings, false)).found).toEqual((await audited(last, settings, true)).found);
});

test('where a table is cut for its threads does not matter', async () => {
  const table = await written('cut', TABLE(7, 4000));
  const settings = [...KEYS, 'deletes=never'];
  const whole = await inOrder(table, settings);
  const suspects = 'SELECT * FROM suspect_row ORDER BY ALL';
  const rows = await db.rows(suspects);
  await db.run('SET threads = 61');
  const cut = await inOrder(table, settings, 10);
  await db.run('RESET threads');
  expect(whole!.suspects).toBeGreaterThan(20);
  expect(cut).toEqual(whole);
  expect(await db.rows(suspects)).toEqual(rows);
});
