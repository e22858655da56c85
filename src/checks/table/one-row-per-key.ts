import { OVERWRITTEN } from '../../contract/types.ts';
import type { Check } from '../check.ts';
import { count } from '../words.ts';

export const oneRowPerKey: Check = {
  id: 'one-row-per-key',
  group: 'table',
  types: OVERWRITTEN,
  title: 'A table that is overwritten has at most one row for a key.',
  why: 'Each fact of the key joins to every one of its rows: revenue counts as often as the key has changed.',
  implies: ['current-value', 'untracked', 'previous-value'],
  skip: () => null,
  violations: () =>
    'SELECT feed, step, key, count(*) AS rows FROM current_row GROUP BY feed, step, key HAVING count(*) > 1',
  exercised: () => 'SELECT count(*) FROM current_row',
  message: ({ rows }) => `The key has ${count(rows!, 'row')} in a table that is overwritten.`,
};
