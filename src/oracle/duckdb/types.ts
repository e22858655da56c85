import { folded } from '../../checks/interpret.ts';
import type { Contract } from '../../contract/contract.ts';
import { besideOf, hasCurrentTable } from '../../contract/types.ts';
import type { Database } from '../../duckdb/connection.ts';
import { untrackedRight } from './untracked.ts';

/**
 * Rule 8: what the tables of types 1, 3, 4 and 6 hold. All of it follows from the versions of type 2, which `expected` has; only under
 * `historyHolds: past` are the open ones taken out of it, last of all.
 *
 * - `expected_current`, of the columns of `expected`: the rows of a table that is overwritten;
 * - `expected_beside (feed, step, key, valid_from, is_deleted, b0, …)`: the previous values of the rows of `expected_current` (type 3), or the
 *   current ones of those of `expected` (type 6), in the spelling in which they were delivered;
 * - `untracked_right_current` and `untracked_judged_current`: as those of rule 7, for `expected_current`.
 */
export async function projectTypes(db: Database, contract: Contract): Promise<void> {
  await db.run(`CREATE TABLE expected_current AS
    SELECT * FROM expected WHERE ${hasCurrentTable(contract)} AND valid_to IS NULL`);
  await untrackedRight(db, { ...contract, untracked: 'current' }, CURRENT_TABLE);
  if (contract.type === '3') await db.run(`CREATE TABLE expected_beside AS ${previousValues(contract)}`);
  if (contract.type === '6') await db.run(`CREATE TABLE expected_beside AS ${currentValues(contract)}`);
  if (contract.historyHolds === 'past') await db.run('DELETE FROM expected WHERE valid_to IS NULL');
}

/** The relations of a current table, in the place of those of versions. */
export const CURRENT_TABLE = {
  expected: 'expected_current',
  right: 'untracked_right_current',
  judged: 'untracked_judged_current',
} as const;

/**
 * For each open row and column the value of the latest version before it that has another one, NULL where there is none. Unless the contract
 * lets a key come back as if it had never gone, what was before it went is forgotten.
 */
function previousValues(contract: Contract): string {
  const { columns, compare, reappearance, deletes } = contract;
  const isRemembered = reappearance === 'bridge' || deletes === 'marker-row';
  const beside = besideOf(contract).map((at, index) => {
    const value = (source: string) => folded(`${source}.a${at}`, columns.tracked[at]!, compare);
    return `arg_max_null(before.a${at}, before.opened_at)
      FILTER (WHERE before.key IS NOT NULL AND ${value('before')} IS DISTINCT FROM ${value('open')}) AS b${index}`;
  });
  return `WITH life AS (
      SELECT e.*, d.* EXCLUDE (feed, batch, pos),
        sum(CASE WHEN anew AND ${!isRemembered} THEN 1 ELSE 0 END) OVER (PARTITION BY e.feed, e.step, e.key ORDER BY e.opened_at) AS life
      FROM expected e JOIN delivered_values d USING (feed, batch, pos))
    SELECT open.feed, open.step, open.key, open.valid_from, open.is_deleted, ${beside.join(', ')}
    FROM life open LEFT JOIN life before
      ON before.feed = open.feed AND before.step = open.step AND before.key = open.key AND before.life = open.life
        AND before.opened_at < open.opened_at AND NOT before.is_deleted
    WHERE open.valid_to IS NULL
    GROUP BY open.feed, open.step, open.key, open.valid_from, open.is_deleted`;
}

/** For each row the values of the latest version of its key, which is the last one where the key is gone. */
function currentValues(contract: Contract): string {
  const beside = besideOf(contract).map((at, index) => `d.a${at} AS b${index}`);
  return `WITH latest AS (
      SELECT feed, step, key, arg_max(batch, opened_at) AS batch, arg_max(pos, opened_at) AS pos
      FROM expected WHERE NOT is_deleted GROUP BY feed, step, key)
    SELECT e.feed, e.step, e.key, e.valid_from, e.is_deleted, ${beside.join(', ')}
    FROM expected e JOIN latest l USING (feed, step, key)
    JOIN delivered_values d ON d.feed = l.feed AND d.batch = l.batch AND d.pos = l.pos`;
}
