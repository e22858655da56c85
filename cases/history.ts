/** Changes in order: what a key goes through, and what that leaves of other keys. */
import type { Case } from './case.ts';
import { CUSTOMER, c1, c2, c3, day, ID, load, SEGMENT, version } from './customer.ts';

const TWO_ATTRIBUTES = { key: [ID], tracked: [SEGMENT, { name: 'region', types: 'any' }] } as const;

const both = (segment: string, region: string) => c1(segment, { region });

export const HISTORY: readonly Case[] = [
  {
    id: 'three-changes',
    title: 'The third value leaves the end of the first version where it was.',
    why: 'Where versions are closed by key alone, each change moves all earlier ends, and the versions overlap; two loads never show it.',
    source: 'ardent-data/weevr#186',
    columns: CUSTOMER,
    needs: {},
    batches: [load(day(1), c1('A')), load(day(2), c1('B')), load(day(3), c1('C'))],
    expected: {
      versions: 3,
      open: 1,
      rows: [version(c1('A'), day(1), day(2)), version(c1('B'), day(2), day(3)), version(c1('C'), day(3))],
    },
  },
  {
    id: 'back-and-forth',
    title: 'A value that goes back and forth makes a version each time.',
    why: 'Compared with all of the history instead of its last version, every value counts as known from the third load on.',
    source: 'dataform-co/dataform-scd#13',
    columns: CUSTOMER,
    needs: {},
    batches: [load(day(1), c1('A')), load(day(2), c1('B')), load(day(3), c1('A')), load(day(4), c1('B'))],
    expected: {
      versions: 4,
      open: 1,
      rows: [
        version(c1('A'), day(1), day(2)),
        version(c1('B'), day(2), day(3)),
        version(c1('A'), day(3), day(4)),
        version(c1('B'), day(4)),
      ],
    },
  },
  {
    id: 'change-after-repeats',
    title: 'Loads that say the same move neither the start nor the end of a version.',
    why: 'A start that moves with each load leaves the days before without a customer.',
    columns: CUSTOMER,
    needs: { changeBy: ['value'] },
    batches: [
      load(day(1), c1('A')),
      load(day(2), c1('A')),
      load(day(3), c1('A')),
      load(day(4), c1('B')),
      load(day(5), c1('B')),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('A'), day(1), day(4)), version(c1('B'), day(4))],
    },
  },
  {
    id: 'new-key-later',
    title: 'A key that appears in a later load starts there.',
    why: 'Begun with the first load, it is counted in months in which it was no customer.',
    columns: CUSTOMER,
    needs: { firstStart: ['observed'] },
    batches: [load(day(1), c1('A')), load(day(2), c1('A'), c2('A'))],
    expected: { versions: 2, open: 2, rows: [version(c1('A'), day(1)), version(c2('A'), day(2))] },
  },
  {
    id: 'one-key-changes',
    title: 'A change of one key leaves the other keys alone.',
    why: 'A join without the key, or on too little of it, versions every customer of the load.',
    columns: CUSTOMER,
    needs: { changeBy: ['value'] },
    batches: [load(day(1), c1('A'), c2('B'), c3('C')), load(day(2), c1('A'), c2('C'), c3('C'))],
    expected: {
      versions: 4,
      open: 3,
      rows: [
        version(c1('A'), day(1)),
        version(c2('B'), day(1), day(2)),
        version(c2('C'), day(2)),
        version(c3('C'), day(1)),
      ],
    },
  },
  {
    id: 'keys-swap-values',
    title: 'Two keys that swap their values each get a version.',
    why: 'Compared as a set of values without their keys, nothing has changed.',
    columns: CUSTOMER,
    needs: {},
    batches: [load(day(1), c1('A'), c2('B')), load(day(2), c1('B'), c2('A'))],
    expected: {
      versions: 4,
      open: 2,
      rows: [
        version(c1('A'), day(1), day(2)),
        version(c1('B'), day(2)),
        version(c2('B'), day(1), day(2)),
        version(c2('A'), day(2)),
      ],
    },
  },
  {
    id: 'attributes-in-turn',
    title: 'Tracked attributes that change one after the other make a version each, together only one.',
    why: 'A column left out of the comparison loses its changes; a comparison for each column makes a version for each.',
    columns: TWO_ATTRIBUTES,
    needs: {},
    batches: [
      load(day(1), both('A', 'x')),
      load(day(2), both('B', 'x')),
      load(day(3), both('B', 'y')),
      load(day(4), both('A', 'x')),
    ],
    expected: {
      versions: 4,
      open: 1,
      rows: [
        version(both('A', 'x'), day(1), day(2)),
        version(both('B', 'x'), day(2), day(3)),
        version(both('B', 'y'), day(3), day(4)),
        version(both('A', 'x'), day(4)),
      ],
    },
  },
];
