import type { Judge } from '../checks/judge.ts';

/** A dimension, by the position of its trace among those that are judged together. */
export interface TracedStep {
  readonly feed: number;
  readonly step: number;
}

export interface ComparedPair {
  readonly expected: TracedStep;
  readonly actual: TracedStep;
}

export interface Compared {
  /** Keys that were compared. */
  readonly exercised: number;
  /** Numbers of the keys that differ. */
  readonly differing: readonly number[];
}

/**
 * Compares pairs of dimensions, key by key, in what the contract fixes: key, tracked attributes, previous and current values of them, start,
 * end and flags, as the contract compares them.
 *
 * A key is left out where the contract does not promise that both are the same. The oracle knows: its own answers for the two must be equal,
 * and certain all the way (no evidence was lost, no winner left open). Untracked attributes count on versions and current rows for which just one value
 * is right, the same in both. So no precondition has to be worked out by hand for each field of the contract, and what differs is a fact.
 */
export async function comparePairs(
  judge: Judge,
  pairs: readonly ComparedPair[],
): Promise<readonly Compared[]> {
  if (pairs.length === 0) return [];
  const sides = pairs.flatMap(({ expected, actual }, pair) => [
    `(${pair}, 0, ${expected.feed}, ${expected.step})`,
    `(${pair}, 1, ${actual.feed}, ${actual.step})`,
  ]);
  await judge.db.run(`CREATE OR REPLACE TEMP TABLE side AS
    SELECT * FROM (VALUES ${sides.join(', ')}) s (pair, side, feed, step);
    CREATE OR REPLACE TEMP TABLE open_question AS ${OPEN_QUESTION};
    CREATE OR REPLACE TEMP TABLE fixed_extra AS ${FIXED_EXTRA};`);
  const differing = await judge.db.rows<{ pair: number; key: number }>(DIFFERING);
  const exercised = await judge.db.rows<{ pair: number; keys: number }>(EXERCISED);
  const compared = pairs.map(() => ({ exercised: 0, differing: [] as number[] }));
  for (const { pair, keys } of exercised) compared[Number(pair)]!.exercised = Number(keys);
  for (const { pair, key } of differing) compared[Number(pair)]!.differing.push(Number(key));
  return compared;
}

/** The rows of either side that the other has not, each as often as it is missing. */
function differenceOf(relation: string, columns: string): string {
  const rows = (side: number) => `SELECT pair, ${columns} FROM ${relation} WHERE side = ${side}`;
  return `(${rows(0)} EXCEPT ALL ${rows(1)}) UNION ALL (${rows(1)} EXCEPT ALL ${rows(0)})`;
}

/** Keys for which the contract does not promise that the two dimensions are the same. */
const OPEN_QUESTION = `WITH called_for AS (
    SELECT pair, side, key, state, valid_from, valid_to, is_deleted FROM side JOIN expected USING (feed, step))
  SELECT s.pair, x.key FROM side s JOIN expected_key x ON x.feed = s.feed AND x.step <= s.step WHERE x.forgiven OR x.ambiguous
  UNION
  SELECT pair, key FROM (${differenceOf('called_for', 'key, state, valid_from, valid_to, is_deleted')})`;

/** Versions, or rows of a current table, on which just one value of the untracked attributes is right. */
function onlyRight(isCurrent: boolean): string {
  const suffix = isCurrent ? '_current' : '';
  const place = 'feed, step, key, valid_from, is_deleted';
  // A row of a current table has no start.
  return `SELECT ${isCurrent} AS in_current, feed, step, key, ${isCurrent ? 'NULL' : 'valid_from'} AS valid_from, is_deleted, min(extra) AS extra
    FROM untracked_right${suffix} SEMI JOIN untracked_judged${suffix} USING (${place})
    GROUP BY ${place} HAVING count(DISTINCT extra) = 1`;
}

/** Those on which it is the same on both sides. */
const FIXED_EXTRA = `WITH only_right AS (${onlyRight(false)} UNION ALL ${onlyRight(true)})
  SELECT pair, in_current, key, valid_from, is_deleted FROM side JOIN only_right USING (feed, step)
  GROUP BY ALL HAVING count(*) = 2 AND min(extra) = max(extra)`;

const DIFFERING = `WITH held AS (
    SELECT s.pair, s.side, v.key, v.state, CASE WHEN f.pair IS NOT NULL THEN v.extra END AS extra,
      v.valid_from, v.valid_to, v.is_current, v.is_deleted, v.beside
    FROM side s JOIN (SELECT *, false AS in_current FROM version UNION ALL SELECT *, true FROM current_row) v USING (feed, step)
    LEFT JOIN fixed_extra f ON f.pair = s.pair AND f.in_current = v.in_current AND f.key = v.key
      AND f.valid_from IS NOT DISTINCT FROM v.valid_from AND f.is_deleted = v.is_deleted)
  SELECT DISTINCT pair, key FROM (${differenceOf('held', 'key, state, extra, valid_from, valid_to, is_current, is_deleted, beside')})
  ANTI JOIN open_question USING (pair, key) ORDER BY pair, key`;

const EXERCISED = `SELECT pair, count(DISTINCT key) AS keys FROM side JOIN expected_key USING (feed, step)
  ANTI JOIN open_question USING (pair, key) GROUP BY pair`;
