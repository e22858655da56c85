import { TYPES } from '../../contract/types.ts';
import { type Check, rowsOf } from '../check.ts';
import { interval } from '../words.ts';

export const keyNotNull: Check = {
  id: 'key-not-null',
  group: 'table',
  types: TYPES,
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
    'current-value',
    'one-row-per-key',
  ],
  skip: ({ nullKey }) => (nullKey === 'value' ? 'the contract takes NULL for a key like any other' : null),
  violations: ({ contract }) =>
    `SELECT feed, step, key, valid_from, valid_to FROM ${rowsOf(contract)} WHERE null_key`,
  exercised: ({ contract }) => `SELECT count(*) FROM ${rowsOf(contract)}`,
  message: ({ valid_from, valid_to }) =>
    `A row${valid_from === null && valid_to === null ? '' : ` ${interval(valid_from!, valid_to!)}`} has NULL in its key.`,
};
