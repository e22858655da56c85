import type { Check } from '../check.ts';
import { count } from '../words.ts';

export const surrogateKeyUnique: Check = {
  id: 'surrogate-key-unique',
  group: 'table',
  beyondOracle: true,
  title: 'No two rows have the same surrogate key.',
  why: 'Facts point at versions by this key: where two rows share it, each fact that points there counts twice.',
  implies: [],
  skip: ({ columns }) => (columns.surrogateKey === null ? 'the dimension has no surrogate key' : null),
  violations: () => `SELECT feed, step, min(key) AS key, surrogate, count(*) AS rows FROM version
    WHERE surrogate IS NOT NULL GROUP BY feed, step, surrogate HAVING count(*) > 1`,
  exercised: () => 'SELECT count(*) FROM version WHERE surrogate IS NOT NULL',
  message: ({ surrogate, rows }) => `${count(rows!, 'row')} have the surrogate key ${surrogate}.`,
};
