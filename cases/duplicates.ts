/** More than one row for a key in one load, where the rows carry no instants of their own. */
import type { Case } from './case.ts';
import { CUSTOMER, c1, c2, day, load, version } from './customer.ts';

const SEQUENCED = { ...CUSTOMER, sequence: true } as const;

const EQUAL = { duplicates: ['equal', 'any', 'last', 'first'] } as const;

export const DUPLICATES: readonly Case[] = [
  {
    id: 'duplicate-new-key',
    title: 'A new key that a load names twice in the same words opens one version.',
    why: 'Both rows are "not found", both are inserted, and every fact of that customer counts twice.',
    source: 'Datavault-UK/automate-dv#221',
    columns: CUSTOMER,
    needs: EQUAL,
    batches: [load(day(1), c2('B')), load(day(2), c1('A'), c1('A'), c2('B'))],
    expected: { versions: 2, open: 2, rows: [version(c1('A'), day(2)), version(c2('B'), day(1))] },
  },
  {
    id: 'duplicate-in-the-first-load',
    title: 'A key that the first load names twice in the same words opens one version.',
    why: 'A first load that is copied as it is skips whatever removes duplicates later on.',
    columns: CUSTOMER,
    needs: EQUAL,
    batches: [load(day(1), c1('A'), c1('A')), load(day(2), c1('B'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2))],
    },
  },
  {
    id: 'duplicate-change',
    title: 'A change that a load delivers twice makes one version.',
    why: 'The open row is closed once and two new ones are current.',
    columns: CUSTOMER,
    needs: EQUAL,
    batches: [load(day(1), c1('A')), load(day(2), c1('B'), c1('B'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2))],
    },
  },
  {
    id: 'duplicate-of-the-current-state',
    title: 'Copies of the current state make no version.',
    why: 'One copy is recognised and two are not, where rows are numbered before they are compared.',
    columns: CUSTOMER,
    needs: { ...EQUAL, changeBy: ['value'] },
    batches: [load(day(1), c1('A')), load(day(2), c1('A'), c1('A'), c1('A'))],
    expected: { versions: 1, open: 1, rows: [version(c1('A'), day(1))] },
  },
  {
    id: 'duplicate-last-by-sequence',
    title: 'Of rows that differ, the one with the highest sequence counts, wherever it stands.',
    why: 'By position, or at random, another state wins from run to run.',
    source: 'airbytehq/airbyte#6688',
    columns: SEQUENCED,
    needs: { duplicates: ['last'] },
    batches: [
      load(day(1), c1('A', { sequence: 1 })),
      load(day(2), c1('C', { sequence: 4 }), c1('B', { sequence: 3 }), c1('D', { sequence: 2 })),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('C'), day(2))],
    },
  },
  {
    id: 'duplicate-first-by-sequence',
    title: 'Where the first row counts, it is the one with the lowest sequence, wherever it stands.',
    why: 'By position, or at random, another state wins from run to run.',
    columns: SEQUENCED,
    needs: { duplicates: ['first'] },
    batches: [
      load(day(1), c1('A', { sequence: 1 })),
      load(day(2), c1('C', { sequence: 4 }), c1('D', { sequence: 2 }), c1('B', { sequence: 3 })),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('D'), day(2))],
    },
  },
  {
    id: 'duplicate-null-sequence',
    title: 'A row without a sequence comes before those that have one.',
    why: 'Engines differ in whether NULL sorts first or last, and with it in which state is current.',
    columns: SEQUENCED,
    needs: { duplicates: ['last'] },
    batches: [load(day(1), c1('A', { sequence: 1 }), c1('B', { sequence: null }))],
    expected: { versions: 1, open: 1, rows: [version(c1('A'), day(1))] },
  },
  {
    id: 'duplicate-new-key-differs',
    title: 'A new key that a load names twice in different words opens one version.',
    why: 'A lookup that is filled before the load finds the key neither time, and both rows are current.',
    source: 'thinketl.com/scd-type-2-using-dynamic-lookup-in-informatica-iics/',
    columns: SEQUENCED,
    needs: { duplicates: ['last'] },
    batches: [load(day(1), c1('A', { sequence: 1 }), c1('B', { sequence: 2 }), c2('A', { sequence: 3 }))],
    expected: { versions: 2, open: 2, rows: [version(c1('B'), day(1)), version(c2('A'), day(1))] },
  },
  {
    id: 'duplicate-rejected',
    title: 'Where two rows of a key are refused, their load changes nothing, and the next is applied.',
    why: 'A load that is half applied before it is refused leaves a state that no source ever had.',
    columns: CUSTOMER,
    needs: { duplicates: ['reject'] },
    batches: [
      load(day(1), c1('A'), c2('A')),
      load(day(2), c2('B'), c1('B'), c1('C')),
      load(day(3), c1('D'), c2('A')),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [version(c1('A'), day(1), day(3)), version(c1('D'), day(3)), version(c2('A'), day(1))],
    },
  },
];
