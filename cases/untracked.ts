/** Attributes a change of which makes no version, and what their values are. */
import type { Case } from './case.ts';
import { ABSENCE_DELETES, CUSTOMER, c1, c2, day, load, STREET, version } from './customer.ts';

const WITH_STREET = { ...CUSTOMER, untracked: [STREET] } as const;

const WITH_NULLABLE_STREET = { ...CUSTOMER, untracked: [{ ...STREET, nullable: true }] } as const;

const at = (segment: string, street: string | null) => c1(segment, { street });

export const UNTRACKED: readonly Case[] = [
  {
    id: 'untracked-each-load',
    title: 'An untracked attribute that changes with every load makes no version.',
    why: 'A load stamp among the attributes makes a version of every customer every day.',
    columns: WITH_STREET,
    needs: { changeBy: ['value'] },
    batches: [
      load(day(1), at('A', 's1')),
      load(day(2), at('A', 's2')),
      load(day(3), at('A', 's3')),
      load(day(4), at('B', 's4')),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(4)), version(c1('B'), day(4))],
    },
  },
  {
    id: 'untracked-with-tracked',
    title: 'A tracked and an untracked attribute that change together make one version.',
    why: 'Updated in place first, the row no longer differs, or the two steps each make a version.',
    columns: WITH_STREET,
    needs: {},
    batches: [load(day(1), at('A', 's1')), load(day(2), at('B', 's2')), load(day(3), at('A', 's1'))],
    expected: {
      versions: 3,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2), day(3)), version(c1('A'), day(3))],
    },
  },
  {
    id: 'untracked-null',
    title: 'An untracked attribute that becomes NULL and has a value again makes no version.',
    why: 'Where only the comparison of values is narrowed and not that of NULLs, such a row is versioned.',
    columns: WITH_NULLABLE_STREET,
    needs: { changeBy: ['value'] },
    batches: [load(day(1), at('A', 's1')), load(day(2), at('A', null)), load(day(3), at('A', 's1'))],
    expected: { versions: 1, open: 1, rows: [version(c1('A'), day(1))] },
  },
  {
    id: 'untracked-after-a-delete',
    title:
      'A key that returns with another untracked value opens a version and leaves the closed one as it was.',
    why: 'Taken for a correction, the closed row is changed and the customer has no current one.',
    columns: WITH_STREET,
    needs: { ...ABSENCE_DELETES, reappearance: ['gap'] },
    batches: [
      load(day(1), at('A', 's1'), c2('B', { street: 's1' })),
      load(day(2), c2('B', { street: 's2' })),
      load(day(3), at('A', 's3'), c2('B', { street: 's3' })),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [version(c1('A'), day(1), day(2)), version(c1('A'), day(3)), version(c2('B'), day(1))],
    },
  },
  {
    id: 'untracked-current',
    title: 'Where open rows are refreshed, a closed row keeps the last value of its own time.',
    why: 'An update by key alone changes closed rows too, and old letters go to the new street.',
    columns: WITH_STREET,
    needs: { untracked: ['current'], changeBy: ['value'] },
    batches: [
      load(day(1), at('A', 's1')),
      load(day(2), at('A', 's2')),
      load(day(3), at('B', 's3')),
      load(day(4), at('B', 's4')),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(at('A', 's2'), day(1), day(3)), version(at('B', 's4'), day(3))],
    },
  },
  {
    id: 'untracked-all',
    title: 'Where every row shows the latest value, closed rows are refreshed too.',
    why: 'Refreshed on the open row only, a customer has as many birthdays as versions.',
    columns: WITH_STREET,
    needs: { untracked: ['all'], changeBy: ['value'] },
    batches: [load(day(1), at('A', 's1')), load(day(2), at('B', 's2')), load(day(3), at('B', 's3'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(at('A', 's3'), day(1), day(2)), version(at('B', 's3'), day(2))],
    },
  },
  {
    id: 'untracked-frozen',
    title: 'Where existing rows are not touched, each keeps the value that it was opened with.',
    why: 'Values that change without a version cannot be reproduced for last month’s report.',
    columns: WITH_STREET,
    needs: { untracked: ['frozen'], changeBy: ['value'] },
    batches: [
      load(day(1), at('A', 's1')),
      load(day(2), at('A', 's2')),
      load(day(3), at('B', 's3')),
      load(day(4), at('B', 's4')),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(at('A', 's1'), day(1), day(3)), version(at('B', 's3'), day(3))],
    },
  },
  {
    id: 'untracked-null-stays-null',
    title: 'Where existing rows are not touched, closing one does not fill its NULL.',
    why: 'Filled from the next load, a closed row claims knowledge that nobody had.',
    source: 'SQLMesh/sqlmesh#5757',
    columns: WITH_NULLABLE_STREET,
    needs: { untracked: ['frozen'] },
    batches: [load(day(1), at('A', null)), load(day(2), at('B', 's2'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(at('A', null), day(1), day(2)), version(at('B', 's2'), day(2))],
    },
  },
];
