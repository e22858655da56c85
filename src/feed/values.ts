import type { Cell, Column } from '../contract/columns.ts';
import { held, standIn } from './cells.ts';

/**
 * Hard values for each column type, in small groups of values that implementations confuse: equal under some comparison, under a lossy
 * conversion, as a placeholder for NULL, or joined to text with a delimiter. A history is drawn from one group, so it changes between
 * just these. Wrong values of one group look alike; that is the point.
 */
export function valueGroups(column: Column): readonly (readonly Cell[])[] {
  const known = groupsByColumn.get(column);
  if (known !== undefined) return known;
  const groups = makeGroups(column);
  groupsByColumn.set(column, groups);
  return groups;
}

const groupsByColumn = new WeakMap<Column, readonly (readonly Cell[])[]>();

function makeGroups(column: Column): readonly (readonly Cell[])[] {
  if (column.values !== undefined) return distinctGroups([column.values.slice(0, 5)], column);
  const groups = distinctGroups(groupsOf(column), column);
  return groups.length > 0
    ? groups
    : distinctGroups([[0, 1, 2].map((n) => plainCell(column, n) ?? null)], column);
}

/** The nth of plain values: each different under every folding. Undefined where the column has no more. */
export function plainCell(column: Column, n: number): Cell | undefined {
  if (column.type !== 'text' || column.values !== undefined) return standIn(column, n);
  return held(letters(n), column);
}

/** `a` to `z`, `aa` to `zz`, …: many even in a short column, and prefixes of each other. */
function letters(n: number): string {
  const rest = n < 26 ? '' : letters(Math.floor(n / 26) - 1);
  return `${rest}${String.fromCharCode(97 + (n % 26))}`;
}

/** What of each group the column can hold, NULL included where it can; groups of one value are none. */
function distinctGroups(groups: readonly (readonly Cell[])[], column: Column): readonly (readonly Cell[])[] {
  return groups
    .map((group) => {
      const fitting = group.map((cell) => held(cell, column)).filter((cell) => cell !== undefined);
      const cells = column.nullable ? [...fitting, null] : fitting;
      return cells.filter((cell, at) => cells.findIndex((other) => Object.is(other, cell)) === at);
    })
    .filter((group) => group.length > 1);
}

function groupsOf(column: Column): readonly (readonly Cell[])[] {
  switch (column.type) {
    case 'text':
      return [...TEXTS, ...longTexts(column.maxLength ?? 300)];
    case 'integer':
      return INTEGERS;
    case 'bigint':
      return BIGINTS;
    case 'double':
      return DOUBLES;
    case 'boolean':
      return [[true, false]];
    case 'date':
      return DATES;
    case 'timestamp':
      return TIMESTAMPS;
    default:
      return decimals(column.type);
  }
}

const TEXTS: readonly (readonly Cell[])[] = [
  ['A', 'B', 'C'],
  ['', ' ', 'A', '  '],
  ['A', 'a', ' A', 'A ', 'B'],
  // Placeholders that a COALESCE before a comparison or a hash puts in the place of NULL.
  ['NULL', 'null', '', 'None', '\\N'],
  ['N/A', '-', '?', '', '~'],
  ['0', '-1', '', 'false', '-9999'],
  ['nan', 'NaN', '', 'undefined'],
  ['1900-01-01', '9999-12-31', ''],
  // Delimiters that join columns before they are hashed.
  ['|', '||', 'A|', '|A', 'A'],
  ['A|B', 'A||B', 'A', 'B|A', 'B'],
  ['A,B', 'A', 'B', ',', 'A;B'],
  ['A\u001fB', 'A', 'B', 'A\tB', 'A-B'],
  ['AB', 'A', 'B', 'ABC', 'BC'],
  ['~~', '^^', '#', '::', '_'],
  // Quotes and what templates, patterns and shells replace.
  ["O'Brien", 'say "A"', "''", '\\', '\\\\'],
  ['%', '_', 'A%', 'A_', 'A\\%'],
  [':as_of', '${as_of}', '{{ as_of }}', '$1', '%s'],
  ['A\nB', 'A\r\nB', 'A B', 'A\\nB'],
  // Composed and decomposed letters, and characters outside the first plane.
  ['caf\u00e9', 'cafe\u0301', 'cafe'],
  ['\u{1f600}', '\u{1f600}\u{1f600}', '\u{1f601}', '?'],
  ['\u65e5\u672c', '\u65e5', '\u672c'],
  ['\u00a0', ' ', '', '\u200b'],
  // Text that looks like a number, a date, JSON.
  ['1', '01', '1.0', '1e0', ' 1'],
  ['10', '9', '1e1', '10.0'],
  ['true', 'TRUE', 't', '1'],
  ['{"a":1}', '[1]', '{}', '[]'],
  ['2026-03-01', '2026-03-01 00:00:00', '01.03.2026'],
];

