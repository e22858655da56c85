import type { Cell } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { FOREVER } from '../contract/instant.ts';
import type { Database } from '../duckdb/connection.ts';
import { DUCKDB } from './dialect.ts';
import { displayed } from './findings.ts';
import type { RestatedFacts } from './report.ts';
import type { AuditTable } from './table.ts';
import { versionSql } from './version.ts';

/** How many lines of each breakdown a report has. */
const TOP = 24;

/**
 * What restated history does to the figures of past periods: facts of the keys whose closed history changed, from before that history ended in the
 * earlier copy, which belong to other attributes now. What was open then may have changed since, and is no restatement.
 *
 * Reads `audit_fact`, which the facts have been loaded into, and `restated` and `digest`, which the comparison with the earlier copy has made.
 */
export async function restatedFacts(
  db: Database,
  contract: Contract,
  current: string,
  previous: AuditTable,
  showing: { readonly sensitive: readonly string[]; readonly showValues: boolean },
): Promise<RestatedFacts> {
  const { key, tracked } = contract.columns;
  const shown = [...key, ...tracked];
  const versions = (from: string) =>
    `SELECT hash(key) AS hk, state, valid_from, coalesce(valid_to, ${FOREVER}) AS until${shown.map((_, index) => `, c${index}`).join('')}
     FROM (${versionSql(contract, from, DUCKDB, 'true', shown)})
     WHERE NOT is_deleted AND valid_from IS NOT NULL AND hash(key) IN (SELECT hk FROM restated)`;
  const keys = key.map((_, index) => `c${index}`).join(', ');
  const sameKey = (alias: string) =>
    key.map(({ name }, index) => `f.${DUCKDB.quote(name)} = ${alias}.c${index}`).join(' AND ');
  const values = tracked.map((_, index) => `c${key.length + index}`);
  // Where several versions hold, one of them speaks: that they do is for other checks to say.
  const landed = (side: string) =>
    `SELECT f.fid, any_value(f.instant) AS instant, any_value(f.amount) AS amount, min(v.state) AS state, count(v.state) > 0 AS meets
       ${values.map((value, index) => `, arg_min(CAST(v.${value} AS VARCHAR), v.state) AS a${index}`).join('')}
     FROM fact f LEFT JOIN ${side} v ON ${sameKey('v')} AND v.valid_from <= f.instant AND f.instant < v.until GROUP BY f.fid`;
  const member = (side: string, index: number) =>
    `CASE WHEN ${side}.meets THEN coalesce(${side}.a${index}, 'NULL') ELSE 'UNKNOWN' END`;
  await db.run(`CREATE TABLE restated_fact AS
    WITH was AS (${versions(previous.from)}), is_now AS (${versions(current)}),
    past AS (SELECT DISTINCT hk, ${keys}, last FROM (SELECT hk, ${keys} FROM was UNION SELECT hk, ${keys} FROM is_now) JOIN digest USING (hk)),
    fact AS (SELECT f.* FROM audit_fact f JOIN past p ON ${sameKey('p')} AND f.instant < p.last),
    before AS (${landed('was')}), after AS (${landed('is_now')})
    SELECT b.instant, b.amount${values.map((_, index) => `, ${member('b', index)} AS from${index}, ${member('a', index)} AS to${index}`).join('')}
    FROM before b JOIN after a USING (fid) WHERE b.state IS DISTINCT FROM a.state`);
  const [total] = await db.rows<{ facts: bigint; amount: number }>(
    'SELECT count(*) AS facts, coalesce(sum(amount), 0) AS amount FROM restated_fact',
  );
  const months = await db.rows<{ month: string; facts: bigint; amount: number }>(
    `SELECT strftime(make_timestamp(instant), '%Y-%m') AS month, count(*) AS facts, sum(amount) AS amount FROM restated_fact
     GROUP BY 1 ORDER BY abs(sum(amount)) DESC, 1 LIMIT ${TOP}`,
  );
  return {
    facts: Number(total!.facts),
    amount: Number(total!.amount),
    months: months.map(({ month, facts, amount }) => ({
      month,
      facts: Number(facts),
      amount: Number(amount),
    })),
    moves: await moves(db, contract, showing),
  };
}

async function moves(
  db: Database,
  { columns }: Contract,
  { sensitive, showValues }: { readonly sensitive: readonly string[]; readonly showValues: boolean },
): Promise<RestatedFacts['moves']> {
  const all: { month: string; attribute: string; from: string; to: string; amount: number }[] = [];
  for (const [index, { name }] of columns.tracked.entries()) {
    const rows = await db.rows<Record<string, Cell>>(
      `SELECT strftime(make_timestamp(instant), '%Y-%m') AS month, from${index} AS was, to${index} AS now, sum(amount) AS amount FROM restated_fact
       WHERE from${index} <> to${index} GROUP BY 1, 2, 3 ORDER BY abs(sum(amount)) DESC, 1, 2, 3 LIMIT ${TOP}`,
    );
    const shownValue = (value: string) => {
      const isOpen = showValues || value === 'UNKNOWN' || value === 'NULL';
      return String(displayed(value, name, { sensitive: isOpen ? sensitive : [name] }));
    };
    for (const row of rows)
      all.push({
        month: String(row['month']),
        attribute: name,
        from: shownValue(String(row['was'])),
        to: shownValue(String(row['now'])),
        amount: Number(row['amount']),
      });
  }
  return all;
}
