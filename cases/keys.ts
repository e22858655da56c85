/** Keys that look alike, keys of several parts, NULL in keys, and keys that count as the same. */
import type { Case } from './case.ts';
import { CUSTOMER, c1, c2, customer, day, ID, load, SEGMENT, version } from './customer.ts';

const TEXT_KEY = { key: [{ name: 'customer_id', types: ['text'] }], tracked: [SEGMENT] } as const;

const NULLABLE_KEY = { key: [{ ...ID, nullable: true }], tracked: [SEGMENT] } as const;

const TWO_TEXT_PARTS = {
  key: [
    { name: 'country', types: ['text'] },
    { name: 'number', types: ['text'] },
  ],
  tracked: [SEGMENT],
} as const;

const TWO_NUMBER_PARTS = {
  key: [
    { name: 'country', types: ['integer', 'bigint', 'text'] },
    { name: 'number', types: ['integer', 'bigint', 'text'] },
  ],
  tracked: [SEGMENT],
} as const;

const TWO_PARTS = {
  key: [
    { name: 'country', types: 'any' },
    { name: 'number', types: 'any' },
  ],
  tracked: [SEGMENT],
} as const;

const NULLABLE_PART = {
  key: [
    { name: 'country', types: 'any' },
    { name: 'number', types: 'any', nullable: true },
  ],
  tracked: [SEGMENT],
} as const;

const parts = (country: string | number, number: string | number | null, segment: string) => ({
  country,
  number,
  customer_segment: segment,
});

const SEPARATORS = ['|', '||', '^^', '~', '-', '_', ':', ';', ',', '#', '\t', '\u001f'];

const LONG = 'K'.repeat(59);

