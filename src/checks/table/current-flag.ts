import type { Check } from '../check.ts';
import { interval } from '../words.ts';

export const currentFlag: Check = {
  id: 'current-flag',
  group: 'table',
  title: 'The current flag is set on the open version, and on no other.',
  why: 'Reports filter by the flag and joins use the interval: where they disagree, two reports of the same day differ.',
  implies: [],
  skip: ({ columns }) => (columns.isCurrent === null ? 'the dimension has no current flag' : null),
  violations: () =>
    'SELECT feed, step, key, valid_from, valid_to, is_current, is_open FROM version WHERE is_current IS NULL OR is_current <> is_open',
  exercised: () => 'SELECT count(*) FROM version',
  message: ({ valid_from, valid_to, is_current, is_open }) =>
    `The ${is_open === true ? 'open' : 'closed'} version ${interval(valid_from!, valid_to!)} has its current flag ${is_current === null ? 'neither true nor false' : is_current}.`,
};
