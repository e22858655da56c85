import { type Check, PAST_ONLY } from '../check.ts';
import { count } from '../words.ts';

export const oneOpenVersion: Check = {
  id: 'one-open-version',
  group: 'table',
  title: 'A key has at most one open version.',
  why: 'Every fact of today joins to each open version: current revenue is counted once for each of them.',
  implies: [
    'no-overlap',
    'open-is-latest',
    'no-repeat',
    'current-flag',
    'open-count',
    'version-count',
    'content',
    'no-fan-out',
    'as-of-value',
    'coverage',
    'reconciles',
  ],
  skip: ({ historyHolds }) => (historyHolds === 'past' ? PAST_ONLY : null),
  violations: () =>
    'SELECT feed, step, key, count(*) AS open FROM version WHERE is_open GROUP BY feed, step, key HAVING count(*) > 1',
  exercised: () => 'SELECT count(*) FROM version WHERE is_open',
  message: ({ open }) => `The key has ${count(open!, 'open version')}.`,
};
