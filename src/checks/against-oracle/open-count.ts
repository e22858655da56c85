import { type Check, judged, PAST_ONLY } from '../check.ts';

export const openCount: Check = {
  id: 'open-count',
  group: 'oracle',
  title: 'A key that is there has one open version, and a key that was deleted has none.',
  why: '“At most one open row” stays green when a living customer has none: all of their new revenue is UNKNOWN.',
  implies: ['version-count', 'content', 'untracked', 'as-of-value', 'coverage', 'no-fan-out', 'reconciles'],
  skip: ({ historyHolds }) => (historyHolds === 'past' ? PAST_ONLY : null),
  violations: () => `SELECT * FROM (
      SELECT feed, step, key, coalesce(e.open, 0) AS expected, coalesce(v.open, 0) AS actual
      FROM (SELECT feed, step, key, count(*) AS open FROM expected WHERE valid_to IS NULL AND NOT is_deleted GROUP BY ALL) e
      FULL JOIN (SELECT feed, step, key, count(*) AS open FROM version WHERE is_open AND NOT is_deleted GROUP BY ALL) v USING (feed, step, key)) c
    WHERE expected <> actual AND ${judged('c')}`,
  exercised: () => `SELECT count(*) FROM expected_key WHERE NOT forgiven AND NOT ambiguous`,
  message: ({ expected, actual }) =>
    Number(expected) === 1
      ? `The key is there, so it should have one open version; it has ${actual === 0n || actual === 0 ? 'none' : actual}.`
      : `The key is gone, so it should have no open version; it has ${actual}.`,
};
