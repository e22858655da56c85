import type { Check } from '../check.ts';
import { interval } from '../words.ts';

export const untracked: Check = {
  id: 'untracked',
  group: 'oracle',
  beyondOracle: true,
  title: 'Untracked attributes of a version hold a value that the contract allows.',
  why: 'They make no version, so nobody looks at them until a letter goes to a street that the customer never lived in.',
  implies: [],
  skip: ({ columns }) => (columns.untracked.length === 0 ? 'the dimension has no untracked attribute' : null),
  violations: () => `SELECT v.feed, v.step, v.key, v.valid_from, v.valid_to
    FROM version v
    JOIN expected e USING (feed, step, key, state, valid_from, is_deleted)
    JOIN untracked_judged j ON j.feed = v.feed AND j.step = v.step AND j.key = v.key AND j.valid_from = v.valid_from AND j.is_deleted = v.is_deleted
    WHERE v.valid_to IS NOT DISTINCT FROM e.valid_to
      AND NOT EXISTS (SELECT 1 FROM untracked_right r WHERE r.feed = v.feed AND r.step = v.step AND r.key = v.key
        AND r.valid_from = v.valid_from AND r.is_deleted = v.is_deleted AND r.extra = v.extra)`,
  exercised: () => 'SELECT count(*) FROM untracked_judged',
  message: ({ valid_from, valid_to }) =>
    `The untracked attributes of the version ${interval(valid_from!, valid_to!)} are not among those that the contract allows there.`,
};
