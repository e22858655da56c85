/** What counts as a change of value: texts, numbers, dates, and what hashes and casts make of them. */
import type { Cell, ColumnType } from '../src/contract/columns.ts';
import type { Case } from './case.ts';
import { c1, customer, day, ID, load, version } from './customer.ts';

const TEXT = { key: [ID], tracked: [{ name: 'customer_segment', types: ['text'] }] } as const;

const TWO_TEXTS = {
  key: [ID],
  tracked: [
    { name: 'customer_segment', types: ['text'] },
    { name: 'region', types: ['text'] },
  ],
} as const;

const typed = (types: readonly (ColumnType | 'decimal')[], nullable?: 'nullable'): Case['columns'] => ({
  key: [ID],
  tracked: [{ name: 'customer_segment', types, ...(nullable && { nullable: true }) }],
});

const pair = (segment: string, region: string) => c1(segment, { region });

/** One customer for each pair; each changes from the first to the second on the second day. */
const changes = (pairs: readonly (readonly [Cell, Cell])[]) => ({
  batches: [
    load(day(1), ...pairs.map(([before], index) => customer(`C${index}`, before))),
    load(day(2), ...pairs.map(([, after], index) => customer(`C${index}`, after))),
  ],
  rows: pairs.flatMap(([before, after], index) => [
    version(customer(`C${index}`, before), day(1), day(2)),
    version(customer(`C${index}`, after), day(2)),
  ]),
});

const BLANKS = changes([
  ['x', 'x '],
  ['x ', 'x'],
  ['', ' '],
  ['x', 'x\t'],
  ['x', 'x\u00a0'],
  ['x y', 'x  y'],
  ['xy', 'x\u200by'],
  ['x\ny', 'x y'],
]);

const MARKS = changes([
  ["O'Brien", 'O"Brien'],
  ["it''s", "it's"],
  ['a\\b', 'ab'],
  ['50%', '50_'],
  ['x; --', 'x'],
  ['{"a":1}', '{"a": 1}'],
  ['1,5', '1.5'],
]);

const NUMBER_TEXTS = changes([
  ['1', '01'],
  ['1', '1.0'],
  ['1e3', '1000'],
  ['0', '-0'],
  ['true', 'TRUE'],
]);

const SEPARATORS = ['|', '||', '^^', '~', ';', ',', '-', '_', ':', '\t', '\u001f', '"', "'", '","', "','"];
const separated = (mark: string, index: number, after: boolean) =>
  customer(`C${index}`, after ? 'p' : `p${mark}q`, { region: after ? `q${mark}s` : 's' });

const LONG = 'long '.repeat(60);

