/** Loads that hold only what changed: keys that are not mentioned, and deletes that come as rows. */
import type { Case } from './case.ts';
import { CUSTOMER, c1, c2, c3, day, load, ROW_DELETES, SEGMENT, version } from './customer.ts';

const WITH_OPERATION = { ...CUSTOMER, operation: true } as const;

const GAP = { ...ROW_DELETES, reappearance: ['gap'] } as const;

const inserted = { operation: 'I' };
const updated = { operation: 'U' };
const deleted = { operation: 'D' };

export const DELTA: readonly Case[] = [
  {
    id: 'unmentioned-keys-stay',
    title: 'Keys that a load of changes does not mention stay open.',
    why: 'Taken for a full extract, each load closes every customer that did not change.',
    source: 'databricks/dbt-databricks#1281',
    columns: CUSTOMER,
    needs: { feed: ['delta', 'changes'] },
    batches: [load(day(1), c1('A'), c2('B'), c3('C')), load(day(2), c1('B')), load(day(3), c2('C'))],
    expected: {
      versions: 5,
      open: 3,
      rows: [
        version(c1('A'), day(1), day(2)),
        version(c1('B'), day(2)),
        version(c2('B'), day(1), day(3)),
        version(c2('C'), day(3)),
        version(c3('C'), day(1)),
      ],
    },
  },
  {
    id: 'unmentioned-key-parts-stay',
    title: 'A load that brings a key whose parts read like another’s leaves that one open.',
    why: 'Joined without a separator the two are one key, and an active customer is retired.',
    source: 'dlt-hub/dlt#4244',
    columns: {
      key: [
        { name: 'country', types: ['text'] },
        { name: 'number', types: ['text'] },
      ],
      tracked: [SEGMENT],
    },
    needs: { feed: ['delta', 'changes'] },
    batches: [
      load(day(1), { country: 'a', number: 'bc', customer_segment: 'A' }),
      load(day(2), { country: 'ab', number: 'c', customer_segment: 'B' }),
    ],
    expected: {
      versions: 2,
      open: 2,
      rows: [
        version({ country: 'a', number: 'bc', customer_segment: 'A' }, day(1)),
        version({ country: 'ab', number: 'c', customer_segment: 'B' }, day(2)),
      ],
    },
  },
  {
    id: 'delete-row',
    title: 'A delete row closes its key and no other.',
    why: 'A delete that reaches the raw table only leaves the customer active in the history.',
    source: 'airbytehq/airbyte#13077',
    columns: WITH_OPERATION,
    needs: ROW_DELETES,
    batches: [load(day(1), c1('A', inserted), c2('A', inserted)), load(day(2), c1('A', deleted))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c2('A'), day(1))],
    },
  },
  {
    id: 'delete-row-without-attributes',
    title: 'A delete row that carries the key only closes its version.',
    why: 'Read as a change to NULL it opens a version without values, and the customer lives on.',
    source: 'airbytehq/airbyte#13077',
    columns: { ...WITH_OPERATION, tracked: [{ ...SEGMENT, nullable: true }] },
    needs: ROW_DELETES,
    batches: [load(day(1), c1('A', inserted)), load(day(2), c1(null, deleted))],
    expected: { versions: 1, open: 0, rows: [version(c1('A'), day(1), day(2))] },
  },
  {
    id: 'delete-row-with-other-values',
    title: 'A delete row whose attributes differ closes the version and opens none.',
    why: 'Compared before its operation is read, the delete is a change, and the customer is current with it.',
    columns: WITH_OPERATION,
    needs: ROW_DELETES,
    batches: [load(day(1), c1('A', inserted)), load(day(2), c1('B', deleted))],
    expected: { versions: 1, open: 0, rows: [version(c1('A'), day(1), day(2))] },
  },
  {
    id: 'delete-row-twice',
    title: 'A second delete of a key leaves its end where the first one set it.',
    why: 'An end that moves with each repeat lets the customer live on in figures of the past.',
    columns: WITH_OPERATION,
    needs: ROW_DELETES,
    batches: [
      load(day(1), c1('A', inserted)),
      load(day(2), c1('A', deleted)),
      load(day(3), c1('A', deleted)),
    ],
    expected: { versions: 1, open: 0, rows: [version(c1('A'), day(1), day(2))] },
  },
  {
    id: 'delete-row-of-an-unknown-key',
    title: 'A delete of a key that was never there makes no row.',
    why: 'Inserted as "not matched", a customer appears who never was one.',
    columns: WITH_OPERATION,
    needs: ROW_DELETES,
    batches: [load(day(1), c2('A', inserted)), load(day(2), c1('A', deleted), c2('B', updated))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c2('A'), day(1), day(2)), version(c2('B'), day(2))],
    },
  },
  {
    id: 'delete-row-before-the-first-insert',
    title: 'A delete that comes before a key’s first row does not keep that row out.',
    why: 'A tombstone that is never lifted makes the customer invisible for good.',
    columns: WITH_OPERATION,
    needs: ROW_DELETES,
    batches: [load(day(1), c1('A', deleted)), load(day(2), c1('A', inserted))],
    expected: { versions: 1, open: 1, rows: [version(c1('A'), day(2))] },
  },
  {
    id: 'delete-row-and-back-unchanged',
    title: 'A key that is deleted by a row and returns unchanged opens a new version.',
    why: 'Compared with its last version without a look at the end, it counts as unchanged and stays closed.',
    columns: WITH_OPERATION,
    needs: GAP,
    batches: [
      load(day(1), c1('A', inserted)),
      load(day(2), c1('A', deleted)),
      load(day(3), c1('A', inserted)),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('A'), day(3))],
    },
  },
  {
    id: 'delete-row-and-back-changed',
    title: 'A key that is deleted by a row, returns changed and is deleted again has two closed versions.',
    why: 'The end of the first version moves to the return, or the second delete is taken for done.',
    columns: WITH_OPERATION,
    needs: GAP,
    batches: [
      load(day(1), c1('A', inserted)),
      load(day(2), c1('A', deleted)),
      load(day(3), c1('B', inserted)),
      load(day(4), c1('B', deleted)),
    ],
    expected: {
      versions: 2,
      open: 0,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(3), day(4))],
    },
  },
  {
    id: 'delete-rows-ignored',
    title: 'Where deletes are ignored, a delete row changes nothing.',
    why: 'Read as a change, it opens a version; obeyed, it takes a customer out who is to stay.',
    columns: WITH_OPERATION,
    needs: { feed: ['delta', 'changes'], deletes: ['ignore'] },
    batches: [
      load(day(1), c1('A', inserted)),
      load(day(2), c1('A', deleted)),
      load(day(3), c1('B', updated)),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(3)), version(c1('B'), day(3))],
    },
  },
];
