/** Feeds of changes, in which each row has its own instant and a load may hold several of one key. */
import type { Case } from './case.ts';
import { CUSTOMER, c1, c2, day, load, SEGMENT, version } from './customer.ts';

const CHANGES = { ...CUSTOMER, changedAt: true, operation: true } as const;

const SEQUENCED = { ...CHANGES, sequence: true } as const;

const EVERY_STATE = { feed: ['changes'], batchStates: ['all'] } as const;

const DELETES = { deletes: ['close', 'marker-row'], reappearance: ['gap'] } as const;

const insert = (changedAt: string, sequence?: number) => ({
  changedAt,
  operation: 'I',
  ...(sequence !== undefined && { sequence }),
});
const update = (changedAt: string, sequence?: number) => ({ ...insert(changedAt, sequence), operation: 'U' });
const remove = (changedAt: string, sequence?: number) => ({ ...insert(changedAt, sequence), operation: 'D' });

const A_B_C = [version(c1('A'), day(1), day(2)), version(c1('B'), day(2), day(3)), version(c1('C'), day(3))];

export const CHANGE_FEEDS: readonly Case[] = [
  {
    id: 'changes-in-one-load',
    title: 'Several changes of a key in one load make a version each, at their own instants.',
    why: 'One change for each key and load is assumed: the rest is lost, or all begin when they were loaded.',
    source: 'dbt-labs/dbt-core#8760',
    columns: CHANGES,
    needs: EVERY_STATE,
    batches: [load(day(4), c1('A', insert(day(1))), c1('B', update(day(2))), c1('C', update(day(3))))],
    expected: { versions: 3, open: 1, rows: A_B_C },
  },
  {
    id: 'changes-out-of-order-in-one-load',
    title: 'Changes that stand out of order in one load are applied in the order of their instants.',
    why: 'By position, the last row of the file becomes current, whatever its date.',
    columns: CHANGES,
    needs: EVERY_STATE,
    batches: [load(day(4), c1('B', update(day(2))), c1('C', update(day(3))), c1('A', insert(day(1))))],
    expected: { versions: 3, open: 1, rows: A_B_C },
  },
  {
    id: 'changes-return-in-one-load',
    title: 'A value that changes and returns within one load makes three versions.',
    why: 'Compared with the state before the load only, the last row looks unchanged, and the one between stays current.',
    columns: CHANGES,
    needs: EVERY_STATE,
    batches: [
      load(day(1), c1('A', insert(day(1)))),
      load(day(4), c1('B', update(day(2))), c1('A', update(day(3)))),
    ],
    expected: {
      versions: 3,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2), day(3)), version(c1('A'), day(3))],
    },
  },
  {
    id: 'changes-of-two-keys-interleaved',
    title: 'Changes of two keys that alternate in one load make two histories.',
    why: 'A window without the key ends one customer’s version where the other’s begins.',
    columns: CHANGES,
    needs: EVERY_STATE,
    batches: [
      load(
        day(5),
        c1('A', insert(day(1))),
        c2('X', insert(day(2))),
        c1('B', update(day(3))),
        c2('Y', update(day(4))),
      ),
    ],
    expected: {
      versions: 4,
      open: 2,
      rows: [
        version(c1('A'), day(1), day(3)),
        version(c1('B'), day(3)),
        version(c2('X'), day(2), day(4)),
        version(c2('Y'), day(4)),
      ],
    },
  },
  {
    id: 'changes-within-a-second',
    title: 'Changes within one second make a version each.',
    why: 'Cut to seconds they tie, and the earlier one ends up active; rounded up, they begin in the future.',
    source: 'airbytehq/airbyte#6688',
    columns: CHANGES,
    needs: EVERY_STATE,
    batches: [
      load(
        day(2),
        c1('A', insert(day(1, '06:00:06.100000'))),
        c1('C', update(day(1, '06:00:06.900000'))),
        c1('B', update(day(1, '06:00:06.885000'))),
      ),
    ],
    expected: {
      versions: 3,
      open: 1,
      rows: [
        version(c1('A'), day(1, '06:00:06.100000'), day(1, '06:00:06.885000')),
        version(c1('B'), day(1, '06:00:06.885000'), day(1, '06:00:06.900000')),
        version(c1('C'), day(1, '06:00:06.900000')),
      ],
    },
  },
  {
    id: 'changes-loaded-days-later',
    title: 'Versions begin and end when changes happened, not when they were loaded.',
    why: 'Stamped by the load, sales of the days between go to the segment that the customer had left.',
    source: 'dbt-labs/dbt-athena#148',
    columns: CHANGES,
    needs: { feed: ['changes'] },
    batches: [load(day(5), c1('A', insert(day(1)))), load(day(9), c1('B', update(day(2))))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2))],
    },
  },
  {
    id: 'changes-late-across-loads',
    title: 'A change that is older than one of an earlier load goes before it.',
    why: 'Inside one load a sort puts it right; across loads, stored state has to be consulted.',
    source: 'apache/spark#57149',
    columns: CHANGES,
    needs: { feed: ['changes'], late: ['apply'] },
    batches: [load(day(3), c1('B', update(day(2)))), load(day(4), c1('A', insert(day(1))))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2))],
    },
  },
  {
    id: 'changes-two-late-in-one-load',
    title: 'Two late changes in one load split the same version together.',
    why: 'Each is compared with the stored version and not with the other, and both end where it ended.',
    columns: CHANGES,
    needs: { ...EVERY_STATE, late: ['apply'] },
    batches: [
      load(day(5), c1('A', insert(day(1))), c1('D', update(day(4)))),
      load(day(6), c1('B', update(day(2))), c1('C', update(day(3)))),
    ],
    expected: {
      versions: 4,
      open: 1,
      rows: [
        version(c1('A'), day(1), day(2)),
        version(c1('B'), day(2), day(3)),
        version(c1('C'), day(3), day(4)),
        version(c1('D'), day(4)),
      ],
    },
  },
  {
    id: 'changes-delivered-again',
    title: 'Changes that are delivered again with newer ones are applied once.',
    why: 'A log that is read at least once repeats rows, and each repeat would be a version.',
    columns: CHANGES,
    needs: { ...EVERY_STATE, late: ['apply', 'ignore'] },
    batches: [
      load(day(4), c1('A', insert(day(1))), c1('B', update(day(2)))),
      load(day(5), c1('A', insert(day(1))), c1('B', update(day(2))), c1('C', update(day(3)))),
    ],
    expected: { versions: 3, open: 1, rows: A_B_C },
  },
  {
    id: 'changes-that-change-nothing',
    title: 'An update that sets the same value makes no version.',
    why: 'Change feeds hold such updates by the thousand, and each would be a version.',
    source: 'MicrosoftDocs/sql-docs#8950',
    columns: CHANGES,
    needs: { feed: ['changes'], changeBy: ['value'] },
    batches: [load(day(1), c1('A', insert(day(1)))), load(day(2), c1('A', update(day(2))))],
    expected: { versions: 1, open: 1, rows: [version(c1('A'), day(1))] },
  },
  {
    id: 'changes-delete-and-return-in-one-load',
    title: 'A delete and a new insert in one load leave a gap between two versions.',
    why: 'Reduced to its last row, the load says "unchanged", and the days of absence are lost.',
    columns: CHANGES,
    needs: { ...EVERY_STATE, ...DELETES },
    batches: [
      load(day(1), c1('A', insert(day(1)))),
      load(day(4), c1('A', remove(day(2))), c1('A', insert(day(3)))),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('A'), day(3))],
    },
  },
  {
    id: 'changes-repeat-then-delete-then-insert',
    title: 'A repeated value, a delete and a later insert in three loads make two versions.',
    why: 'The row that was kept to remember the repeat is promoted to a version, and overlaps the true one.',
    source: 'apache/spark#58209',
    columns: CHANGES,
    needs: { ...EVERY_STATE, ...DELETES, changeBy: ['value'] },
    batches: [
      load(day(11), c1('A', update(day(10))), c1('A', update(day(11)))),
      load(day(12), c1('A', remove(day(12)))),
      load(day(20), c1('B', update(day(20)))),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(10), day(12)), version(c1('B'), day(20))],
    },
  },
  {
    id: 'changes-tie-by-sequence',
    title: 'Of updates at one instant, the one with the highest sequence counts, wherever it stands.',
    why: 'Without a second key to the order, an older state ends up active.',
    source: 'airbytehq/airbyte#6688',
    columns: { ...SEQUENCED, tracked: [{ ...SEGMENT, nullable: true }] },
    needs: { feed: ['changes'], duplicates: ['last'] },
    batches: [load(day(1), c1('A', update(day(1), 2)), c1(null, update(day(1), 1)))],
    expected: { versions: 1, open: 1, rows: [version(c1('A'), day(1))] },
  },
  {
    id: 'changes-of-one-transaction',
    title: 'Updates of one transaction share an instant, and only the last is a version.',
    why: 'The states between have no length; as rows, they are versions that no query ever returns.',
    source: 'dotnet/efcore#30416',
    columns: SEQUENCED,
    needs: { feed: ['changes'], duplicates: ['last'] },
    batches: [
      load(day(1), c1('A', insert(day(1), 1)), c1('B', update(day(1), 2)), c1('C', update(day(1), 3))),
    ],
    expected: { versions: 1, open: 1, rows: [version(c1('C'), day(1))] },
  },
  {
    id: 'changes-insert-and-delete-at-once',
    title: 'A key that is inserted and deleted at one instant leaves no row.',
    why: 'Ordered by time alone, one of the two wins at random, and the customer is sometimes there.',
    source: 'airbytehq/airbyte#4160',
    columns: SEQUENCED,
    needs: { feed: ['changes'], duplicates: ['last'], deletes: ['close', 'marker-row'] },
    batches: [
      load(day(1), c1('A', remove(day(1), 2)), c1('A', insert(day(1), 1)), c2('B', insert(day(1), 3))),
    ],
    expected: { versions: 1, open: 1, rows: [version(c2('B'), day(1))] },
  },
  {
    id: 'changes-latest-of-a-load',
    title: 'Where only the last state of a load counts, it begins at its own instant.',
    why: 'The states before it have no rows, but the last one keeps its date and not that of the first.',
    columns: CHANGES,
    needs: { feed: ['changes'], batchStates: ['latest'] },
    batches: [
      load(day(1), c1('A', insert(day(1)))),
      load(day(4), c1('C', update(day(3))), c1('B', update(day(2)))),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(3)), version(c1('C'), day(3))],
    },
  },
];
