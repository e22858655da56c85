/** Versions that begin at an instant which the row carries, while the load has its own. */
import type { Case } from './case.ts';
import { ABSENCE_DELETES, CUSTOMER, c1, c2, day, load, version } from './customer.ts';

const STAMPED = { ...CUSTOMER, changedAt: true } as const;

const DELTA = { feed: ['delta'], stamp: ['row-time'] } as const;

/** Rows of a full extract keep their instants from load to load, so what is late is asked of each key. */
const SNAPSHOT = { feed: ['snapshot'], stamp: ['row-time'], lateScope: ['key'] } as const;

const changed = (changedAt: string | null) => ({ changedAt });

export const ROW_TIME: readonly Case[] = [
  {
    id: 'row-time-late',
    title: 'A row with an older instant goes before the one that was loaded first.',
    why: 'Order of arrival is taken for order of time, and an old state becomes current.',
    source: 'dbt-labs/dbt-core#7138',
    columns: STAMPED,
    needs: { ...DELTA, late: ['apply'] },
    batches: [load(day(5), c1('B', changed(day(5)))), load(day(6), c1('A', changed(day(4))))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(4), day(5)), version(c1('B'), day(5))],
    },
  },
  {
    id: 'row-time-of-the-close',
    title: 'A version ends at the instant that the next row carries, not when it is loaded.',
    why: 'Closed by the load’s clock and opened by the row’s, the two versions overlap until the load.',
    source: 'dbt-labs/dbt-athena#148',
    columns: STAMPED,
    needs: DELTA,
    batches: [load(day(1), c1('A', changed(day(1)))), load(day(10), c1('B', changed(day(2))))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2))],
    },
  },
  {
    id: 'row-time-copies',
    title: 'Several newer copies of the current state in one load make no version.',
    why: 'One copy is recognised and two are not, where rows are numbered before they are compared.',
    source: 'ScalefreeCOM/datavault4dbt#122',
    columns: STAMPED,
    needs: { ...DELTA, changeBy: ['value'] },
    batches: [
      load(day(1), c1('A', changed(day(1)))),
      load(day(3), c1('A', changed(day(2))), c1('A', changed(day(3)))),
    ],
    expected: { versions: 1, open: 1, rows: [version(c1('A'), day(1))] },
  },
  {
    id: 'row-time-delivered-again',
    title: 'A row that is delivered again with its old instant makes no version.',
    why: 'A cursor that reads "from here on, including" brings the last row with every load.',
    source: 'airbytehq/airbyte#14066',
    columns: STAMPED,
    needs: DELTA,
    batches: [
      load(day(1), c1('A', changed(day(1)))),
      load(day(2), c1('A', changed(day(1)))),
      load(day(3), c1('A', changed(day(1)))),
    ],
    expected: { versions: 1, open: 1, rows: [version(c1('A'), day(1))] },
  },
  {
    id: 'row-time-null',
    title: 'A row without an instant takes that of its load.',
    why: 'NULL sorts as newest, neither row gets an end, and the customer is current twice.',
    source: 'airbytehq/airbyte#4802',
    columns: STAMPED,
    needs: DELTA,
    batches: [load(day(1), c1('A', changed(null))), load(day(2), c1('B', changed(day(2))))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2))],
    },
  },
  {
    id: 'row-time-two-in-one-load',
    title: 'Two dated rows of a key in one load make two versions.',
    why: 'One change for each key and load is assumed: one is lost, or both begin when they were loaded.',
    source: 'dbt-labs/dbt-core#8760',
    columns: STAMPED,
    needs: DELTA,
    batches: [load(day(9), c1('A', changed(day(1))), c1('B', changed(day(2))))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2))],
    },
  },
  {
    id: 'row-time-change-without-a-change',
    title: 'Where a newer instant alone is a change, the same values make a second version.',
    why: 'A team that counts confirmations finds fewer than the source sent.',
    columns: STAMPED,
    needs: { ...DELTA, changeBy: ['row-time'] },
    batches: [load(day(1), c1('A', changed(day(1)))), load(day(2), c1('A', changed(day(2))))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('A'), day(2))],
    },
  },
  {
    id: 'row-time-snapshot-later-than-its-rows',
    title: 'Full extracts that are loaded long after their rows changed give the rows’ instants.',
    why: 'A back-fill stamped by the load’s clock puts a month of history into one night, in a table without a flaw.',
    source: 'dbt-labs/dbt-core#5076',
    columns: STAMPED,
    needs: SNAPSHOT,
    batches: [load(day(20), c1('A', changed(day(1)))), load(day(21), c1('B', changed(day(2))))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2))],
    },
  },
  {
    id: 'row-time-snapshot-unchanged',
    title: 'A row that each extract repeats with its old instant stays open.',
    why: 'Cut to another precision on the way, its instant looks newer or older than the stored one, and the row is closed.',
    source: 'oracle/dbt-oracle#52',
    columns: STAMPED,
    needs: SNAPSHOT,
    batches: [
      load(day(2), c1('A', changed(day(1, '23:26:19')))),
      load(day(3), c1('A', changed(day(1, '23:26:19')))),
      load(day(4), c1('A', changed(day(1, '23:26:19')))),
    ],
    expected: { versions: 1, open: 1, rows: [version(c1('A'), day(1, '23:26:19'))] },
  },
  {
    id: 'row-time-back-with-its-old-instant',
    title: 'A key that returns after a delete with an instant before it starts where it was closed.',
    why: 'Begun at its own instant it overlaps the version that was closed, and its facts count twice.',
    columns: STAMPED,
    needs: { ...SNAPSHOT, ...ABSENCE_DELETES },
    batches: [
      load(day(1), c1('A', changed(day(1))), c2('B', changed(day(1)))),
      load(day(2), c2('B', changed(day(1)))),
      load(day(3), c1('A', changed(day(1))), c2('B', changed(day(1)))),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [version(c1('A'), day(1), day(2)), version(c1('A'), day(2)), version(c2('B'), day(1))],
    },
  },
  {
    id: 'row-time-back-with-a-new-instant',
    title: 'A key that returns after a delete with a newer instant starts there.',
    why: 'Begun at the load, or where it was closed, the gap has the wrong length.',
    columns: STAMPED,
    needs: { ...SNAPSHOT, ...ABSENCE_DELETES, reappearance: ['gap'] },
    batches: [
      load(day(1), c1('A', changed(day(1))), c2('B', changed(day(1)))),
      load(day(2), c2('B', changed(day(1)))),
      load(day(5), c1('C', changed(day(4))), c2('B', changed(day(1)))),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [version(c1('A'), day(1), day(2)), version(c1('C'), day(4)), version(c2('B'), day(1))],
    },
  },
];
