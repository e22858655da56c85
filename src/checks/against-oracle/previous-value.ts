import { always, type Check, judged } from '../check.ts';
import { quoted } from '../words.ts';
import { wrongBeside } from './beside.ts';

export const previousValue: Check = {
  id: 'previous-value',
  group: 'oracle',
  types: ['3'],
  beyondOracle: true,
  title:
    'A previous value is the last one that differed from the current one, and NULL where there was none.',
  why: 'The column is what the old way of reporting is summed by. A load that repeats a value overwrites it with the current one, and the comparison of old and new says that nothing changed.',
  implies: [],
  skip: always,
  violations: ({ contract }) => wrongBeside(contract, 'current_row', 'expected_current', ''),
  exercised: () => `SELECT count(*) FROM expected_current e WHERE ${judged('e')}`,
  message: ({ name, wanted, has }) =>
    `The previous value in \`${name}\` should be ${quoted(wanted)} and is ${quoted(has)}.`,
};
