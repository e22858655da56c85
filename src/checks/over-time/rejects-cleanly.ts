import { TYPES } from '../../contract/types.ts';
import { type Check, rowsOf } from '../check.ts';

const COLUMNS = 'key, state, extra, valid_from, valid_to, is_current, is_deleted, beside';

export const rejectsCleanly: Check = {
  id: 'rejects-cleanly',
  group: 'time',
  types: TYPES,
  beyondOracle: true,
  title: 'A batch that the contract refuses is refused, and changes nothing.',
  why: 'Half of a refused batch in the dimension is a state that never was, and no error says so.',
  implies: [
    'untouched-keys',
    'open-count',
    'version-count',
    'content',
    'one-open-version',
    'no-overlap',
    'bounds-valid',
    'key-not-null',
    'closed-stays-closed',
    'coverage',
    'no-fan-out',
    'as-of-value',
    'reconciles',
    'current-value',
    'previous-value',
  ],
  skip: ({ late, sameInstant, duplicates, nullKey, emptySnapshot }) =>
    [late, sameInstant, duplicates, nullKey, emptySnapshot].includes('reject')
      ? null
      : 'the contract refuses nothing',
  violations: ({
    contract,
  }) => `SELECT h.feed, h.batch AS step, NULL::INTEGER AS key, 'applied' AS what FROM happened h JOIN outcome o USING (feed, batch)
      WHERE o.rejected AND h.status = 'applied' AND NOT EXISTS (
        SELECT 1 FROM expected_key x WHERE x.feed = h.feed AND x.step = h.batch AND x.forgiven)
    UNION ALL
    SELECT DISTINCT c.feed, c.step, c.key, 'changed' FROM (
      (SELECT feed, step + 1 AS step, ${COLUMNS} FROM ${rowsOf(contract)} EXCEPT ALL SELECT feed, step, ${COLUMNS} FROM ${rowsOf(contract)})
      UNION ALL
      (SELECT feed, step, ${COLUMNS} FROM ${rowsOf(contract)} EXCEPT ALL SELECT feed, step + 1, ${COLUMNS} FROM ${rowsOf(contract)})) c
    JOIN happened h ON h.feed = c.feed AND h.batch = c.step JOIN outcome o ON o.feed = c.feed AND o.batch = c.step
    WHERE o.rejected AND h.status <> 'applied'`,
  exercised: () => 'SELECT count(*) FROM outcome WHERE rejected',
  message: ({ what }) =>
    what === 'applied'
      ? 'The contract refuses this batch, but the implementation applied it.'
      : 'The batch was refused, yet the dimension changed.',
};
