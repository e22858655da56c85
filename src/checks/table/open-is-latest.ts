import { type Check, PAST_ONLY } from '../check.ts';
import { at } from '../words.ts';

export const openIsLatest: Check = {
  id: 'open-is-latest',
  group: 'table',
  title: 'No version of a key starts after its open one.',
  why: 'What the dimension calls current is an older state: today’s numbers are yesterday’s.',
  implies: ['no-overlap', 'open-count', 'no-fan-out', 'content', 'as-of-value', 'reconciles'],
  skip: ({ historyHolds }) => (historyHolds === 'past' ? PAST_ONLY : null),
  violations: () => `SELECT feed, step, key, opened, latest FROM (
      SELECT feed, step, key, max(CASE WHEN is_open THEN valid_from END) AS opened, max(valid_from) AS latest
      FROM version GROUP BY feed, step, key) latest_start
    WHERE latest > opened`,
  exercised: () =>
    `SELECT count(*) FROM (SELECT feed, step, key FROM version GROUP BY ALL HAVING count(*) > 1 AND bool_or(is_open))`,
  message: ({ opened, latest }) =>
    `The open version starts at ${at(opened!)}, but another starts later, at ${at(latest!)}.`,
};
