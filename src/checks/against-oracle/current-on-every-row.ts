import { always, type Check, judged } from '../check.ts';
import { interval, quoted } from '../words.ts';
import { wrongBeside } from './beside.ts';

export const currentOnEveryRow: Check = {
  id: 'current-on-every-row',
  group: 'oracle',
  types: ['6'],
  beyondOracle: true,
  title: 'Every row of a key carries its current values, the closed rows too.',
  why: 'They are there so that facts of all times can be summed by what holds today. A closed row that keeps an older value puts its facts under a heading that no longer exists.',
  implies: [],
  skip: always,
  violations: ({ contract }) => wrongBeside(contract, 'version', 'expected', ', valid_from'),
  exercised: () => `SELECT count(*) FROM expected e WHERE ${judged('e')}`,
  message: ({ valid_from, valid_to, name, wanted, has }) =>
    `The version ${interval(valid_from!, valid_to!)} should have the current value ${quoted(wanted)} in \`${name}\` and has ${quoted(has)}.`,
};
