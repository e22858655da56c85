import type { Cell, Column, ColumnType } from '../../contract/columns.ts';
import { formatInstant } from '../../contract/instant.ts';
import { cellFromJson } from '../../duckdb/rows.ts';
import { jsonText } from './show.ts';

/**
 * Values as JavaScript code returns them, made into canonical cells: what a protocol may send as JSON, and `Date`
 * for an instant (it has no microseconds, which is for its owner to know). Throws where the column cannot hold it.
 */
export function canonicalCell(column: Column, value: unknown, row: number): Cell {
  return cellFromJson(column, dateText(value) ?? value, row);
}

/**
 * The column for values that are the implementation's own business: one kind of value gives that type, anything
 * mixed or nested is text (JSON). Texts stay texts, whatever they look like.
 */
export function inferColumn(name: string, values: Iterable<unknown>): Column {
  const kinds = new Set<ColumnType>();
  for (const value of values) if (value !== null && value !== undefined) kinds.add(kindOf(value));
  if (kinds.has('double') && kinds.has('bigint') && kinds.size === 2) kinds.delete('bigint');
  const [type = 'text'] = kinds;
  return { name, type: kinds.size > 1 ? 'text' : type, nullable: true };
}

/** A cell of such a column. */
export function inferredCell(column: Column, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (column.type === 'double') return Number(value);
  if (column.type === 'text') return textOf(value);
  return cellFromJson(column, dateText(value) ?? value);
}

function textOf(value: unknown): string {
  return dateText(value) ?? (typeof value === 'object' ? jsonText(value) : String(value));
}

function kindOf(value: unknown): ColumnType {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'bigint' : 'double';
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? 'bigint' : 'text';
  return dateText(value) === null ? 'text' : 'timestamp';
}

/** ISO text of a valid Date, also of one that another realm made. */
function dateText(value: unknown): string | null {
  if (typeof value !== 'object' || Object.prototype.toString.call(value) !== '[object Date]') return null;
  const milliseconds = (value as Date).getTime();
  return Number.isNaN(milliseconds) ? null : formatInstant(BigInt(milliseconds) * 1000n);
}
