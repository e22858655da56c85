import type { Check } from '../check.ts';
import { at } from '../words.ts';

export const boundsValid: Check = {
  id: 'bounds-valid',
  group: 'table',
  title: 'Every version has a start, and ends after it.',
  why: 'A version of zero or negative length matches no fact: its revenue moves to the UNKNOWN member, which most dashboards hide. An overlap test without this one is blind to it.',
  implies: [
    'no-overlap',
    'contiguous',
    'one-open-version',
    'unique-start',
    'open-is-latest',
    'no-repeat',
    'current-flag',
    'version-count',
    'open-count',
    'content',
    'untracked',
    'no-fan-out',
    'coverage',
    'as-of-value',
    'reconciles',
    'clock-injected',
  ],
  skip: () => null,
  violations: () => `SELECT feed, step, key, valid_from, valid_to, is_open FROM version
    WHERE valid_from IS NULL OR valid_to <= valid_from OR (valid_to IS NULL AND NOT is_open)`,
  exercised: () => 'SELECT count(*) FROM version',
  message: ({ valid_from, valid_to, is_open }) => {
    if (valid_from === null) return 'A version has no start.';
    if (valid_to === null && is_open === false)
      return `The version from ${at(valid_from!)} has NULL as its end, which is not the declared open marker.`;
    if (valid_to === valid_from)
      return `A version starts and ends at ${at(valid_from!)}: it has zero length.`;
    return `A version starts at ${at(valid_from!)} and ends before that, at ${at(valid_to!)}.`;
  },
};
