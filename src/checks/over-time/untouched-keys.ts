import { TYPES } from '../../contract/types.ts';
import { type Check, rowsOf } from '../check.ts';

const COLUMNS = 'key, state, extra, valid_from, valid_to, is_current, is_deleted, beside';

/** Rows of keys of which batch `step` says nothing. */
const UNOBSERVED = (alias: string) => `NOT EXISTS (SELECT 1 FROM observed_log o
      WHERE o.feed = ${alias}.feed AND o.key = ${alias}.key AND (o.batch = ${alias}.step OR o.live_from = ${alias}.step))
    AND EXISTS (SELECT 1 FROM outcome oc WHERE oc.feed = ${alias}.feed AND oc.batch = ${alias}.step AND NOT oc.rejected)
    AND NOT EXISTS (SELECT 1 FROM excused x WHERE x.feed = ${alias}.feed AND x.key = ${alias}.key AND x.step IN (${alias}.step, ${alias}.step - 1))`;

export const untouchedKeys: Check = {
  id: 'untouched-keys',
  group: 'time',
  types: TYPES,
  title: 'A batch changes only the keys that it says something of.',
  why: 'Customers who were not in the load are closed or changed with it: their revenue moves though nothing happened to them.',
  implies: [
    'open-count',
    'version-count',
    'content',
    'untracked',
    'closed-stays-closed',
    'contiguous',
    'no-overlap',
    'current-flag',
    'no-repeat',
    'bounds-valid',
    'one-open-version',
    'unique-start',
    'coverage',
    'no-fan-out',
    'as-of-value',
    'reconciles',
    'current-value',
    'previous-value',
    'current-on-every-row',
    'one-row-per-key',
  ],
  skip: ({ feed, deletes, emptySnapshot, columns, late }) =>
    feed === 'snapshot' &&
    deletes !== 'ignore' &&
    emptySnapshot !== 'ignore' &&
    columns.partition === null &&
    late !== 'ignore'
      ? 'a snapshot says something of every key'
      : null,
  violations: ({ contract }) => `SELECT feed, step, key, what, valid_from IS NULL AS overwritten FROM (
      SELECT *, 'gone' AS what FROM (
        SELECT feed, step + 1 AS step, ${COLUMNS} FROM ${rowsOf(contract)} WHERE (feed, step + 1) IN (SELECT (feed, step) FROM step)
        EXCEPT ALL SELECT feed, step, ${COLUMNS} FROM ${rowsOf(contract)})
      UNION ALL
      SELECT *, 'new' FROM (
        SELECT feed, step, ${COLUMNS} FROM ${rowsOf(contract)} WHERE step > 0
        EXCEPT ALL SELECT feed, step + 1, ${COLUMNS} FROM ${rowsOf(contract)})) c
    WHERE ${UNOBSERVED('c')}`,
  exercised: ({
    contract,
  }) => `SELECT count(*) FROM (SELECT DISTINCT feed, step + 1 AS step, key FROM ${rowsOf(contract)}
    WHERE (feed, step + 1) IN (SELECT (feed, step) FROM step)) c WHERE ${UNOBSERVED('c')}`,
  message: ({ what, overwritten }) => {
    const row = overwritten === true ? 'row' : 'version';
    return what === 'gone'
      ? `A ${row} of the key changed or vanished with a batch that says nothing of it.`
      : `The key got a new or changed ${row} with a batch that says nothing of it.`;
  },
};