/** Texts that differ only where a shorter column, or a hash over a prefix, would have cut them. */
function longTexts(maxLength: number): readonly (readonly Cell[])[] {
  const length = Math.min(maxLength, 300);
  if (length < 4) return [];
  const stem = 'x'.repeat(length - 1);
  return [[`${stem}x`, `${stem}y`, stem]];
}

const INTEGERS: readonly (readonly Cell[])[] = [
  [1, 2, 3],
  [0, -1, 1],
  [0, -9999, -1],
  [2_147_483_647, -2_147_483_648, 2_147_483_646],
  [1, 10, 9, 11],
];

const BIGINTS: readonly (readonly Cell[])[] = [
  [1n, 2n, 3n],
  [0n, -1n, 1n],
  // Next to each other beyond 2^53, where doubles have gaps.
  [9_007_199_254_740_992n, 9_007_199_254_740_993n, 9_007_199_254_740_994n],
  [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 9_223_372_036_854_775_806n],
  [2_147_483_647n, 2_147_483_648n, -2_147_483_649n],
];

const DOUBLES: readonly (readonly Cell[])[] = [
  [1.5, 2.5, 3.5],
  [0, -0, -1, 1],
  [Number.NaN, 0, 1, -1],
  [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 0],
  [0.1 + 0.2, 0.3, 0.1],
  [9_007_199_254_740_992, 9_007_199_254_740_994, 1e17],
  [5e-324, 0, 1.7976931348623157e308],
  [1 / 3, 0.333333333, 0.3333333333],
];

const DATES: readonly (readonly Cell[])[] = [
  ['2026-03-01', '2026-03-02', '2026-02-28'],
  ['2024-02-29', '2024-02-28', '2024-03-01'],
  ['0001-01-01', '9999-12-31', '1900-01-01'],
  ['1970-01-01', '1969-12-31', '1970-01-02'],
];

const TIMESTAMPS: readonly (readonly Cell[])[] = [
  ['2026-03-01T06:00:00.000000Z', '2026-03-02T06:00:00.000000Z', '2026-03-01T18:00:00.000000Z'],
  ['2026-03-01T06:00:00.000000Z', '2026-03-01T06:00:00.000001Z', '2026-03-01T06:00:00.001000Z'],
  // The hour that Central Europe skips, and the one it has twice.
  ['2026-03-29T01:30:00.000000Z', '2026-03-29T02:30:00.000000Z', '2026-03-29T03:30:00.000000Z'],
  ['2026-10-25T00:30:00.000000Z', '2026-10-25T01:30:00.000000Z', '2026-10-25T02:30:00.000000Z'],
  ['0001-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z', '1900-01-01T00:00:00.000000Z'],
  ['1970-01-01T00:00:00.000000Z', '1969-12-31T23:59:59.999999Z'],
];

/** Zero and one, neighbours at the last digit of the scale, and the largest that the precision allows. */
function decimals(type: Column['type']): readonly (readonly Cell[])[] {
  const [precision = 18, scale = 0] = (type.match(/\d+/g) ?? []).map(Number);
  const fraction = (digits: string) => (scale > 0 ? `.${digits.padStart(scale, '0')}` : '');
  const whole = '9'.repeat(precision - scale) || '0';
  return [
    ['1', '2', '3'],
    ['0', '1', '-1'],
    scale > 0 ? [`1${fraction('1')}`, `1${fraction('2')}`, '1'] : ['10', '100', '11'],
    [`0${fraction('1')}`, '0', `-0${fraction('1')}`].filter((cell) => scale > 0 || cell === '0'),
    [`${whole}${fraction('9'.repeat(scale))}`, `${whole}${fraction('8'.padStart(scale, '9'))}`, '0'],
    [`-${whole}${fraction('9'.repeat(scale))}`, `${whole}${fraction('9'.repeat(scale))}`, '0'],
  ];
}
