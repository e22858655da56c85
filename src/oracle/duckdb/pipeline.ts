import { firstStartColumn, isInstantLiteral } from '../../contract/columns.ts';
import { type Contract, grainMicros } from '../../contract/contract.ts';
import { parseInstant, truncateInstant } from '../../contract/instant.ts';

/**
 * The rules of docs/semantics.md as a chain of common table expressions, over all keys of all feeds at once.
 *
 * Input relations (tables or views that the caller names):
 * - `load_in (feed, batch, as_of)`: the batches that count. `as_of` is NULL for the stand-in of a dimension (rule 6).
 * - `row_in (feed, batch, pos, key, instant, present, state, extra, seq, part, reopening, first_start)`: their rows.
 * - `key_part (feed, key, part)`: the partition of each key, where there is a partition column.
 * - `first_load (feed, key)`: the keys that the first batch that counts names.
 *
 * The idea that makes all prefixes one query: which observation stands for a key and an instant changes only when another
 * batch brings the same instant. So each observation has a range of prefixes, `live_from` to `live_to`, in which it
 * stands, and the versions after each batch are one window over observations joined to the prefixes in their range.
 */
export function observationCtes(contract: Contract): string {
  const { feed, stamp, deletes, late, lateScope, columns } = contract;
  const snapshot = feed === 'snapshot';
  const rowTime = snapshot && stamp === 'row-time';
  const asOfCounts = snapshot || (feed === 'delta' && stamp === 'as-of');
  const dropLate = late === 'ignore';
  const partitioned = columns.partition !== null;
  const observesAbsence = snapshot && deletes !== 'ignore';

  // Delete rows that are ignored bring no instant.
  const highest = deletes === 'ignore' ? 'max(r.instant) FILTER (WHERE r.present)' : 'max(r.instant)';
  const ctes: string[] = [];
  ctes.push(`-- The latest instant that each batch brings, and the latest that earlier ones brought.
  high AS (
    SELECT l.feed, l.batch, ${asOfCounts ? `greatest(${highest}, any_value(l.as_of))` : highest} AS instant
    FROM load_in l LEFT JOIN row_in r USING (feed, batch) GROUP BY l.feed, l.batch),
  watermark AS (
    SELECT feed, batch, max(instant) OVER (PARTITION BY feed ORDER BY batch ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS instant
    FROM high)`);

  const drop = dropLate && lateScope === 'batch';
  ctes.push(`row_kept AS (
    SELECT r.*, coalesce(r.instant < w.instant, false) AS late_by_batch
    FROM row_in r JOIN watermark w USING (feed, batch)
    WHERE ${deletes === 'ignore' ? 'r.present' : 'true'}${drop ? ' AND NOT coalesce(r.instant < w.instant, false)' : ''}),
  named AS (
    SELECT feed, key, min(batch) AS named FROM (
      SELECT r.feed, r.key, r.batch FROM row_in r JOIN watermark w USING (feed, batch)
      ${drop ? 'WHERE NOT coalesce(r.instant < w.instant, false)' : ''}) GROUP BY feed, key)`);

  if (observesAbsence) {
    const inPartition = partitioned
      ? `JOIN key_part kp ON kp.feed = n.feed AND kp.key = n.key
      WHERE EXISTS (SELECT 1 FROM row_in p WHERE p.feed = l.feed AND p.batch = l.batch AND p.part IS NOT DISTINCT FROM kp.part) AND`
      : 'WHERE';
    ctes.push(`absence AS (
    SELECT l.feed, l.batch, n.key, l.as_of AS instant, greatest(l.batch, n.named) AS live_from,
      coalesce(l.as_of < w.instant, false) AS late_by_batch
    FROM load_in l JOIN named n USING (feed) JOIN watermark w ON w.feed = l.feed AND w.batch = l.batch
    ${inPartition} l.as_of IS NOT NULL ${rowTime ? 'AND l.batch > n.named' : ''} ${drop ? 'AND NOT coalesce(l.as_of < w.instant, false)' : ''}
      AND NOT EXISTS (SELECT 1 FROM row_in r WHERE r.feed = l.feed AND r.batch = l.batch AND r.key = n.key))`);
  }
  ctes.push(`observed_at AS (
    SELECT feed, batch, pos, key, instant, present, state, extra, seq, reopening, first_start, batch AS live_from, late_by_batch
    FROM row_kept
    ${
      observesAbsence
        ? `UNION ALL
    SELECT feed, batch, -1, key, instant, false, NULL, NULL, NULL, false, NULL, live_from, late_by_batch FROM absence`
        : ''
    })`);

  const earlier = 'PARTITION BY feed, key ORDER BY batch RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';
  ctes.push(
    rowTime
      ? `-- A key that is absent already is not absent anew. A row whose own instant is not after its key's last close starts there.
  run AS (
    SELECT *, lag(present) OVER (PARTITION BY feed, key ORDER BY batch, instant, pos) AS was_present FROM observed_at),
  closed_before AS (
    SELECT *, max(CASE WHEN NOT present THEN instant END) OVER (${earlier}) AS closed_at FROM run WHERE present OR was_present),
  placed AS (
    SELECT * EXCLUDE (instant, reopening, closed_at, was_present),
      CASE WHEN present AND instant <= closed_at THEN closed_at ELSE instant END AS instant,
      reopening OR coalesce(present AND instant <= closed_at, false) AS reopening
    FROM closed_before)`
      : 'placed AS (SELECT * FROM observed_at)',
  );
  // Absences from before the key was first named are neither late nor make others late, by key.
  ctes.push(`aged AS (
    SELECT *, coalesce(batch >= live_from AND instant < max(CASE WHEN batch >= live_from THEN instant END) OVER (${earlier}), false) AS late_by_key
    FROM placed),
  observed AS (
    SELECT * FROM aged ${dropLate && lateScope === 'key' ? 'WHERE NOT late_by_key' : ''})`);
  return ctes.join(',\n  ');
}

