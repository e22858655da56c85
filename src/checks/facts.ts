import { UsageError } from '../cli/usage-error.ts';
import { type Contract, grainMicros } from '../contract/contract.ts';
import { FOREVER } from '../contract/instant.ts';
import { hasVersions } from '../contract/types.ts';
import type { Database } from '../duckdb/connection.ts';
import { judged } from './check.ts';

/**
 * Facts with amounts for the as-of checks, placed where joins go wrong: at every start and end of a version (of the right ones and of
 * the ones that are there), one grain before and after, between them, before the first and after the last.
 *
 * - `fact (feed, step, key, instant, amount)`;
 * - `fact_row`, for the facts of suspects (screen.ts), or of all keys where the join is the user's own: the as-of join as a warehouse does it, one row a match, `state` NULL where there is none;
 * - `fact_met (…, meets, met_state, expected_state)`: one row for each of these facts; `expected_state` is NULL where the key was not there.
 *
 * A table that is overwritten is joined as of no time, so there are no facts for it.
 *
 * The join is the contract's half-open one, or the user's own over the columns of the dimension as they are: `f` is the fact (`f.ts`,
 * the key columns, `f.amount`), `v` the row. Equality of the key is added to it.
 *
 * @throws UsageError where the user's join cannot be, or cannot be run
 */
export async function loadFacts(db: Database, contract: Contract, join: string | null): Promise<void> {
  if (join !== null && !hasVersions(contract))
    throw new UsageError(
      `\`--join ${join}\`: it joins facts as of their time by the bounds of versions, and a table of type ${contract.type} has none. Leave it out.`,
    );
  const grain = grainMicros(contract.grain);
  const day = 86_400_000_000n;
  await db.run(`CREATE TABLE fact AS
    WITH boundary AS (
      SELECT DISTINCT feed, step, key, instant FROM (
        SELECT feed, step, key, unnest([valid_from, valid_to]) AS instant FROM expected
        UNION ALL SELECT feed, step, key, unnest([valid_from, valid_to]) FROM version) b
      WHERE ${hasVersions(contract)} AND instant BETWEEN -60000000000000000 AND 300000000000000000 AND ${judged('b')}),
    neighbour AS (
      SELECT *, lead(instant) OVER w AS next, lag(instant) OVER w AS before FROM boundary WINDOW w AS (PARTITION BY feed, step, key ORDER BY instant)),
    point AS (
      SELECT feed, step, key, unnest([instant - ${grain}, instant, instant + ${grain},
        CASE WHEN next IS NULL THEN instant + ${day * 2n} ELSE instant + ((next - instant) // 2) // ${grain} * ${grain} END,
        CASE WHEN before IS NULL THEN instant - ${day * 2n} END]) AS instant
      FROM neighbour)
    SELECT DISTINCT feed, step, key, instant, 100 AS amount FROM point WHERE instant IS NOT NULL`);
  await joinFacts(db, contract, join);
  await db.run(`CREATE TABLE fact_met AS
    SELECT m.*, e.state AS expected_state FROM (
      SELECT feed, step, key, instant, any_value(amount) AS amount, count(state) AS meets, min(state) AS met_state
      FROM fact_row GROUP BY feed, step, key, instant) m
    LEFT JOIN (SELECT feed, step, key, state, valid_from, coalesce(valid_to, ${FOREVER}) AS until FROM expected WHERE NOT is_deleted) e
      ON e.feed = m.feed AND e.step = m.step AND e.key = m.key AND e.valid_from <= m.instant AND m.instant < e.until`);
}

async function joinFacts(db: Database, contract: Contract, join: string | null): Promise<void> {
  const [first] = await db.rows('SELECT 1 FROM version LIMIT 1');
  // Where there is no row, there are no columns that a join could name.
  if (join === null || first === undefined) return db.run(`CREATE TABLE fact_row AS ${halfOpen()}`);
  try {
    await db.run(`CREATE TABLE fact_row AS ${suppliedJoin(contract, join)}`);
  } catch (error) {
    const [what] = (error as Error).message.split('\n');
    throw new UsageError(
      `\`--join ${join}\` cannot be run: ${what!.replace(/[.!]?$/, '.')} It is a condition over \`f\` (the fact: \`f.ts\`, \`f.amount\`) and \`v\` (the row, by the dimension's own columns).`,
    );
  }
}

// An end that is no NULL keeps the condition free of OR, which DuckDB would answer with a nested loop.
function halfOpen(): string {
  return `SELECT f.feed, f.step, f.key, f.instant, f.amount, v.state FROM (FROM fact SEMI JOIN suspect USING (feed, key)) f
    LEFT JOIN (SELECT feed, step, key, state, valid_from, CASE WHEN is_open THEN ${FOREVER} ELSE valid_to END AS until FROM version WHERE NOT is_deleted) v
      ON v.feed = f.feed AND v.step = f.step AND v.key = f.key AND v.valid_from <= f.instant AND f.instant < v.until`;
}

function suppliedJoin({ grain }: Contract, join: string): string {
  const ts = grain === 'day' ? 'CAST(make_timestamp(instant) AS DATE)' : 'make_timestamp(instant)';
  return `WITH f AS (SELECT *, ${ts} AS ts FROM fact),
    matched AS (
      SELECT f.feed, f.step, f.key, f.instant, c.state FROM f
      JOIN version c ON c.feed = f.feed AND c.step = f.step AND c.key = f.key
      JOIN held_named v ON v."scd2check:feed" = c.feed AND v."scd2check:step" = c.step AND v."scd2check:row" = c.row
      WHERE (${join}))
    SELECT f.feed, f.step, f.key, f.instant, f.amount, m.state FROM f LEFT JOIN matched m USING (feed, step, key, instant)`;
}
