import type { Contract } from '../contract/contract.ts';
import type { Database } from '../duckdb/connection.ts';

/**
 * Creates `suspect (feed, key)`: the keys whose versions are not, row for row, the expected ones after every batch. It is one aggregation
 * over exact values. Of all other keys most checks need not be asked: the expected versions violate none of them.
 *
 * @returns how many there are
 */
export async function findSuspects(db: Database, { columns }: Contract): Promise<number> {
  const flag = columns.isCurrent === null ? 'is_open' : 'is_current';
  await db.run(`CREATE TABLE suspect AS SELECT DISTINCT feed, key FROM (
    SELECT feed, step, key FROM (
      SELECT feed, step, key, state, valid_from, valid_to, is_open, ${flag} AS flag, is_deleted, 1 AS side FROM version
      UNION ALL
      SELECT feed, step, key, state, valid_from, valid_to, valid_to IS NULL, valid_to IS NULL, is_deleted, -1 FROM expected) sides
    GROUP BY feed, step, key, state, valid_from, valid_to, is_open, flag, is_deleted HAVING sum(side) <> 0)`);
  const [counted] = await db.rows<{ suspects: bigint }>('SELECT count(*) AS suspects FROM suspect');
  return Number(counted!.suspects);
}

/** Puts the versions of suspects, there and expected, in the place of all. */
export const OF_SUSPECTS = `WITH version AS (FROM main.version SEMI JOIN suspect USING (feed, key)),
  expected AS (FROM main.expected SEMI JOIN suspect USING (feed, key))`;