/** The rows of one key and instant in a batch, in the order in which the contract prefers them: `place` 1 wins. */
export function rankedCte({ duplicates }: Contract): string {
  const direction = duplicates === 'first' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST';
  const order = `seq ${direction}, pos ${duplicates === 'first' ? 'ASC' : 'DESC'}`;
  return `ranked AS (
    SELECT *, row_number() OVER tie AS place, first_value(present) OVER tie AS won_present, first_value(state) OVER tie AS won_state
    FROM observed WINDOW tie AS (PARTITION BY feed, batch, key, instant ORDER BY ${order}))`;
}

/** Rule 4, from `ranked` on: inside each batch, then between batches, with the range of prefixes in which each observation stands. */
export function winnerCtes(contract: Contract): string {
  const { duplicates, batchStates, sameInstant, feed } = contract;
  const ctes: string[] = [];
  ctes.push(`unsettled_row AS (
    ${
      duplicates === 'any'
        ? `SELECT feed, key, min(batch) AS since FROM ranked
    WHERE present <> won_present OR state IS DISTINCT FROM won_state GROUP BY feed, key`
        : 'SELECT NULL::INTEGER AS feed, NULL::INTEGER AS key, NULL::INTEGER AS since WHERE false'
    })`);

  const cut = feed === 'changes' && batchStates !== 'all';
  ctes.push(`chosen AS (
    SELECT *, count(*) OVER of_key AS states_in_batch, max(instant) OVER of_key AS latest_in_batch
    FROM ranked WHERE place = 1 WINDOW of_key AS (PARTITION BY feed, batch, key)),
  settled AS (
    SELECT * FROM chosen ${cut ? 'WHERE batch < 0 OR instant = latest_in_batch' : ''}),
  unsettled_batch AS (
    ${
      cut && batchStates === 'one'
        ? 'SELECT feed, key, min(batch) AS since FROM chosen WHERE batch >= 0 AND states_in_batch > 1 GROUP BY feed, key'
        : 'SELECT NULL::INTEGER AS feed, NULL::INTEGER AS key, NULL::INTEGER AS since WHERE false'
    })`);

  // An absence gives way to a later batch's reopening observation at its instant; the two are not in conflict.
  const later =
    'PARTITION BY feed, key, instant ORDER BY batch ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING';
  ctes.push(`reopened AS (
    SELECT *, CASE WHEN NOT present THEN min(CASE WHEN reopening THEN live_from END) OVER (${later}) END AS reopened_from,
      bool_or(reopening) OVER (PARTITION BY feed, key, instant ORDER BY batch) AS reopens
    FROM settled),
  contested AS (SELECT *, reopened_from IS NOT NULL AS gives_way FROM reopened)`);
  const instant = 'PARTITION BY feed, key, instant, gives_way ORDER BY batch';
  const until =
    sameInstant === 'first'
      ? `CASE WHEN row_number() OVER (${instant}) = 1 THEN ${FOREVER} ELSE live_from END`
      : `coalesce(lead(live_from) OVER (${instant}), ${FOREVER})`;
  ctes.push(`ranged AS (
    SELECT *, ${until} AS stands_until,
      (lag(present) OVER (${instant})) IS DISTINCT FROM present OR (lag(state) OVER (${instant})) IS DISTINCT FROM state AS differs,
      row_number() OVER (${instant}) > 1 AS contests
    FROM contested),
  unsettled_instant AS (
    ${
      sameInstant === 'any'
        ? 'SELECT feed, key, min(live_from) AS since FROM ranged WHERE contests AND differs GROUP BY feed, key'
        : 'SELECT NULL::INTEGER AS feed, NULL::INTEGER AS key, NULL::INTEGER AS since WHERE false'
    }),
  standing AS (
    SELECT * EXCLUDE (reopening), present AND reopens AS reopening,
      CASE WHEN gives_way THEN least(stands_until, coalesce(reopened_from, ${FOREVER})) ELSE stands_until END AS live_to
    FROM ranged),
  unsettled AS (
    SELECT feed, key, min(since) AS since FROM (
      SELECT * FROM unsettled_row UNION ALL SELECT * FROM unsettled_batch UNION ALL SELECT * FROM unsettled_instant)
    GROUP BY feed, key)`);
  return ctes.join(',\n  ');
}

