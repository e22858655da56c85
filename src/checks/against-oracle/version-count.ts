import { always, type Check, judged } from '../check.ts';
import { count } from '../words.ts';

export const versionCount: Check = {
  id: 'version-count',
  group: 'oracle',
  title: 'A key has as many versions as its history calls for.',
  why: 'A version too few is a change that no report will ever show; one too many is a change that never was.',
  implies: ['content', 'untracked', 'as-of-value', 'coverage', 'no-fan-out', 'reconciles'],
  skip: always,
  violations: () => `SELECT * FROM (
      SELECT feed, step, key, coalesce(e.versions, 0) AS expected, coalesce(v.versions, 0) AS actual
      FROM (SELECT feed, step, key, count(*) AS versions FROM expected GROUP BY ALL) e
      FULL JOIN (SELECT feed, step, key, count(*) AS versions FROM version GROUP BY ALL) v USING (feed, step, key)) c
    WHERE expected <> actual AND ${judged('c')}`,
  exercised: () => `SELECT count(*) FROM expected_key WHERE NOT forgiven AND NOT ambiguous`,
  message: ({ expected, actual }) => `The key should have ${count(expected!, 'version')} and has ${actual}.`,
};