export const VALUES: readonly Case[] = [
  {
    id: 'value-moves-to-the-neighbour',
    title: 'A value that moves to the neighbouring column makes a version.',
    why: 'Joined without a separator, the row before and the row after hash alike, and the change is lost.',
    source: 'sqlservercentral.com/forums/topic/an-in-depth-look-at-change-detection-in-sql-server-part-02',
    columns: TWO_TEXTS,
    needs: { compare: [] },
    batches: [
      load(day(1), pair('', 'Q')),
      load(day(2), pair('Q', '')),
      load(day(3), pair('ab', 'c')),
      load(day(4), pair('a', 'bc')),
    ],
    expected: {
      versions: 4,
      open: 1,
      rows: [
        version(pair('', 'Q'), day(1), day(2)),
        version(pair('Q', ''), day(2), day(3)),
        version(pair('ab', 'c'), day(3), day(4)),
        version(pair('a', 'bc'), day(4)),
      ],
    },
  },
  {
    id: 'value-separators',
    title: 'A separator inside a value does not hide that a part of it moved to the neighbouring column.',
    why: 'A separator that is not escaped makes the row before and the row after hash alike, and the change is lost.',
    source: 'ScalefreeCOM/datavault4dbt#479',
    columns: TWO_TEXTS,
    needs: {},
    batches: [
      load(day(1), ...SEPARATORS.map((mark, index) => separated(mark, index, false))),
      load(day(2), ...SEPARATORS.map((mark, index) => separated(mark, index, true))),
    ],
    expected: {
      versions: 30,
      open: 15,
      rows: SEPARATORS.flatMap((mark, index) => [
        version(separated(mark, index, false), day(1), day(2)),
        version(separated(mark, index, true), day(2)),
      ]),
    },
  },
  {
    id: 'values-swapped',
    title: 'Two attributes that swap their values make a version.',
    why: 'Hashes that are added or xored do not depend on the order of the columns, and the change is lost.',
    columns: {
      key: [ID],
      tracked: [
        { name: 'customer_segment', types: ['text'] },
        { name: 'region', types: ['text'] },
      ],
    },
    needs: {},
    batches: [
      load(day(1), pair('a', 'b')),
      load(day(2), pair('b', 'a')),
      load(day(3), pair('a', 'a')),
      load(day(4), pair('b', 'b')),
    ],
    expected: {
      versions: 4,
      open: 1,
      rows: [
        version(pair('a', 'b'), day(1), day(2)),
        version(pair('b', 'a'), day(2), day(3)),
        version(pair('a', 'a'), day(3), day(4)),
        version(pair('b', 'b'), day(4)),
      ],
    },
  },
  {
    id: 'value-case',
    title: 'A change of letter case makes a version.',
    why: 'A collation that ignores case keeps the old spelling for ever.',
    columns: TEXT,
    needs: { compare: [] },
    batches: [load(day(1), c1('gold')), load(day(2), c1('Gold')), load(day(3), c1('GOLD'))],
    expected: {
      versions: 3,
      open: 1,
      rows: [
        version(c1('gold'), day(1), day(2)),
        version(c1('Gold'), day(2), day(3)),
        version(c1('GOLD'), day(3)),
      ],
    },
  },
  {
    id: 'value-leading-blank',
    title: 'A leading blank that is removed makes a version.',
    why: 'Values that are trimmed before hashing look unchanged, and the wrong spelling stays.',
    source: 'ScalefreeCOM/datavault4dbt#409',
    columns: TEXT,
    needs: { compare: [] },
    batches: [load(day(1), c1(' x')), load(day(2), c1('x'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1(' x'), day(1), day(2)), version(c1('x'), day(2))],
    },
  },
  {
    id: 'value-blanks',
    title: 'A change of blanks, tabs, line ends or marks without width makes a version.',
    why: 'Padding and trimming make such values equal, and joins by text miss the customer.',
    columns: TEXT,
    needs: { compare: [] },
    batches: BLANKS.batches,
    expected: { versions: 16, open: 8, rows: BLANKS.rows },
  },
  {
    id: 'value-marks',
    title: 'Quotes, backslashes, wildcards and comment marks are parts of a value.',
    why: 'A value that is pasted into SQL or compared by LIKE changes the statement, or is taken for another.',
    columns: TEXT,
    needs: {},
    batches: MARKS.batches,
    expected: { versions: 14, open: 7, rows: MARKS.rows },
  },
  {
    id: 'value-number-texts',
    title: 'Texts that mean the same number are different texts.',
    why: 'An engine that casts them before it compares loses the change; leading zeros of a postcode are such a case.',
    columns: TEXT,
    needs: { compare: [] },
    batches: NUMBER_TEXTS.batches,
    expected: { versions: 10, open: 5, rows: NUMBER_TEXTS.rows },
  },
  {
    id: 'value-unicode-forms',
    title: 'A composed and a decomposed letter are two values.',
    why: 'A collation that finds them equal keeps a spelling that byte-wise joins elsewhere do not find.',
    columns: TEXT,
    needs: { compare: [] },
    batches: [load(day(1), c1('Zo\u00eb')), load(day(2), c1('Zoe\u0308')), load(day(3), c1('Zoe'))],
    expected: {
      versions: 3,
      open: 1,
      rows: [
        version(c1('Zo\u00eb'), day(1), day(2)),
        version(c1('Zoe\u0308'), day(2), day(3)),
        version(c1('Zoe'), day(3)),
      ],
    },
  },
  {
    id: 'value-emoji',
    title: 'Letters beyond the first 65,536 are kept, and told apart.',
    why: 'Cut to two bytes, or weighed as nothing by a collation, different values become equal.',
    columns: TEXT,
    needs: {},
    batches: [load(day(1), c1('😀')), load(day(2), c1('😁')), load(day(3), c1('𝒜'))],
    expected: {
      versions: 3,
      open: 1,
      rows: [version(c1('😀'), day(1), day(2)), version(c1('😁'), day(2), day(3)), version(c1('𝒜'), day(3))],
    },
  },
  {
    id: 'value-long-text',
    title: 'A change in the last of three hundred characters makes a version.',
    why: 'A value that is cut before it is compared or stored hides it.',
    columns: TEXT,
    needs: {},
    batches: [load(day(1), c1(`${LONG}a`)), load(day(2), c1(`${LONG}b`))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1(`${LONG}a`), day(1), day(2)), version(c1(`${LONG}b`), day(2))],
    },
  },
  {
    id: 'value-case-folded',
    title: 'Where values ignore letter case, another spelling makes no version.',
    why: 'Each system writes names in its own way, and every load from another one would count as a change.',
    columns: TEXT,
    needs: { compare: ['case-insensitive'], changeBy: ['value'] },
    batches: [load(day(1), c1('Gold')), load(day(2), c1('GOLD')), load(day(3), c1('gold'))],
    expected: { versions: 1, open: 1, rows: [version(c1('Gold'), day(1))] },
  },
  {
    id: 'value-trimmed',
    title: 'Where values ignore blanks at their ends, other blanks make no version.',
    why: 'Columns of fixed width deliver blanks that mean nothing, and every load would count as a change.',
    columns: TEXT,
    needs: { compare: ['trim'], changeBy: ['value'] },
    batches: [load(day(1), c1('x')), load(day(2), c1('x  ')), load(day(3), c1(' x'))],
    expected: { versions: 1, open: 1, rows: [version(c1('x'), day(1))] },
  },
  {
    id: 'value-empty-is-null',
    title: 'Where the empty text is NULL, a change between the two makes no version.',
    why: 'Files cannot tell the two apart, and every load that comes by another way would count as a change.',
    columns: typed(['text'], 'nullable'),
    needs: { compare: ['empty-is-null'], changeBy: ['value'] },
    batches: [load(day(1), c1(null)), load(day(2), c1('')), load(day(3), c1(null))],
    expected: { versions: 1, open: 1, rows: [version(c1(null), day(1))] },
  },
  {
    id: 'value-large-integer',
    title: 'Integers beyond 2^53 that are neighbours are two values.',
    why: 'As floating-point numbers they are equal, and the change is lost.',
    columns: typed(['bigint']),
    needs: {},
    batches: [load(day(1), c1(9007199254740992n)), load(day(2), c1(9007199254740993n))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1(9007199254740992n), day(1), day(2)), version(c1(9007199254740993n), day(2))],
    },
  },
  {
    id: 'value-decimal-zeros',
    title: 'A decimal that is written with fewer zeros is the same number.',
    why: 'Compared as text, 1.10 and 1.1 differ, and every price list that is written anew makes versions.',
    columns: typed(['decimal']),
    needs: { changeBy: ['value'] },
    batches: [load(day(1), c1('1.10')), load(day(2), c1('1.1'))],
    expected: { versions: 1, open: 1, rows: [version(c1('1.10'), day(1))] },
  },
  {
    id: 'value-large-decimal',
    title: 'Decimals of eighteen digits that differ in the last are two values.',
    why: 'As floating-point numbers they are equal, and an amount stays wrong by a cent.',
    columns: typed(['decimal']),
    needs: {},
    batches: [load(day(1), c1('9999999999999999.98')), load(day(2), c1('9999999999999999.99'))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1('9999999999999999.98'), day(1), day(2)), version(c1('9999999999999999.99'), day(2))],
    },
  },
  {
    id: 'value-negative-zero',
    title: 'Zero and negative zero are the same number.',
    why: 'Compared by bytes or as text they differ, and a number that did not change makes a version.',
    columns: typed(['double']),
    needs: { changeBy: ['value'] },
    batches: [load(day(1), c1(0)), load(day(2), c1(-0)), load(day(3), c1(0))],
    expected: { versions: 1, open: 1, rows: [version(c1(0), day(1))] },
  },
  {
    id: 'value-nan',
    title: 'A value that is not a number and stays so makes no version.',
    why: 'In most languages NaN differs from itself, and the row is versioned with every load.',
    source: 'django-commons/django-simple-history#1005',
    columns: typed(['double']),
    needs: { changeBy: ['value'] },
    batches: [load(day(1), c1(Number.NaN)), load(day(2), c1(Number.NaN)), load(day(3), c1(1))],
    expected: {
      versions: 2,
      open: 1,
      rows: [version(c1(Number.NaN), day(1), day(3)), version(c1(1), day(3))],
    },
  },
  {
    id: 'value-double-neighbours',
    title: 'Floating-point numbers that are neighbours, and the two infinities, are different values.',
    why: 'Rounded or printed before they are compared, small changes are lost.',
    columns: typed(['double']),
    needs: {},
    batches: [
      load(day(1), c1(0.3)),
      load(day(2), c1(0.30000000000000004)),
      load(day(3), c1(Number.POSITIVE_INFINITY)),
      load(day(4), c1(Number.NEGATIVE_INFINITY)),
    ],
    expected: {
      versions: 4,
      open: 1,
      rows: [
        version(c1(0.3), day(1), day(2)),
        version(c1(0.30000000000000004), day(2), day(3)),
        version(c1(Number.POSITIVE_INFINITY), day(3), day(4)),
        version(c1(Number.NEGATIVE_INFINITY), day(4)),
      ],
    },
  },
  {
    id: 'value-zero-and-null',
    title: 'Zero and NULL are two values, in either direction.',
    why: 'COALESCE to zero hides that a number was withdrawn, and averages count it.',
    columns: typed(['integer', 'bigint', 'double', 'decimal'], 'nullable'),
    needs: {},
    batches: [load(day(1), c1(0)), load(day(2), c1(null)), load(day(3), c1(0))],
    expected: {
      versions: 3,
      open: 1,
      rows: [version(c1(0), day(1), day(2)), version(c1(null), day(2), day(3)), version(c1(0), day(3))],
    },
  },
  {
    id: 'value-boolean',
    title: 'True, false and NULL are three values.',
    why: 'COALESCE to false hides that nobody knows, and a flag that is cast to text may not match its own spelling.',
    columns: typed(['boolean'], 'nullable'),
    needs: {},
    batches: [
      load(day(1), c1(true)),
      load(day(2), c1(false)),
      load(day(3), c1(null)),
      load(day(4), c1(false)),
    ],
    expected: {
      versions: 4,
      open: 1,
      rows: [
        version(c1(true), day(1), day(2)),
        version(c1(false), day(2), day(3)),
        version(c1(null), day(3), day(4)),
        version(c1(false), day(4)),
      ],
    },
  },
  {
    id: 'value-date-edges',
    title: 'The first day, a leap day and the days before 1970 are dates like any other.',
    why: 'Dates that pass through seconds since 1970, or through years of two digits, come back as others.',
    columns: typed(['date']),
    needs: {},
    batches: [
      load(day(1), c1('0001-01-01')),
      load(day(2), c1('1969-12-31')),
      load(day(3), c1('2024-02-29')),
      load(day(4), c1('2024-03-01')),
    ],
    expected: {
      versions: 4,
      open: 1,
      rows: [
        version(c1('0001-01-01'), day(1), day(2)),
        version(c1('1969-12-31'), day(2), day(3)),
        version(c1('2024-02-29'), day(3), day(4)),
        version(c1('2024-03-01'), day(4)),
      ],
    },
  },
  {
    id: 'value-microseconds',
    title: 'Timestamps that differ by a microsecond are two values.',
    why: 'Cut to milliseconds before they are compared, they are equal, and the change is lost.',
    columns: typed(['timestamp']),
    needs: {},
    batches: [
      load(day(1), c1('2026-01-01T12:00:00.000000Z')),
      load(day(2), c1('2026-01-01T12:00:00.000001Z')),
      load(day(3), c1('2026-01-01T12:00:00.999999Z')),
    ],
    expected: {
      versions: 3,
      open: 1,
      rows: [
        version(c1('2026-01-01T12:00:00.000000Z'), day(1), day(2)),
        version(c1('2026-01-01T12:00:00.000001Z'), day(2), day(3)),
        version(c1('2026-01-01T12:00:00.999999Z'), day(3)),
      ],
    },
  },
  ...(
    [
      ['timestamp', '9999-12-31T00:00:00.000000Z', '2027-01-01T00:00:00.000000Z'],
      ['date', '9999-12-31', '2027-01-01'],
      ['text', '9999-12-31', '2027-01-01'],
    ] as const
  ).map(
    ([type, never, once]): Case => ({
      id: `value-end-of-time-${type}`,
      title: `9999-12-31 in a tracked ${type} is a value and not the mark of an open version.`,
      why: 'Statements that look for the mark in the wrong column, or turn it into NULL on the way, close or lose such rows.',
      columns: typed([type]),
      needs: {},
      batches: [load(day(1), c1(never)), load(day(2), c1(once)), load(day(3), c1(never))],
      expected: {
        versions: 3,
        open: 1,
        rows: [
          version(c1(never), day(1), day(2)),
          version(c1(once), day(2), day(3)),
          version(c1(never), day(3)),
        ],
      },
    }),
  ),
];
