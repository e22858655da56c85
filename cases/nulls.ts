/** NULL against values, against the empty text, and against texts that stand for it. */
import type { Case } from './case.ts';
import { c1, customer, day, ID, load, SEGMENT, version } from './customer.ts';

const NULLABLE = {
  key: [ID],
  tracked: [{ name: 'customer_segment', types: 'any', nullable: true }],
} as const;

const NULLABLE_TEXT = {
  key: [ID],
  tracked: [{ name: 'customer_segment', types: ['text'], nullable: true }],
} as const;

const TWO_NULLABLE = {
  key: [ID],
  tracked: [
    { name: 'customer_segment', types: 'any', nullable: true },
    { name: 'region', types: 'any', nullable: true },
  ],
} as const;

const PLACEHOLDERS = ['NULL', 'null', '(null)', 'None', 'N/A', 'nan', '\\N', '^^', '~', '-1', '1900-01-01'];

export const NULLS: readonly Case[] = [
  {
    id: 'null-to-value',
    title: 'A value where there was NULL makes a version.',
    why: 'A plain <> is unknown where one side is NULL, so the change is never seen and the customer stays without a segment.',
    source: 'dbt-labs/dbt-core#1516',
    columns: NULLABLE,
    needs: {},
    batches: [load(day(1), c1(null)), load(day(2), c1('A'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1(null), day(1), day(2)), version(c1('A'), day(2))],
    },
  },
  {
    id: 'value-to-null',
    title: 'NULL where there was a value makes a version.',
    why: 'The customer keeps a segment that the source has withdrawn.',
    columns: NULLABLE,
    needs: {},
    batches: [load(day(1), c1('A')), load(day(2), c1(null))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1(null), day(2))],
    },
  },
  {
    id: 'null-to-null',
    title: 'NULL that stays NULL makes no version.',
    why: 'A comparison that never finds NULL equal to NULL versions such rows with every load.',
    columns: NULLABLE,
    needs: { changeBy: ['value'] },
    batches: [load(day(1), c1(null)), load(day(2), c1(null)), load(day(3), c1(null))],
    expected: { versions: 1, open: 1, rows: [version(c1(null), day(1))] },
  },
  {
    id: 'null-between-values',
    title: 'A value that is NULL for a while makes a version for that while.',
    why: 'Skipped, the NULL leaves the old value standing for days in which the source knew none.',
    columns: NULLABLE,
    needs: {},
    batches: [load(day(1), c1('A')), load(day(2), c1(null)), load(day(3), c1('A'))],
    expected: {
      versions: 3,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1(null), day(2), day(3)), version(c1('A'), day(3))],
    },
  },
  {
    id: 'closed-null-stays-null',
    title: 'A closed version keeps its NULL when later loads bring values.',
    why: 'Filled from the next value, the past claims knowledge that nobody had; counts and ends stay right, so nothing else shows it.',
    source: 'SQLMesh/sqlmesh#5332',
    columns: NULLABLE,
    needs: {},
    batches: [load(day(1), c1(null)), load(day(2), c1('A')), load(day(3), c1('B'))],
    expected: {
      versions: 3,
      open: 1,
      rows: [version(c1(null), day(1), day(2)), version(c1('A'), day(2), day(3)), version(c1('B'), day(3))],
    },
  },
  {
    id: 'empty-text-and-null',
    title: 'The empty text and NULL are two values, in either direction.',
    why: 'COALESCE to the empty text hides that a value was withdrawn, or that an empty one was entered.',
    columns: NULLABLE_TEXT,
    needs: { compare: [] },
    batches: [load(day(1), c1('')), load(day(2), c1(null)), load(day(3), c1(''))],
    expected: {
      versions: 3,
      open: 1,
      rows: [version(c1(''), day(1), day(2)), version(c1(null), day(2), day(3)), version(c1(''), day(3))],
    },
  },
  {
    id: 'placeholder-to-null',
    title: 'A text that some tool writes for NULL is a value like any other.',
    why: 'Where NULL is replaced by a placeholder before hashing, a real value that looks like it never changes to NULL.',
    source: 'ScalefreeCOM/datavault4dbt#479',
    columns: NULLABLE_TEXT,
    needs: { compare: [] },
    batches: [
      load(day(1), ...PLACEHOLDERS.map((text, index) => customer(`C${index}`, text))),
      load(day(2), ...PLACEHOLDERS.map((_, index) => customer(`C${index}`, null))),
    ],
    expected: {
      versions: 22,
      open: 11,
      rows: PLACEHOLDERS.flatMap((text, index) => [
        version(customer(`C${index}`, text), day(1), day(2)),
        version(customer(`C${index}`, null), day(2)),
      ]),
    },
  },
  {
    id: 'row-of-nulls',
    title: 'A customer of whom every attribute is NULL is a customer, and the first value is a change.',
    why: 'An outer join that tells "not found" from NULL attributes takes such a row for new with every load, or for absent.',
    columns: TWO_NULLABLE,
    needs: { changeBy: ['value'] },
    batches: [
      load(day(1), c1(null, { region: null })),
      load(day(2), c1(null, { region: null })),
      load(day(3), c1(null, { region: 'north' })),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [
        version(c1(null, { region: null }), day(1), day(3)),
        version(c1(null, { region: 'north' }), day(3)),
      ],
    },
  },
  {
    id: 'change-beside-null',
    title: 'A change is seen where another tracked attribute is NULL.',
    why: 'A text that is concatenated with NULL is NULL, and so is its hash: no change of that row is ever seen again.',
    columns: { key: [ID], tracked: [SEGMENT, { name: 'region', types: 'any', nullable: true }] },
    needs: {},
    batches: [load(day(1), c1('A', { region: null })), load(day(2), c1('B', { region: null }))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A', { region: null }), day(1), day(2)), version(c1('B', { region: null }), day(2))],
    },
  },
  {
    id: 'null-moves-to-the-neighbour',
    title: 'A value and a NULL that change places make a version.',
    why: 'A hash that leaves NULL out is the same before and after, and the change is lost.',
    source: 'smart-data-lake/smart-data-lake#1062',
    columns: TWO_NULLABLE,
    needs: {},
    batches: [load(day(1), c1('x', { region: null })), load(day(2), c1(null, { region: 'x' }))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('x', { region: null }), day(1), day(2)), version(c1(null, { region: 'x' }), day(2))],
    },
  },
];
