/** Loads as such: empty ones, their instants, the order of their rows and columns. */
import type { Case } from './case.ts';
import { CUSTOMER, c1, c2, c3, day, ID, load, SEGMENT, version } from './customer.ts';

/** Two loads a moment apart, the second with another value, and a third that ends it. */
const neighbours = (first: string, second: string, third: string): Pick<Case, 'batches' | 'expected'> => ({
  batches: [load(first, c1('A')), load(second, c1('B')), load(third, c1('C'))],
  expected: {
    versions: 3,
    open: 1,
    rows: [version(c1('A'), first, second), version(c1('B'), second, third), version(c1('C'), third)],
  },
});

const STABLE = { key: [ID], tracked: [SEGMENT, { name: 'region', types: 'any' }] } as const;

const COMPOSITE = {
  key: [
    { name: 'country', types: 'any' },
    { name: 'number', types: 'any' },
  ],
  tracked: [SEGMENT],
} as const;

export const BATCHES: readonly Case[] = [
  {
    id: 'empty-first-load',
    title: 'A first load without rows leaves an empty dimension that takes the next.',
    why: 'Types that are guessed from no rows, or a minimum over nothing, break the first real load.',
    columns: CUSTOMER,
    needs: {},
    batches: [load(day(1)), load(day(2), c1('A'))],
    expected: { versions: 1, open: 1, rows: [version(c1('A'), day(2))] },
  },
  {
    id: 'empty-delta',
    title: 'A load of changes without rows changes nothing.',
    why: 'Treated as a full extract it closes every customer, and the next load opens them all again.',
    columns: CUSTOMER,
    needs: { feed: ['delta', 'changes'] },
    batches: [load(day(1), c1('A'), c2('A')), load(day(2)), load(day(3), c1('B'))],
    expected: {
      versions: 3,
      open: 2,
      rows: [version(c1('A'), day(1), day(3)), version(c1('B'), day(3)), version(c2('A'), day(1))],
    },
  },
  {
    id: 'empty-snapshot-ignored',
    title: 'Where an empty extract is ignored, it closes nothing.',
    why: 'A source that was not ready for an hour takes every customer out of the figures.',
    source: 'dbt-labs/dbt-adapters#1329',
    columns: CUSTOMER,
    needs: { feed: ['snapshot'], emptySnapshot: ['ignore'] },
    batches: [load(day(1), c1('A'), c2('A')), load(day(2)), load(day(3), c1('B'), c2('A'))],
    expected: {
      versions: 3,
      open: 2,
      rows: [version(c1('A'), day(1), day(3)), version(c1('B'), day(3)), version(c2('A'), day(1))],
    },
  },
  {
    id: 'empty-snapshot-rejected',
    title: 'Where an empty extract is refused, it closes nothing, and the next is applied.',
    why: 'A check that comes after the first statement refuses the load when the customers are closed already.',
    source: 'dbt-labs/dbt-adapters#1329',
    columns: CUSTOMER,
    needs: { feed: ['snapshot'], emptySnapshot: ['reject'] },
    batches: [load(day(1), c1('A'), c2('A')), load(day(2)), load(day(3), c1('B'), c2('A'))],
    expected: {
      versions: 3,
      open: 2,
      rows: [version(c1('A'), day(1), day(3)), version(c1('B'), day(3)), version(c2('A'), day(1))],
    },
  },
  {
    id: 'columns-permuted',
    title: 'A load that delivers its columns in another order is the same load.',
    why: 'Inserted by position, values land in their neighbours’ columns, and every row counts as changed.',
    source: 'edkreuk/FMD_FRAMEWORK#252',
    columns: STABLE,
    needs: { changeBy: ['value'] },
    batches: [
      { ...load(day(1), c1('A', { region: 'B' })), columns: ['customer_id', 'customer_segment', 'region'] },
      { ...load(day(2), c1('A', { region: 'B' })), columns: ['region', 'customer_id', 'customer_segment'] },
      { ...load(day(3), c1('B', { region: 'B' })), columns: ['customer_segment', 'region', 'customer_id'] },
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A', { region: 'B' }), day(1), day(3)), version(c1('B', { region: 'B' }), day(3))],
    },
  },
  {
    id: 'key-columns-permuted',
    title: 'A load that delivers its key columns in another order names the same keys.',
    why: 'A hash in the order of delivery makes new keys of all, and every row is closed and inserted again.',
    source: 'edkreuk/FMD_FRAMEWORK#252',
    columns: COMPOSITE,
    needs: { changeBy: ['value'] },
    batches: [
      {
        ...load(day(1), { country: 'a', number: 'b', customer_segment: 'A' }),
        columns: ['country', 'number', 'customer_segment'],
      },
      {
        ...load(day(2), { country: 'a', number: 'b', customer_segment: 'A' }),
        columns: ['number', 'country', 'customer_segment'],
      },
    ],
    expected: {
      versions: 1,
      open: 1,
      rows: [version({ country: 'a', number: 'b', customer_segment: 'A' }, day(1))],
    },
  },
  {
    id: 'rows-reordered',
    title: 'A load whose rows come in another order is the same load.',
    why: 'Rows that are compared by position, or numbered on arrival, change although nothing did.',
    columns: CUSTOMER,
    needs: { changeBy: ['value'] },
    batches: [load(day(1), c1('A'), c2('B'), c3('C')), load(day(2), c3('C'), c1('A'), c2('B'))],
    expected: {
      versions: 3,
      open: 3,
      rows: [version(c1('A'), day(1)), version(c2('B'), day(1)), version(c3('C'), day(1))],
    },
  },
  {
    id: 'load-in-parts',
    title: 'A load of changes that comes in two parts with one instant is one load.',
    why: 'A part that is skipped because its instant is known already loses its customers.',
    columns: CUSTOMER,
    needs: { feed: ['delta', 'changes'] },
    batches: [load(day(1), c1('A')), load(day(1), c2('A')), load(day(2), c1('B')), load(day(2), c2('B'))],
    expected: {
      versions: 4,
      open: 2,
      rows: [
        version(c1('A'), day(1), day(2)),
        version(c1('B'), day(2)),
        version(c2('A'), day(1), day(2)),
        version(c2('B'), day(2)),
      ],
    },
  },
  {
    id: 'loads-across-midnight',
    title: 'Loads in the last microsecond of a day and the first of the next are two instants.',
    why: 'Rounded to seconds, the last moment of a day is the next day, and the version has no length.',
    columns: CUSTOMER,
    needs: {},
    ...neighbours(day(1, '23:59:59.999999'), day(2, '00:00:00'), day(3, '00:00:00')),
  },
  {
    id: 'loads-a-microsecond-apart',
    title: 'Loads a microsecond apart are two instants.',
    why: 'A clock of milliseconds makes them one, and the version between has no length.',
    columns: CUSTOMER,
    needs: {},
    ...neighbours(day(1), day(1, '06:00:00.000001'), day(1, '06:00:00.000002')),
  },
  {
    id: 'loads-a-second-apart',
    title: 'Loads within two seconds, of which one has a fraction, are in order.',
    why: 'Instants that are compared as text of different lengths sort the fraction wrongly.',
    columns: CUSTOMER,
    needs: {},
    ...neighbours(day(1, '06:00:00'), day(1, '06:00:00.500000'), day(1, '06:00:01')),
  },
  {
    id: 'clock-set-back',
    title: 'Loads in the hour that comes twice in autumn are two instants.',
    why: 'In local time both happen at half past two, and the version between has no length.',
    columns: CUSTOMER,
    needs: {},
    ...neighbours('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z'),
  },
  {
    id: 'clock-set-forward',
    title: 'Loads at an hour that local clocks leave out in spring keep their instants.',
    why: 'Read as local time, half past two does not exist and becomes half past three, where the next load is.',
    columns: CUSTOMER,
    needs: {},
    ...neighbours('2026-03-29T01:30:00Z', '2026-03-29T02:30:00Z', '2026-03-29T03:30:00Z'),
  },
  {
    id: 'loads-around-1970',
    title: 'Loads before, at and after the start of 1970 are instants like any other.',
    why: 'Zero is taken for "no time", and negative seconds are cut toward the wrong side.',
    columns: CUSTOMER,
    needs: {},
    ...neighbours('1969-12-30T23:59:59.500000Z', '1970-01-01T00:00:00Z', '2026-02-28T23:00:00Z'),
  },
];
