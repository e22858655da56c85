import type { Cell, Column } from '../../contract/columns.ts';
import type { Folding } from '../../contract/contract.ts';
import { parseInstant } from '../../contract/instant.ts';

/*
 * Rule 0, values: when two cells are the same. Each cell is folded to one spelling of its value, and a tuple of
 * folded cells to one string, so that everything after this file compares strings with `===`.
 *
 * Limits: cells must be canonical for their column's type (see contract/columns.ts). Lower case is simple: a code
 * point whose lower case takes more than one code point stays as it is.
 */

/** One string for all tuples of cells that count as equal, and another one for any that does not. */
export function foldState(
  cells: readonly Cell[],
  columns: readonly Column[],
  foldings: readonly Folding[],
): string {
  return foldCells(cells, columns, foldings).map(spell).join(',');
}

/** The cells in one of their equal spellings: text folded, −0 as 0. */
export function foldCells(
  cells: readonly Cell[],
  columns: readonly Column[],
  foldings: readonly Folding[],
): readonly Cell[] {
  return columns.map((column, index) => foldCell(cells[index] ?? null, column, foldings));
}

function foldCell(cell: Cell, column: Column, foldings: readonly Folding[]): Cell {
  if (cell === 0) return 0;
  if (typeof cell !== 'string' || column.type !== 'text') return cell;
  let text = cell;
  if (foldings.includes('trim')) text = text.replace(/^ +| +$/g, '');
  if (foldings.includes('case-insensitive')) text = Array.from(text, lowerCase).join('');
  if (foldings.includes('empty-is-null') && text === '') return null;
  return text;
}

function lowerCase(codePoint: string): string {
  const lower = codePoint.toLowerCase();
  return Array.from(lower).length === 1 ? lower : codePoint;
}

/** Text is quoted, so that a comma inside it is never taken for the one between two cells. */
function spell(cell: Cell): string {
  if (typeof cell === 'string') return JSON.stringify(cell);
  return typeof cell === 'bigint' ? `${cell}n` : String(cell);
}

/** Order of two values of a column, NULL lowest: negative, zero or positive. */
export function compareCells(a: Cell, b: Cell, column: Column): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b, column);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : Number(a > b);
}

function compareTexts(a: string, b: string, column: Column): number {
  if (column.type === 'text') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  const [x, y] = column.type.startsWith('decimal') ? [unscaled(a), unscaled(b)] : [micros(a), micros(b)];
  return x < y ? -1 : Number(x > y);
}

/** All decimals of a column have the same number of fraction digits. */
function unscaled(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}

function micros(text: string): bigint {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`Not a date or timestamp: ${JSON.stringify(text)}`);
  return instant;
}
