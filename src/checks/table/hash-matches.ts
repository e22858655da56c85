import type { Check } from '../check.ts';

export const hashMatches: Check = {
  id: 'hash-matches',
  group: 'table',
  beyondOracle: true,
  title: 'Within a key, two versions have equal hashes exactly if their tracked attributes are equal.',
  why: 'Change detection trusts the hash: where it is blind a change is lost, and where it sees too much every load makes a version.',
  implies: ['no-repeat', 'version-count', 'content'],
  skip: ({ columns }) => (columns.hash === null ? 'the dimension has no hash column' : null),
  violations:
    () => `SELECT feed, step, key, true AS collides, hash FROM version GROUP BY feed, step, key, hash HAVING count(DISTINCT state) > 1
    UNION ALL
    SELECT feed, step, key, false, min(hash) FROM version GROUP BY feed, step, key, state HAVING count(DISTINCT coalesce(hash, '')) > 1`,
  exercised: () =>
    `SELECT count(*) FROM (SELECT feed, step, key FROM version GROUP BY ALL HAVING count(*) > 1)`,
  message: ({ collides, hash }) =>
    collides === true
      ? `Versions with different tracked attributes have the same hash ${hash}.`
      : 'Versions with equal tracked attributes have different hashes.',
};
