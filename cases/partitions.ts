/** Full extracts of one partition at a time: absence counts only where a partition is named. */
import type { Case } from './case.ts';
import { ABSENCE_DELETES, CUSTOMER, c1, c2, c3, day, load, version } from './customer.ts';

const PARTITIONED = { ...CUSTOMER, partition: true } as const;

const north = { partition: 'north' };
const south = { partition: 'south' };

export const PARTITIONS: readonly Case[] = [
  {
    id: 'partition-delete',
    title: 'A key that the extract of its partition lacks is closed; keys of other partitions stay.',
    why: 'Each region’s extract would close the customers of all others.',
    columns: PARTITIONED,
    needs: ABSENCE_DELETES,
    batches: [load(day(1), c1('A', north), c2('A', north), c3('A', south)), load(day(2), c1('A', north))],
    expected: {
      versions: 3,
      open: 2,
      rows: [version(c1('A'), day(1)), version(c2('A'), day(1), day(2)), version(c3('A'), day(1))],
    },
  },
  {
    id: 'partitions-in-turn',
    title: 'Extracts of partitions that come one after the other build one dimension.',
    why: 'Closed by each other’s extracts, customers are deleted and return every day.',
    columns: PARTITIONED,
    needs: ABSENCE_DELETES,
    batches: [
      load(day(1), c1('A', north), c2('A', north)),
      load(day(2), c3('A', south)),
      load(day(3), c1('B', north)),
      load(day(4), c3('B', south)),
    ],
    expected: {
      versions: 5,
      open: 2,
      rows: [
        version(c1('A'), day(1), day(3)),
        version(c1('B'), day(3)),
        version(c2('A'), day(1), day(3)),
        version(c3('A'), day(2), day(4)),
        version(c3('B'), day(4)),
      ],
    },
  },
];