export const KEYS: readonly Case[] = [
  {
    id: 'key-parts-shift',
    title: 'Keys whose parts read the same when joined are two keys.',
    why: "Joined without a separator, ('a','bc') and ('ab','c') are one key, and a change of one closes the other.",
    source: 'dlt-hub/dlt#4244',
    columns: TWO_TEXT_PARTS,
    needs: {},
    batches: [
      load(day(1), parts('a', 'bc', 'A'), parts('ab', 'c', 'B')),
      load(day(2), parts('a', 'bc', 'C'), parts('ab', 'c', 'B')),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [
        version(parts('a', 'bc', 'A'), day(1), day(2)),
        version(parts('a', 'bc', 'C'), day(2)),
        version(parts('ab', 'c', 'B'), day(1)),
      ],
    },
  },
  {
    id: 'key-numbers-shift',
    title: 'Keys of numbers whose digits read the same when joined are two keys.',
    why: 'Joined as text, (1, 23) and (12, 3) are one key, and a change of one closes the other.',
    source: 'dlt-hub/dlt#4244',
    columns: TWO_NUMBER_PARTS,
    needs: {},
    batches: [
      load(day(1), parts(1, 23, 'A'), parts(12, 3, 'B')),
      load(day(2), parts(1, 23, 'A'), parts(12, 3, 'C')),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [
        version(parts(1, 23, 'A'), day(1)),
        version(parts(12, 3, 'B'), day(1), day(2)),
        version(parts(12, 3, 'C'), day(2)),
      ],
    },
  },
  {
    id: 'key-separators',
    title: 'Keys that hold the separator inside a part are two keys.',
    why: 'A separator that is not escaped moves the border between the parts, and two customers share one history.',
    source: 'ScalefreeCOM/datavault4dbt#479',
    columns: TWO_TEXT_PARTS,
    needs: {},
    batches: [
      load(
        day(1),
        ...SEPARATORS.flatMap((mark) => [parts(`p${mark}q`, 's', 'A'), parts('p', `q${mark}s`, 'B')]),
      ),
      load(
        day(2),
        ...SEPARATORS.flatMap((mark) => [parts(`p${mark}q`, 's', 'C'), parts('p', `q${mark}s`, 'B')]),
      ),
    ],
    expected: {
      versions: 36,
      open: 24,
      rows: SEPARATORS.flatMap((mark) => [
        version(parts(`p${mark}q`, 's', 'A'), day(1), day(2)),
        version(parts(`p${mark}q`, 's', 'C'), day(2)),
        version(parts('p', `q${mark}s`, 'B'), day(1)),
      ]),
    },
  },
  {
    id: 'key-parts-swapped',
    title: 'Keys of the same parts in another order, or of equal parts, are different keys.',
    why: "A hash that adds or xors the parts' hashes gives ('a','b') and ('b','a') one value, and all keys of equal parts another.",
    columns: TWO_TEXT_PARTS,
    needs: {},
    batches: [
      load(day(1), parts('a', 'b', 'A'), parts('b', 'a', 'B'), parts('a', 'a', 'A'), parts('b', 'b', 'B')),
      load(day(2), parts('a', 'b', 'C'), parts('b', 'a', 'B'), parts('a', 'a', 'A'), parts('b', 'b', 'C')),
    ],
    expected: {
      versions: 6,
      open: 4,
      rows: [
        version(parts('a', 'b', 'A'), day(1), day(2)),
        version(parts('a', 'b', 'C'), day(2)),
        version(parts('b', 'a', 'B'), day(1)),
        version(parts('a', 'a', 'A'), day(1)),
        version(parts('b', 'b', 'B'), day(1), day(2)),
        version(parts('b', 'b', 'C'), day(2)),
      ],
    },
  },
  {
    id: 'keys-share-a-part',
    title: 'Keys that share one part have separate histories.',
    why: 'A join on the first part only closes every customer of a country when one of them changes.',
    columns: TWO_PARTS,
    needs: {},
    batches: [
      load(day(1), parts('a', 'x', 'A'), parts('a', 'y', 'A'), parts('b', 'x', 'A')),
      load(day(2), parts('a', 'x', 'B'), parts('a', 'y', 'A'), parts('b', 'x', 'A')),
    ],
    expected: {
      versions: 4,
      open: 3,
      rows: [
        version(parts('a', 'x', 'A'), day(1), day(2)),
        version(parts('a', 'x', 'B'), day(2)),
        version(parts('a', 'y', 'A'), day(1)),
        version(parts('b', 'x', 'A'), day(1)),
      ],
    },
  },
  {
    id: 'keys-share-values',
    title: 'A change of one key leaves another alone that had the same values.',
    why: 'A version id made of the attributes without the key belongs to both customers, and both are closed.',
    source: 'dbt-labs/dbt-core#1588',
    columns: CUSTOMER,
    needs: {},
    batches: [load(day(1), c1('A'), c2('A')), load(day(2), c1('A'), c2('B'))],
    expected: {
      versions: 3,
      open: 2,
      rows: [version(c1('A'), day(1)), version(c2('A'), day(1), day(2)), version(c2('B'), day(2))],
    },
  },
  {
    id: 'key-prefix',
    title: 'A key that another key begins with is a key of its own.',
    why: 'A match by LIKE or by a joined text retires customers whose numbers only begin alike.',
    source: 'dlt-hub/dlt#4274',
    columns: TEXT_KEY,
    needs: {},
    batches: [
      load(day(1), c1('A'), customer('C10', 'A'), customer('C100', 'A')),
      load(day(2), c1('B'), customer('C10', 'A'), customer('C100', 'A')),
    ],
    expected: {
      versions: 4,
      open: 3,
      rows: [
        version(c1('A'), day(1), day(2)),
        version(c1('B'), day(2)),
        version(customer('C10', 'A'), day(1)),
        version(customer('C100', 'A'), day(1)),
      ],
    },
  },
  {
    id: 'key-leading-zero',
    title: 'Keys that differ in leading zeros only are two keys.',
    why: 'Where an engine compares them as numbers, two customers become one.',
    columns: TEXT_KEY,
    needs: {},
    batches: [
      load(day(1), customer('7', 'A'), customer('007', 'B')),
      load(day(2), customer('7', 'C'), customer('007', 'B')),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [
        version(customer('7', 'A'), day(1), day(2)),
        version(customer('7', 'C'), day(2)),
        version(customer('007', 'B'), day(1)),
      ],
    },
  },
  {
    id: 'key-long',
    title: 'Keys of sixty characters that differ in the last one are two keys.',
    why: 'Cut to fifty characters before hashing, they are one customer; engines that do not cut abort the load.',
    source: 'Teradata/dbt-teradata#229',
    columns: TEXT_KEY,
    needs: {},
    batches: [
      load(day(1), customer(`${LONG}1`, 'A'), customer(`${LONG}2`, 'B')),
      load(day(2), customer(`${LONG}1`, 'C'), customer(`${LONG}2`, 'B')),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [
        version(customer(`${LONG}1`, 'A'), day(1), day(2)),
        version(customer(`${LONG}1`, 'C'), day(2)),
        version(customer(`${LONG}2`, 'B'), day(1)),
      ],
    },
  },
  {
    id: 'key-large-integers',
    title: 'Integer keys beyond 2^53 that are neighbours are two keys.',
    why: 'As floating-point numbers they are equal, and two customers share one history.',
    columns: { key: [{ name: 'customer_id', types: ['bigint'] }], tracked: [SEGMENT] },
    needs: {},
    batches: [
      load(day(1), customer(9007199254740992n, 'A'), customer(9007199254740993n, 'B')),
      load(day(2), customer(9007199254740992n, 'A'), customer(9007199254740993n, 'C')),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [
        version(customer(9007199254740992n, 'A'), day(1)),
        version(customer(9007199254740993n, 'B'), day(1), day(2)),
        version(customer(9007199254740993n, 'C'), day(2)),
      ],
    },
  },
  {
    id: 'key-case',
    title: 'Keys that differ in letter case only are two keys.',
    why: 'Under a collation that ignores case, the second customer overwrites the first.',
    columns: TEXT_KEY,
    needs: { keyCompare: [] },
    batches: [
      load(day(1), customer('ab', 'A'), customer('AB', 'B')),
      load(day(2), customer('ab', 'A'), customer('AB', 'C')),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [
        version(customer('ab', 'A'), day(1)),
        version(customer('AB', 'B'), day(1), day(2)),
        version(customer('AB', 'C'), day(2)),
      ],
    },
  },
  {
    id: 'key-trailing-blank',
    title: 'Keys that differ in a trailing blank only are two keys.',
    why: 'Engines that pad texts before they compare them match each load’s rows with both customers.',
    columns: TEXT_KEY,
    needs: { keyCompare: [] },
    batches: [
      load(day(1), customer('ab', 'A'), customer('ab ', 'B')),
      load(day(2), customer('ab', 'A'), customer('ab ', 'C')),
    ],
    expected: {
      versions: 3,
      open: 2,
      rows: [
        version(customer('ab', 'A'), day(1)),
        version(customer('ab ', 'B'), day(1), day(2)),
        version(customer('ab ', 'C'), day(2)),
      ],
    },
  },
  {
    id: 'key-case-folded',
    title:
      'Where keys ignore letter case and values do not, another spelling of the key is the same customer.',
    why: 'With the two the wrong way round, the customer gets a second history and the change of its value is lost.',
    source: 'ScalefreeCOM/datavault4dbt#325',
    columns: {
      key: [{ name: 'customer_id', types: ['text'] }],
      tracked: [{ name: 'customer_segment', types: ['text'] }],
    },
    needs: { keyCompare: ['case-insensitive'], compare: [] },
    batches: [load(day(1), customer('ab', 'x')), load(day(2), customer('AB', 'X'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(customer('ab', 'x'), day(1), day(2)), version(customer('AB', 'X'), day(2))],
    },
  },
  {
    id: 'key-case-and-blanks-folded',
    title: 'Where keys ignore letter case and blanks, a key spelled with others is the same customer.',
    why: 'A lookup that compares bytes adds a second customer to a table whose collation joins both.',
    source: 'bisherryli.com/2012/05/28/ssis-110-case-sensitivity-of-lookup-data-flow-component-in-ssis-2008/',
    columns: TEXT_KEY,
    needs: { keyCompare: ['case-insensitive', 'trim'] },
    batches: [load(day(1), customer('ab', 'A')), load(day(2), customer('AB ', 'B'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(customer('ab', 'A'), day(1), day(2)), version(customer('AB ', 'B'), day(2))],
    },
  },
  {
    id: 'null-key',
    title: 'Where NULL is a key like any other, it has one history.',
    why: 'NULL = NULL is unknown: the old version is never closed, and each load adds another current row.',
    source: 'bruin-data/ingestr#655',
    columns: NULLABLE_KEY,
    needs: { nullKey: ['value'], changeBy: ['value'] },
    batches: [
      load(day(1), customer(null, 'A')),
      load(day(2), customer(null, 'B')),
      load(day(3), customer(null, 'B')),
    ],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(customer(null, 'A'), day(1), day(2)), version(customer(null, 'B'), day(2))],
    },
  },
  {
    id: 'null-key-part',
    title: 'Where NULL is a value of a key part, a change of that key closes its version.',
    why: 'A list of key columns compared with = inserts the change and leaves the old row current too.',
    source: 'stellar/stellar-dbt-public#311',
    columns: NULLABLE_PART,
    needs: { nullKey: ['value'] },
    batches: [load(day(1), parts('a', null, 'A')), load(day(2), parts('a', null, 'B'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(parts('a', null, 'A'), day(1), day(2)), version(parts('a', null, 'B'), day(2))],
    },
  },
  {
    id: 'null-key-beside-others',
    title: 'Where NULL is a key like any other, its row is not dropped.',
    why: 'IN is never true for NULL; the row is lost without an error, and the totals are short by its facts.',
    source: 'windmill-labs/windmill#9850',
    columns: NULLABLE_KEY,
    needs: { nullKey: ['value'] },
    batches: [load(day(1), customer(null, 'A'), c2('B'))],
    expected: {
      versions: 2,
      open: 2,
      rows: [version(customer(null, 'A'), day(1)), version(c2('B'), day(1))],
    },
  },
  {
    id: 'null-key-and-null-texts',
    title: 'NULL, the empty text and the text NULL are three keys.',
    why: 'COALESCE to some text before the join makes two customers one.',
    columns: { key: [{ name: 'customer_id', types: ['text'], nullable: true }], tracked: [SEGMENT] },
    needs: { nullKey: ['value'], keyCompare: [] },
    batches: [
      load(day(1), customer(null, 'A'), customer('', 'A'), customer('NULL', 'A')),
      load(day(2), customer(null, 'B'), customer('', 'A'), customer('NULL', 'A')),
    ],
    expected: {
      versions: 4,
      open: 3,
      rows: [
        version(customer(null, 'A'), day(1), day(2)),
        version(customer(null, 'B'), day(2)),
        version(customer('', 'A'), day(1)),
        version(customer('NULL', 'A'), day(1)),
      ],
    },
  },
  {
    id: 'null-key-skipped',
    title: 'Where rows without a key are skipped, the other rows of the load are applied.',
    why: 'A row without a key that is kept becomes a customer that nobody can name; one that stops the load costs the rest.',
    columns: NULLABLE_KEY,
    needs: { nullKey: ['skip'] },
    batches: [load(day(1), customer(null, 'A'), c2('A')), load(day(2), customer(null, 'B'), c2('B'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c2('A'), day(1), day(2)), version(c2('B'), day(2))],
    },
  },
  {
    id: 'null-key-rejected',
    title: 'Where a row without a key is refused, its whole load changes nothing.',
    why: 'A load that is half applied before it is refused leaves a state that no source ever had.',
    columns: NULLABLE_KEY,
    needs: { nullKey: ['reject'] },
    batches: [load(day(1), c2('A')), load(day(2), c2('B'), customer(null, 'A')), load(day(3), c2('C'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c2('A'), day(1), day(3)), version(c2('C'), day(3))],
    },
  },
];
