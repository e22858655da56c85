import { always, type Check, judged } from '../check.ts';
import { interval } from '../words.ts';

export const historyComplete: Check = {
  id: 'history-complete',
  group: 'oracle',
  types: ['4'],
  title: 'Every state that a key has had is in the history table.',
  why: 'The current table is overwritten, so that what never came into the history is gone for good: most often the first state, or the one that was changed in a load of its own.',
  implies: [
    'version-count',
    'open-count',
    'content',
    'contiguous',
    'untracked',
    'no-fan-out',
    'coverage',
    'as-of-value',
    'reconciles',
  ],
  skip: always,
  violations: () => `SELECT e.feed, e.step, e.key, e.valid_from, e.valid_to FROM expected e
    WHERE NOT e.is_deleted AND ${judged('e')} AND NOT EXISTS (
      SELECT 1 FROM version v WHERE v.feed = e.feed AND v.step = e.step AND v.key = e.key AND v.state = e.state)`,
  exercised: () => `SELECT count(*) FROM expected e WHERE NOT e.is_deleted AND ${judged('e')}`,
  message: ({ valid_from, valid_to }) =>
    `The history has nowhere the state that the key had in ${interval(valid_from!, valid_to!)}.`,
};
