import { OVERWRITTEN } from '../../contract/types.ts';
import { always, type Check, judged } from '../check.ts';

const COLUMNS = 'feed, step, key, state, is_deleted';

export const currentValue: Check = {
  id: 'current-value',
  group: 'oracle',
  types: OVERWRITTEN,
  title: 'A table that is overwritten has a row for each key that is there, with its latest attributes.',
  why: 'Nothing but the present is kept here: an attribute that was not overwritten, or that late data set back, is simply wrong, and no other column says so.',
  implies: ['untracked', 'previous-value'],
  skip: always,
  // Multisets both ways. Where content is not judged, a state that was never delivered for the key is wrong all the same.
  violations: () => `SELECT DISTINCT feed, step, key, CASE
        WHEN NOT EXISTS (SELECT 1 FROM current_row h WHERE h.feed = c.feed AND h.step = c.step AND h.key = c.key) THEN 'missing'
        WHEN NOT EXISTS (SELECT 1 FROM expected_current e WHERE e.feed = c.feed AND e.step = c.step AND e.key = c.key) THEN 'gone'
        ELSE 'stale' END AS what
    FROM (
      (SELECT ${COLUMNS} FROM expected_current EXCEPT ALL SELECT ${COLUMNS} FROM current_row)
      UNION ALL
      (SELECT ${COLUMNS} FROM current_row EXCEPT ALL SELECT ${COLUMNS} FROM expected_current)) c WHERE ${judged('c')}
    UNION ALL
    SELECT feed, step, key, 'invented' FROM current_row h WHERE NOT (${judged('h')}) AND NOT EXISTS (
      SELECT 1 FROM delivered d WHERE d.feed = h.feed AND d.batch <= h.step AND d.key = h.key AND d.state = h.state)`,
  exercised: () => `SELECT count(*) FROM expected_current e WHERE ${judged('e')}`,
  message: ({ what }) => {
    if (what === 'missing') return 'The key should have a row in the current table, and has none.';
    if (what === 'gone') return 'The key should have no row in the current table any more, and has one.';
    return what === 'stale'
      ? 'The row of the key in the current table does not show its latest state.'
      : 'The row of the key in the current table has attributes that no batch delivered for it.';
  },
};
