import { always, type Check } from '../check.ts';
import { interval } from '../words.ts';

/** Keys to which batch `step` brings nothing at or before an instant that an earlier batch brought. */
const IN_ORDER = `NOT EXISTS (
      SELECT 1 FROM observed_log n JOIN observed_log o USING (feed, key)
      WHERE n.feed = b.feed AND n.key = b.key AND n.live_from = b.step + 1 AND o.live_from <= b.step AND n.instant <= o.instant)`;

export const closedStaysClosed: Check = {
  id: 'closed-stays-closed',
  group: 'time',
  title: 'A closed version stays as it is when later data arrives in order; none vanishes.',
  why: 'History that is rewritten changes last year’s figures after they were reported, and nothing says so.',
  implies: [
    'no-overlap',
    'contiguous',
    'bounds-valid',
    'no-repeat',
    'unique-start',
    'version-count',
    'content',
    'untracked',
    'coverage',
    'no-fan-out',
    'as-of-value',
    'reconciles',
    'open-is-latest',
    'clock-injected',
  ],
  skip: always,
  violations: () => `SELECT b.feed, b.step + 1 AS step, b.key, b.valid_from, b.valid_to FROM (
      SELECT feed, step, key, state, valid_from, valid_to, is_deleted FROM version WHERE NOT is_open
        AND (feed, step + 1) IN (SELECT (feed, step) FROM step)
      EXCEPT ALL
      SELECT feed, step - 1, key, state, valid_from, valid_to, is_deleted FROM version) b
    WHERE ${IN_ORDER}
      AND NOT EXISTS (SELECT 1 FROM expected_key x WHERE x.feed = b.feed AND x.step = b.step + 1 AND x.key = b.key AND x.ambiguous)`,
  exercised: () =>
    `SELECT count(*) FROM version b WHERE NOT is_open AND (feed, step + 1) IN (SELECT (feed, step) FROM step) AND ${IN_ORDER}`,
  message: ({ valid_from, valid_to }) =>
    `The closed version ${interval(valid_from!, valid_to!)} changed or vanished, though the batch brought nothing that early.`,
};
