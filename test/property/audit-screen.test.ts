import { expect, test } from 'vitest';
import type { AuditTable } from '../../src/audit/table.ts';
import { Database } from '../../src/duckdb/connection.ts';
import { bareAudit } from '../audit/bare-audit.ts';

/**
 * Random tables with hardly a right key in them: bounds from a few days, attributes from two values. What the one pass clears, the checks
 * themselves must clear too, for every contract that changes how bounds are read.
 */
const TABLE = (
  seed: number,
) => `SELECT k AS id, ['a', 'b', NULL][1 + (h % 3)::INTEGER] AS name, f AS valid_from,
    CASE WHEN e < 2 THEN NULL WHEN e = 2 THEN TIMESTAMP '9999-12-31' ELSE f + to_days(((h >> 20) % 4)::INTEGER - (h % 7 = 0)::INTEGER) END AS valid_to,
    CASE WHEN h % 11 = 0 THEN NULL ELSE e < 3 END AS is_current, ['x', 'y', 'z'][1 + ((h >> 30) % 3)::INTEGER] AS hash, (h >> 12) % 3000 AS sk
  FROM (SELECT k, hash(k, v, ${seed}) AS h, (hash(k, v, ${seed}) >> 40) % 12 AS e,
      CASE WHEN hash(v, k, ${seed}) % 40 = 0 THEN NULL ELSE TIMESTAMP '2026-01-01' + to_days(v::INTEGER + (hash(v, ${seed}, k) % 2)::INTEGER) END AS f
    FROM range(1500) keys (k), range(4) versions (v) WHERE v <= hash(k, ${seed}) % 4)`;

const CONTRACTS = [
  [],
  ['deletes=never'],
  ['openMarker=9999-12-31', 'deletes=never'],
  ['end=inclusive', 'grain=day', 'deletes=ignore'],
  ['compare=empty-is-null', 'nullKey=value'],
  ['validTo=none'],
] as const;

async function violations(db: Database, table: AuditTable, settings: readonly string[], exact: boolean) {
  for (const { name } of await db.rows<{ name: string }>(
    `SELECT table_name AS name FROM duckdb_tables() WHERE table_name <> 'dim'`,
  ))
    await db.run(`DROP TABLE "${name}"`);
  const columns = ['key=id', 'tracked=name', 'hash=hash', 'surrogateKey=sk'];
  const {
    table: counts,
    checks,
    notices,
  } = await bareAudit(db, table, [...columns, ...settings], {
    examples: 0,
    exact,
  });
  const found = await db.rows<{ check_id: string; id: string }>(
    'SELECT check_id, id FROM judged ORDER BY ALL',
  );
  const exercised = checks.map(({ id, verdict, exercised }) =>
    verdict === 'skipped' ? '' : `${id} ${exercised}`,
  );
  return { found, told: { ...counts, suspects: 0, exercised, notices } };
}

test.each(CONTRACTS.map((settings) => [settings.join(' ') || 'strict', settings] as const))(
  'the one pass and the checks agree: %s',
  async (_, settings) => {
    const db = await Database.open();
    for (const seed of [1, 2, 3]) {
      await db.run(`CREATE OR REPLACE TABLE dim AS ${TABLE(seed)}`);
      const columns = await db.rows<{ column_name: string; column_type: string }>('DESCRIBE dim');
      const table: AuditTable = {
        name: 'dim',
        from: 'dim',
        columns: columns.map(({ column_name, column_type }) => ({ name: column_name, type: column_type })),
      };
      const screened = await violations(db, table, settings, false);
      const exact = await violations(db, table, settings, true);
      expect(exact.found.length).toBeGreaterThan(1000);
      expect(different(screened.found, exact.found)).toEqual([]);
      if (!settings.includes('validTo=none' as never)) expect(screened.told).toEqual(exact.told);
    }
    db.close();
  },
);

/** What only one of them found; short, where thousands are right. */
function different(one: readonly { check_id: string; id: string }[], other: typeof one): string[] {
  const spelled = (list: typeof one) => list.map(({ check_id, id }) => `${check_id} ${id}`);
  const [a, b] = [new Set(spelled(one)), new Set(spelled(other))];
  return [
    ...[...a].filter((line) => !b.has(line)).map((line) => `screened only: ${line}`),
    ...[...b].filter((line) => !a.has(line)).map((line) => `exact only: ${line}`),
  ];
}
