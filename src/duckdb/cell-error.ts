import { inspect } from 'node:util';
import type { Column } from '../contract/columns.ts';

/** The error for a value that a column's type cannot hold. Rows are counted from 0. */
export function cellError(column: Column, value: unknown, row?: number): Error {
  const where = row === undefined ? '' : `row ${row}, `;
  return new Error(
    `${where}column "${column.name}": ${quote(value)} is not a value of type ${column.type}. ${expected(column)}`,
  );
}

function quote(value: unknown): string {
  const text =
    typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 1, breakLength: Infinity });
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return `${short} (${value instanceof Date ? 'Date' : typeof value})`;
}

function expected(column: Column): string {
  switch (column.type) {
    case 'text':
      return 'Expected a string, or null.';
    case 'integer':
      return 'Expected a whole number of 32 bits, or null.';
    case 'bigint':
      return 'Expected a whole number of 64 bits, as a bigint, or as text where JSON carries it, or null.';
    case 'double':
      return 'Expected a number, or null.';
    case 'boolean':
      return 'Expected true, false or null.';
    case 'date':
      return 'Expected text like "2026-03-01", or null.';
    case 'timestamp':
      return 'Expected ISO text like "2026-03-01T06:00:00.000000Z", or null.';
    default:
      return 'Expected decimal text that fits these digits, like "12.50", or null.';
  }
}
