import type { Contract } from '../contract/contract.ts';
import { hasCurrentTable, hasVersions } from '../contract/types.ts';
import type { Database } from '../duckdb/connection.ts';

/**
 * Creates `suspect (feed, key)`: the keys whose rows (versions, and those of a current table) are not, one for one, the expected ones after every batch. It is one aggregation
 * over exact values. Of all other keys most checks need not be asked: the expected versions violate none of them.
 *
 * @returns how many there are
 */
export async function findSuspects(db: Database, contract: Contract): Promise<number> {
  const differing = [
    ...(hasVersions(contract) ? [otherVersions(contract)] : []),
    ...(hasCurrentTable(contract) ? [OTHER_CURRENT] : []),
  ];
  await db.run(
    `CREATE TABLE suspect AS SELECT DISTINCT feed, key FROM (${differing.join(' UNION ALL ')}) differing`,
  );
  const [counted] = await db.rows<{ suspects: bigint }>('SELECT count(*) AS suspects FROM suspect');
  return Number(counted!.suspects);
}

function otherVersions({ columns }: Contract): string {
  const flag = columns.isCurrent === null ? 'is_open' : 'is_current';
  return `SELECT feed, step, key FROM (
      SELECT feed, step, key, state, valid_from, valid_to, is_open, ${flag} AS flag, is_deleted, 1 AS side FROM version
      UNION ALL
      SELECT feed, step, key, state, valid_from, valid_to, valid_to IS NULL, valid_to IS NULL, is_deleted, -1 FROM expected) sides
    GROUP BY feed, step, key, state, valid_from, valid_to, is_open, flag, is_deleted HAVING sum(side) <> 0`;
}

const OTHER_CURRENT = `SELECT feed, step, key FROM (
      SELECT feed, step, key, state, is_deleted, 1 AS side FROM current_row
      UNION ALL SELECT feed, step, key, state, is_deleted, -1 FROM expected_current) sides
    GROUP BY feed, step, key, state, is_deleted HAVING sum(side) <> 0`;

/** Puts the versions of suspects, there and expected, in the place of all. */
export const OF_SUSPECTS = `WITH version AS (FROM main.version SEMI JOIN suspect USING (feed, key)),
  expected AS (FROM main.expected SEMI JOIN suspect USING (feed, key))`;
