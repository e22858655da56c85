/** The seven boundary cases: the specification, with its exact inputs and figures. */
import type { Case } from './case.ts';

const CUSTOMER = {
  key: [{ name: 'customer_id', types: 'any' }],
  tracked: [{ name: 'customer_segment', types: 'any' }],
  untracked: [{ name: 'street', types: 'any', optional: true }],
} as const;

const customer = (segment = 'A', street = 'Bahnhofstr. 1') => ({
  customer_id: 'C1',
  customer_segment: segment,
  street,
});

const version = (segment: string, from: string, to: string | null) => ({
  values: { customer_id: 'C1', customer_segment: segment },
  from,
  to,
});

export const BOUNDARY: readonly Case[] = [
  {
    id: 'no-change',
    title: 'A second load that says the same makes no version.',
    why: 'Versions without a change swell the dimension with every load, and every count over it grows.',
    columns: CUSTOMER,
    needs: { changeBy: ['value'] },
    batches: [
      { asOf: '2026-03-01T06:00:00Z', rows: [customer()] },
      { asOf: '2026-03-02T06:00:00Z', rows: [customer()] },
    ],
    expected: { versions: 1, open: 1, rows: [version('A', '2026-03-01T06:00:00Z', null)] },
  },
  {
    id: 'segment-change',
    title: 'A change of a tracked attribute closes the version and opens the next at the same instant.',
    why: 'A gap sends the facts of that time to the unknown member, an overlap counts their revenue twice.',
    columns: CUSTOMER,
    needs: {},
    batches: [
      { asOf: '2026-03-01T06:00:00Z', rows: [customer()] },
      { asOf: '2026-03-02T06:00:00Z', rows: [customer('B')] },
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [
        version('A', '2026-03-01T06:00:00Z', '2026-03-02T06:00:00Z'),
        version('B', '2026-03-02T06:00:00Z', null),
      ],
    },
  },
  {
    id: 'address-only',
    title: 'A change of an untracked attribute alone makes no version.',
    why: 'A hash over all columns versions every corrected address; the dimension grows and no error is raised.',
    columns: { ...CUSTOMER, untracked: [{ name: 'street', types: 'any' }] },
    needs: { changeBy: ['value'] },
    batches: [
      { asOf: '2026-03-01T06:00:00Z', rows: [customer()] },
      { asOf: '2026-03-02T06:00:00Z', rows: [customer('A', 'Domplatz 4')] },
    ],
    expected: { versions: 1, open: 1, rows: [version('A', '2026-03-01T06:00:00Z', null)] },
  },
  {
    id: 'reopen-a-b-a',
    title: 'A value that returns to an earlier one makes a third version.',
    why: 'Where it is taken for a state already known, the customer has no current row, or stays in the segment it left.',
    columns: CUSTOMER,
    needs: {},
    batches: [
      { asOf: '2026-03-01T06:00:00Z', rows: [customer()] },
      { asOf: '2026-03-02T06:00:00Z', rows: [customer('B')] },
      { asOf: '2026-03-03T06:00:00Z', rows: [customer()] },
    ],
    expected: {
      versions: 3,
      open: 1,
      rows: [
        version('A', '2026-03-01T06:00:00Z', '2026-03-02T06:00:00Z'),
        version('B', '2026-03-02T06:00:00Z', '2026-03-03T06:00:00Z'),
        version('A', '2026-03-03T06:00:00Z', null),
      ],
    },
  },
  {
    id: 'twice-one-day',
    title: 'Two loads of one day that differ make two versions.',
    why: 'A clock that knows only days makes a version of no length; its facts move to the unknown member.',
    columns: CUSTOMER,
    needs: {},
    batches: [
      { asOf: '2026-03-01T06:00:00Z', rows: [customer()] },
      { asOf: '2026-03-01T18:00:00Z', rows: [customer('B')] },
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [
        version('A', '2026-03-01T06:00:00Z', '2026-03-01T18:00:00Z'),
        version('B', '2026-03-01T18:00:00Z', null),
      ],
    },
  },
  {
    id: 'late-arrival',
    title: 'An older extract that arrives late goes before what is already there.',
    why: 'Appended at the end it becomes current, and the present is overwritten by the past.',
    columns: CUSTOMER,
    needs: { late: ['apply'] },
    batches: [
      { asOf: '2026-03-02T06:00:00Z', rows: [customer('B')] },
      { asOf: '2026-03-01T06:00:00Z', rows: [customer()] },
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [
        version('A', '2026-03-01T06:00:00Z', '2026-03-02T06:00:00Z'),
        version('B', '2026-03-02T06:00:00Z', null),
      ],
    },
  },
  {
    id: 'deleted',
    title: 'A customer that a full extract lacks is closed, and its history stays.',
    why: 'Left open, it is counted as a customer for ever; deleted, last year’s facts lose the row they point at.',
    columns: CUSTOMER,
    needs: { feed: ['snapshot'], deletes: ['close', 'marker-row'], emptySnapshot: ['close-all'] },
    batches: [
      { asOf: '2026-03-01T06:00:00Z', rows: [customer()] },
      { asOf: '2026-03-02T06:00:00Z', rows: [] },
    ],
    expected: {
      versions: 1,
      open: 0,
      rows: [version('A', '2026-03-01T06:00:00Z', '2026-03-02T06:00:00Z')],
    },
  },
];
