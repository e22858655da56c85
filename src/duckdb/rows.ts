/**
 * Rows of canonical cells (see contract/columns.ts) to Arrow tables and back. Nothing here loads DuckDB, which takes a
 * tenth of a second that processes without a database need not spend.
 */
import * as arrow from 'apache-arrow';
import type { Cell, Column, ColumnType, Row } from '../contract/columns.ts';
import { allValid, clearBit } from './bits.ts';
import { cellError } from './cell-error.ts';
import { columnCells } from './cells.ts';
import { decimalShape, parseDecimal } from './decimals.ts';
import { tableFromData } from './table.ts';
import { textData } from './text.ts';
import { parseDay, parseTimestamp } from './times.ts';

export { cellError } from './cell-error.ts';
export { columnCells } from './cells.ts';
export { cellFromJson, cellToJson } from './json-cells.ts';

/**
 * An Arrow table of the columns, in their order. A cell that a row does not mention is NULL; what a row has beyond
 * the columns is left out. Throws where a cell is none that its column's type can hold.
 */
export function tableFromRows(columns: readonly Column[], rows: readonly Row[]): arrow.Table {
  const data = columns.map((column) => columnData(column, cellsByRow(column.name, rows)));
  const fields = columns.map((column, i) => new arrow.Field(column.name, data[i]!.type, true));
  return tableFromData(fields, data, rows.length);
}

/** The Arrow type of a column's type. */
export function arrowTypeOf(type: ColumnType): arrow.DataType {
  switch (type) {
    case 'text':
      return new arrow.Utf8();
    case 'integer':
      return new arrow.Int32();
    case 'bigint':
      return new arrow.Int64();
    case 'double':
      return new arrow.Float64();
    case 'boolean':
      return new arrow.Bool();
    case 'date':
      return new arrow.DateDay();
    case 'timestamp':
      return new arrow.TimestampMicrosecond();
    default:
      return decimalArrowType(type);
  }
}

function decimalArrowType(type: ColumnType): arrow.Decimal {
  const { precision, scale } = decimalShape(type);
  return new arrow.Decimal(scale, precision, 128);
}

function cellsByRow(name: string, rows: readonly Row[]): Cell[] {
  // Only these names can be found in a row that does not have them.
  if (name in Object.prototype) return rows.map((row) => (Object.hasOwn(row, name) ? row[name]! : null));
  return rows.map((row) => row[name] ?? null);
}

function columnData(column: Column, cells: readonly Cell[]): arrow.Data {
  const type = arrowTypeOf(column.type);
  const fail = (row: number): Error => cellError(column, cells[row], row);
  if (column.type === 'text') {
    const wrong = cells.findIndex((cell) => cell !== null && typeof cell !== 'string');
    if (wrong >= 0) throw fail(wrong);
    return textData(cells as readonly (string | null)[]);
  }
  const bits = validityOf(cells);
  const values = valuesOf(column.type, type, cells, fail);
  return new arrow.Data(type, 0, cells.length, bits === null ? 0 : -1, [
    undefined,
    values,
    bits ?? undefined,
  ] as never);
}

function validityOf(cells: readonly Cell[]): Uint8Array | null {
  let bits: Uint8Array | null = null;
  for (let row = 0; row < cells.length; row++) {
    if (cells[row] !== null) continue;
    bits ??= allValid(cells.length);
    clearBit(bits, row);
  }
  return bits;
}

type Fail = (row: number) => Error;

function valuesOf(type: ColumnType, arrowType: arrow.DataType, cells: readonly Cell[], fail: Fail): unknown {
  switch (type) {
    case 'integer':
      return fill(new Int32Array(cells.length), cells, integer, fail);
    case 'double':
      return fill(
        new Float64Array(cells.length),
        cells,
        (cell) => (typeof cell === 'number' ? cell : null),
        fail,
      );
    case 'date':
      return fill(new Int32Array(cells.length), cells, day, fail);
    case 'bigint':
      return fill(new BigInt64Array(cells.length), cells, bigint, fail);
    case 'timestamp':
      return fill(new BigInt64Array(cells.length), cells, instants(), fail);
    case 'boolean':
      return booleans(cells, fail);
    default:
      return decimals(arrowType as arrow.Decimal, cells, fail);
  }
}

/** Converts every cell that is not NULL; a cell that converts to null fails. */
function fill<V, A extends { [row: number]: V }>(
  values: A,
  cells: readonly Cell[],
  convert: (cell: Cell) => V | null,
  fail: Fail,
): A {
  for (let row = 0; row < cells.length; row++) {
    if (cells[row] === null) continue;
    const value = convert(cells[row]!);
    if (value === null) throw fail(row);
    (values as { [row: number]: V })[row] = value;
  }
  return values;
}

function integer(cell: Cell): number | null {
  return typeof cell === 'number' && (cell | 0) === cell ? cell : null;
}

function bigint(cell: Cell): bigint | null {
  return typeof cell === 'bigint' && BigInt.asIntN(64, cell) === cell ? cell : null;
}

function day(cell: Cell): number | null {
  return typeof cell === 'string' ? parseDay(cell) : null;
}

/** Remembers the last instant: where columns of them are long, most repeat the row before. */
function instants(): (cell: Cell) => bigint | null {
  let last: Cell = null;
  let micros: bigint | null = null;
  return (cell) => {
    if (cell !== last) micros = typeof cell === 'string' ? parseTimestamp(cell) : null;
    last = cell;
    return micros;
  };
}

function booleans(cells: readonly Cell[], fail: Fail): Uint8Array {
  const bits = new Uint8Array(Math.ceil(cells.length / 8));
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    if (cell === true) bits[row >> 3]! |= 1 << (row & 7);
    else if (cell !== false && cell !== null) throw fail(row);
  }
  return bits;
}

function decimals({ precision, scale }: arrow.Decimal, cells: readonly Cell[], fail: Fail): Uint32Array {
  const values = new BigInt64Array(cells.length * 2);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row]!;
    if (cell === null) continue;
    const value = typeof cell === 'string' ? parseDecimal(cell, precision, scale) : null;
    if (value === null) throw fail(row);
    values[row * 2] = BigInt.asIntN(64, value);
    values[row * 2 + 1] = value >> 64n;
  }
  return new Uint32Array(values.buffer);
}

/** The rows of any Arrow table, as canonical cells. */
export function rowsFromTable(table: arrow.Table): Row[] {
  const { fields } = table.schema;
  const columns = fields.map((field, i) => columnCells(table.getChildAt(i)!, field));
  const names = fields.map((field) => field.name);
  // Copying a row that has all columns, and setting them, is four times as fast as adding them one by one; and a column
  // named `__proto__`, once it is there, is a column like the others.
  const empty: Record<string, Cell> = Object.fromEntries(names.map((name) => [name, null]));
  const rows = new Array<Row>(table.numRows);
  for (let i = 0; i < rows.length; i++) {
    const row = { ...empty };
    for (let c = 0; c < columns.length; c++) row[names[c]!] = columns[c]![i]!;
    rows[i] = row;
  }
  return rows;
}
