import type { Check } from '../check.ts';
import { at, count } from '../words.ts';

export const uniqueStart: Check = {
  id: 'unique-start',
  group: 'table',
  title: 'A key has at most one version that starts at an instant.',
  why: 'The same version twice doubles every fact that it matches.',
  implies: [
    'one-open-version',
    'no-overlap',
    'no-repeat',
    'surrogate-key-unique',
    'open-count',
    'version-count',
    'content',
    'no-fan-out',
    'as-of-value',
    'reconciles',
  ],
  skip: () => null,
  violations: () => `SELECT feed, step, key, valid_from, count(*) AS versions FROM version
    WHERE valid_from IS NOT NULL GROUP BY feed, step, key, valid_from HAVING count(*) > 1`,
  exercised: () => 'SELECT count(*) FROM version',
  message: ({ valid_from, versions }) =>
    `${count(versions!, 'version')} of the key start at ${at(valid_from!)}.`,
};
