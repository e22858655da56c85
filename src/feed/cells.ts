/** What cells a column can hold, and stand-ins where it cannot hold those of a case. */
import type { Cell, Column } from '../contract/columns.ts';
import { formatDate, formatInstant, parseInstant } from '../contract/instant.ts';

/** The canonical cell of the column's type for a cell of a case, or undefined where the column cannot hold it. */
export function held(cell: Cell, column: Column): Cell | undefined {
  if (cell === null) return column.nullable ? null : undefined;
  const canonical = ofType(cell, column);
  if (canonical === undefined) return undefined;
  if (column.values !== undefined && !column.values.includes(canonical)) return undefined;
  if (typeof canonical === 'string' && [...canonical].length > (column.maxLength ?? Infinity))
    return undefined;
  return canonical;
}

/** The nth of values that any column of this kind can hold, each different and in rising order; from 0. */
export function standIn(column: Column, n: number): Cell | undefined {
  if (column.values !== undefined) return column.values.filter((value) => value !== null)[n];
  return held(nth(column, n), column);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SOME_DAY = parseInstant('2000-01-01')!;
const DAY = 86_400_000_000n;

function nth(column: Column, n: number): Cell {
  switch (column.type) {
    case 'text':
      return LETTERS[n] ?? `z${n}`;
    case 'boolean':
      return n < 2 ? n === 1 : n;
    case 'date':
      return formatDate(SOME_DAY + BigInt(n) * DAY);
    case 'timestamp':
      return formatInstant(SOME_DAY + BigInt(n) * DAY);
    default:
      return n;
  }
}

function ofType(cell: NonNullable<Cell>, column: Column): Cell | undefined {
  switch (column.type) {
    case 'text':
      return typeof cell === 'boolean' ? undefined : String(cell);
    case 'integer':
      return typeof cell === 'number' && (cell | 0) === cell ? cell : undefined;
    case 'bigint':
      if (typeof cell === 'bigint') return cell;
      return Number.isSafeInteger(cell) ? BigInt(cell) : undefined;
    case 'double':
      return typeof cell === 'number' && (column.finite !== true || Number.isFinite(cell)) ? cell : undefined;
    case 'boolean':
      return typeof cell === 'boolean' ? cell : undefined;
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(String(cell)) ? cell : undefined;
    case 'timestamp': {
      const instant = /^\d{4}-\d{2}-\d{2}T/.test(String(cell)) ? parseInstant(String(cell)) : null;
      return instant === null ? undefined : formatInstant(instant);
    }
    default:
      return decimal(String(cell), column.type);
  }
}

/** The text of a decimal with exactly the scale's digits, or undefined where precision or scale are too small. */
function decimal(text: string, type: `decimal(${number},${number})`): string | undefined {
  const [precision, scale] = type.match(/\d+/g)!.map(Number) as [number, number];
  const match = /^(-?)0*(\d*?)(?:\.(\d*?)0*)?$/.exec(text);
  if (match === null || text === '') return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (whole.length > precision - scale || fraction.length > scale) return undefined;
  return `${sign}${whole || '0'}${scale > 0 ? `.${fraction.padEnd(scale, '0')}` : ''}`;
}
