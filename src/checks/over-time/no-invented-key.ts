import { TYPES } from '../../contract/types.ts';
import { always, type Check, rowsOf } from '../check.ts';
import { interval } from '../words.ts';

export const noInventedKey: Check = {
  id: 'no-invented-key',
  group: 'time',
  types: TYPES,
  title: 'The dimension has no key that no batch delivered.',
  why: 'A key made up by the load (half a composite key, a NULL from the empty side of a join) is a customer that does not exist.',
  implies: ['version-count', 'open-count', 'content', 'coverage', 'reconciles', 'current-value'],
  skip: always,
  violations: ({ contract }) => `SELECT feed, step, key, valid_from, valid_to FROM ${rowsOf(contract)} v
    WHERE NOT EXISTS (SELECT 1 FROM delivered d WHERE d.feed = v.feed AND d.batch <= v.step AND d.key = v.key)`,
  exercised: ({ contract }) => `SELECT count(*) FROM ${rowsOf(contract)}`,
  message: ({ valid_from, valid_to }) =>
    `${valid_from === null ? 'A row' : `The version ${interval(valid_from!, valid_to!)}`} has a key that no batch delivered.`,
};
