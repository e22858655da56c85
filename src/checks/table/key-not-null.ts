import type { Check } from '../check.ts';
import { interval } from '../words.ts';

export const keyNotNull: Check = {
  id: 'key-not-null',
  group: 'table',
  beyondOracle: true,
  title: 'Every row of the dimension has its whole key.',
  why: 'A row without a key joins to no fact, and each load may add another, because NULL never equals NULL.',
  implies: [
    'no-invented-key',
    'version-count',
    'open-count',
    'content',
    'one-open-version',
    'no-overlap',
    'unique-start',
  ],
  skip: ({ nullKey }) => (nullKey === 'value' ? 'the contract takes NULL for a key like any other' : null),
  violations: () => 'SELECT feed, step, key, valid_from, valid_to FROM version WHERE null_key',
  exercised: () => 'SELECT count(*) FROM version',
  message: ({ valid_from, valid_to }) => `A row ${interval(valid_from!, valid_to!)} has NULL in its key.`,
};
