/** Where first versions start, and what marks an open one. */
import type { Case } from './case.ts';
import { CUSTOMER, c1, c2, day, load, version } from './customer.ts';

export const BOUNDS: readonly Case[] = [
  {
    id: 'first-start-literal',
    title:
      'Where first versions start at a set instant, those of later keys do too, and later versions do not.',
    why: 'Facts that are older than the first load find no customer, or find all of its versions.',
    columns: CUSTOMER,
    needs: { firstStart: ['1970-01-01'], firstStartScope: ['every-key'] },
    batches: [load(day(1), c1('A')), load(day(2), c1('B'), c2('A'))],
    expected: {
      versions: 3,
      open: 2,
      rows: [
        version(c1('A'), '1970-01-01T00:00:00Z', day(2)),
        version(c1('B'), day(2)),
        version(c2('A'), '1970-01-01T00:00:00Z'),
      ],
    },
  },
  {
    id: 'first-start-of-the-first-load',
    title: 'Where only keys of the first load start at a set instant, later keys start where they appear.',
    why: 'A customer won today would be one for all time, and last year’s number of customers grows.',
    columns: CUSTOMER,
    needs: { firstStart: ['1970-01-01'], firstStartScope: ['first-load'] },
    batches: [load(day(1), c1('A')), load(day(2), c1('B'), c2('A'))],
    expected: {
      versions: 3,
      open: 2,
      rows: [
        version(c1('A'), '1970-01-01T00:00:00Z', day(2)),
        version(c1('B'), day(2)),
        version(c2('A'), day(2)),
      ],
    },
  },
  {
    id: 'first-start-column',
    title: 'Where first versions start at an instant of the row, later versions start at their own.',
    why: 'Facts between the customer’s creation and the first load find no version.',
    source: 'dataform-co/dataform-scd#12',
    columns: { ...CUSTOMER, firstStart: true },
    needs: { firstStartScope: ['every-key'] },
    batches: [
      load(day(20), c1('A', { firstStart: day(1) })),
      load(day(21), c1('B', { firstStart: day(1) }), c2('A', { firstStart: day(21) })),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [version(c1('A'), day(1), day(21)), version(c1('B'), day(21)), version(c2('A'), day(21))],
    },
  },
  {
    id: 'open-marker-date',
    title: 'Where a far date marks open versions, a change still closes them.',
    why: 'A statement that looks for NULL closes nothing, and the customer is current once for each change.',
    source: 'duckdb/dbt-duckdb#528',
    columns: CUSTOMER,
    needs: { openMarker: ['9999-12-31'] },
    batches: [load(day(1), c1('A')), load(day(2), c1('B')), load(day(3), c1('C'))],
    expected: {
      versions: 3,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2), day(3)), version(c1('C'), day(3))],
    },
  },
];