const FOREVER = 2_147_483_647;

/**
 * Rule 5: versions and marker rows at each prefix in `prefix (feed, step)`. The result `answer` has feed, step, key, state,
 * valid_from, valid_to, is_deleted, opened_at (the opening observation's instant), batch and pos (its row), and anew: whether the key was
 * not there before it.
 */
export function versionCtes(contract: Contract): string {
  const { changeBy, reappearance, deletes, firstStart, firstStartScope } = contract;
  const opens = `present AND (prev_present IS NULL OR NOT prev_present OR state <> prev_state OR reopening${changeBy === 'row-time' ? ' OR true' : ''})`;
  const history = 'PARTITION BY feed, step, key ORDER BY instant';
  const bridged = reappearance === 'bridge' ? 'WHEN before_present = false THEN before_instant' : '';
  const literal = isInstantLiteral(firstStart) ? parseInstant(firstStart) : null;
  const start =
    literal !== null
      ? `least(started, ${truncateInstant(literal, grainMicros(contract.grain))})`
      : firstStartColumn(firstStart) !== null
        ? 'least(started, coalesce(first_start, started))'
        : 'started';
  const firstLoad =
    firstStartScope === 'first-load'
      ? 'AND EXISTS (SELECT 1 FROM first_load f WHERE f.feed = timed.feed AND f.key = timed.key)'
      : '';
  return `point AS (
    SELECT p.step, s.* FROM standing s JOIN prefix p ON p.feed = s.feed AND p.step >= s.live_from AND p.step < s.live_to),
  compared AS (
    SELECT *, lag(present) OVER (${history}) AS prev_present, lag(state) OVER (${history}) AS prev_state FROM point),
  turning AS (
    SELECT * FROM compared WHERE (${opens}) OR (NOT present AND prev_present)),
  bounded AS (
    SELECT *, lead(instant) OVER (${history}) AS ended, row_number() OVER (${history}) AS nth,
      lag(present) OVER (${history}) AS before_present, lag(instant) OVER (${history}) AS before_instant,
      lag(state) OVER (${history}) AS before_state, lag(batch) OVER (${history}) AS before_batch, lag(pos) OVER (${history}) AS before_pos
    FROM turning),
  timed AS (
    SELECT *, CASE ${bridged} WHEN true THEN instant END AS started FROM bounded),
  answer AS (
    SELECT feed, step, key, state, CASE WHEN nth = 1 AND batch >= 0 ${firstLoad} THEN ${start} ELSE started END AS valid_from,
      ended AS valid_to, false AS is_deleted, instant AS opened_at, batch, pos,
      coalesce(NOT before_present, true) OR reopening AS anew
    FROM timed WHERE present
    ${
      deletes === 'marker-row'
        ? `UNION ALL
    SELECT feed, step, key, before_state, instant, ended, true, instant, before_batch, before_pos, false
    FROM timed WHERE NOT present`
        : ''
    })`;
}
