/** Cells as they cross a process border: JSON values, with text for what JSON would damage. */
import type { Cell, Column } from '../contract/columns.ts';
import { cellError } from './cell-error.ts';
import { jsonCell } from './cells.ts';
import { decimalShape, decimalText, parseDecimal } from './decimals.ts';
import { dayText, parseDay, parseTimestamp, timestampText } from './times.ts';

/**
 * The canonical cell for a value that came as JSON, or from somebody's function. Accepts the spellings that lose
 * nothing: whole numbers as number, bigint or text; decimals as text or number; doubles also as text, which NaN and
 * the infinities need; dates also as midnight timestamps; timestamps as any ISO text, with any offset.
 * Throws where the column's type cannot hold the value; `row` is for the message.
 */
export function cellFromJson(column: Column, value: unknown, row?: number): Cell {
  if (value === null || value === undefined) return null;
  const cell = parse(column, value);
  if (cell === null) throw cellError(column, value, row);
  return cell;
}

/** The JSON value for a canonical cell: big integers are text, and so are NaN, the infinities and −0. */
export function cellToJson(_column: Column, cell: Cell): null | boolean | number | string {
  return jsonCell(cell);
}

function parse({ type }: Column, value: unknown): Cell {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'integer':
      return parseInteger(value);
    case 'bigint':
      return parseBigint(value);
    case 'double':
      return parseDouble(value);
    case 'date':
      return typeof value === 'string' ? parseDate(value) : null;
    case 'timestamp':
      return typeof value === 'string' ? formatted(parseTimestamp(value.trim())) : null;
    default: {
      const { precision, scale } = decimalShape(type);
      const isDecimal = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
      const unscaled = isDecimal ? parseDecimal(String(value).trim(), precision, scale) : null;
      return unscaled === null ? null : decimalText(unscaled, scale);
    }
  }
}

function parseBigint(value: unknown): bigint | null {
  const parsed = wholeNumber(value);
  return parsed !== null && BigInt.asIntN(64, parsed) === parsed ? parsed : null;
}

function parseInteger(value: unknown): number | null {
  const parsed = wholeNumber(value);
  return parsed !== null && BigInt.asIntN(32, parsed) === parsed ? Number(parsed) : null;
}

function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && /^\s*[+-]?\d{1,40}\s*$/.test(value)
    ? BigInt(value.replace('+', ''))
    : null;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function parseDouble(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return BigInt(Number(value)) === value ? Number(value) : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (NUMBER.test(text)) return Number(text);
  // As JavaScript and Python spell them.
  const special = /^([+-]?)(nan|inf|infinity)$/i.exec(text);
  if (special === null) return null;
  if (special[2]!.toLowerCase() === 'nan') return Number.NaN;
  return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function parseDate(value: string): string | null {
  const text = value.trim();
  const days = parseDay(text) ?? midnight(parseTimestamp(text));
  return days === null ? null : dayText(days);
}

const DAY_MICROS = 86_400_000_000n;

function midnight(micros: bigint | null): number | null {
  return micros !== null && micros % DAY_MICROS === 0n ? Number(micros / DAY_MICROS) : null;
}

function formatted(micros: bigint | null): string | null {
  return micros === null ? null : timestampText(micros);
}
