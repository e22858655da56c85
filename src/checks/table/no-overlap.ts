import { FOREVER } from '../../contract/instant.ts';
import type { Check } from '../check.ts';
import { at, interval } from '../words.ts';

export const noOverlap: Check = {
  id: 'no-overlap',
  group: 'table',
  title: 'No two versions of a key hold at the same time.',
  why: 'A fact in the overlap joins to both versions: revenue doubles for exactly the customers who changed.',
  implies: ['no-fan-out', 'version-count', 'content', 'as-of-value', 'reconciles'],
  skip: () => null,
  // Only versions of positive length: the others are `bounds-valid`'s, and would hide or invent overlaps here.
  violations: () => `SELECT feed, step, key, valid_from, valid_to, reaches FROM (
      SELECT feed, step, key, valid_from, valid_to,
        max(coalesce(valid_to, ${FOREVER})) OVER (PARTITION BY feed, step, key ORDER BY valid_from, row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reaches
      FROM version WHERE valid_from IS NOT NULL AND (valid_to IS NULL OR valid_to > valid_from)) reached
    WHERE valid_from < reaches`,
  exercised: () =>
    `SELECT count(*) FROM (SELECT feed, step, key FROM version GROUP BY ALL HAVING count(*) > 1)`,
  message: ({ valid_from, valid_to, reaches }) =>
    `The version ${interval(valid_from!, valid_to!)} begins while an earlier one holds ${BigInt(reaches as bigint) === FOREVER ? 'and is open' : `until ${at(reaches!)}`}.`,
};
