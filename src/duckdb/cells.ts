/**
 * Columns of Arrow tables as canonical cells (see contract/columns.ts), a column at a time.
 *
 * Types beyond the contract's: other integers are numbers up to 32 bits and bigints above, HUGEINT too; times are
 * `HH:MM:SS.ffffff`; bytes are hexadecimal text; lists, structs and maps are JSON text. Timestamps of every unit and
 * zone, and Date64, are UTC text with six decimals: what nanoseconds say beyond that is cut off.
 */
import * as arrow from 'apache-arrow';
import type { Cell } from '../contract/columns.ts';
import { bitAt, validityTest } from './bits.ts';
import { decimalTextAt, unscaled } from './decimals.ts';
import { isHugeint } from './hugeint.ts';
import { textReader } from './text.ts';
import { clockText, dayText, microsIn, timestampTexts, toMicros } from './times.ts';
import { viewBytes } from './views.ts';

/** The cells of a column. With its field, a HUGEINT becomes bigints; without, it is a decimal without fraction. */
export function columnCells(vector: arrow.Vector, field?: arrow.Field): Cell[] {
  const known = field ?? new arrow.Field('', vector.type, true);
  const parts = vector.data.map((data) => cellsOf(data, known));
  return parts.length === 1 ? parts[0]! : parts.flat();
}

/** The cells of one chunk of a column. */
export function cellsOf(data: arrow.Data, field: arrow.Field): Cell[] {
  const read = cellReader(data, field);
  const isValid = validityTest(data);
  const cells = new Array<Cell>(data.length);
  for (let row = 0; row < data.length; row++) cells[row] = isValid(row) ? read(row) : null;
  return cells;
}

type CellReader = (row: number) => Cell;

function cellReader(data: arrow.Data, field: arrow.Field): CellReader {
  const type = data.type as arrow.DataType;
  const { DataType } = arrow;
  const { values } = data;
  if (DataType.isDictionary(type)) return dictionaryReader(data, field);
  if (DataType.isUtf8(type)) return textReader(values, data.valueOffsets);
  if (DataType.isLargeUtf8(type))
    return textReader(values, Array.from(data.valueOffsets as BigInt64Array, Number));
  if (DataType.isUtf8View(type)) return (row) => Buffer.from(viewBytes(data, row)).toString('utf8');
  if (DataType.isBool(type)) return (row) => bitAt(values, data.offset + row);
  if (DataType.isInt(type)) return (row) => values[row];
  if (DataType.isFloat(type) && type.precision !== arrow.Precision.HALF) return (row) => values[row];
  if (DataType.isDecimal(type)) return decimalReader(data, isHugeint(field) ? null : type.scale);
  if (DataType.isDate(type)) return dateReader(values, type);
  if (DataType.isTimestamp(type)) return timestampReader(values, type.unit);
  if (DataType.isTime(type))
    return (row) => clockText(Number(toMicros(BigInt(values[row]), microsIn(type.unit))));
  if (isNested(type)) return nestedReader(data, field);
  return otherReader(data);
}

function dictionaryReader(data: arrow.Data, field: arrow.Field): CellReader {
  const entries = data.dictionary!.data.flatMap((chunk) => cellsOf(chunk, field));
  return (row) => {
    const entry = entries[Number(data.values[row])];
    if (entry === undefined) {
      throw new Error(
        `Row ${row} points to entry ${data.values[row]} of a dictionary of ${entries.length} entries.`,
      );
    }
    return entry;
  };
}

/** Decimals as text, or as bigints where `scale` is null. */
function decimalReader({ values, stride }: arrow.Data, scale: number | null): CellReader {
  if (scale === null) return (row) => unscaled(values, row, stride);
  return (row) => decimalTextAt(values, row, stride, scale);
}

function dateReader(values: Int32Array | BigInt64Array, type: arrow.Date_): CellReader {
  if (type.unit === arrow.DateUnit.DAY) return (row) => dayText(Number(values[row]));
  return timestampReader(values as BigInt64Array, arrow.TimeUnit.MILLISECOND);
}

function timestampReader(values: BigInt64Array, unit: arrow.TimeUnit): CellReader {
  const text = timestampTexts();
  if (unit === arrow.TimeUnit.MICROSECOND) return (row) => text(values[row]!);
  const factor = microsIn(unit);
  return (row) => text(toMicros(values[row]!, factor));
}

function isNested(type: arrow.DataType): boolean {
  const { DataType } = arrow;
  const isList = DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type);
  return isList || DataType.isStruct(type) || DataType.isMap(type);
}

function otherReader(data: arrow.Data): CellReader {
  const vector = new arrow.Vector([data]);
  return (row) => {
    const value: unknown = vector.get(row);
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
    return typeof value === 'number' || typeof value === 'bigint' ? value : String(value);
  };
}

function nestedReader(data: arrow.Data, field: arrow.Field): CellReader {
  const read = jsonReader(data, field);
  return (row) => JSON.stringify(read(row));
}

type JsonReader = (row: number) => unknown;

/** Reads rows as what `JSON.stringify` takes: lists as arrays, structs as objects, maps as lists of pairs. */
function jsonReader(data: arrow.Data, field: arrow.Field): JsonReader {
  const type = data.type as arrow.DataType;
  const { DataType } = arrow;
  const isValid = validityTest(data);
  const children = (): JsonReader[] =>
    data.children.map((child, i) => jsonReader(child, type.children[i] as arrow.Field));
  if (DataType.isStruct(type)) {
    const names = type.children.map((child: arrow.Field) => child.name);
    const readers = children();
    const pairs = (row: number) => names.map((name, i) => [name, readers[i]!(row)]);
    return (row) => (isValid(row) ? Object.fromEntries(pairs(row)) : null);
  }
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isMap(type)) {
    const [item] = children();
    const read = DataType.isMap(type) ? (row: number) => Object.values(item!(row) as object) : item!;
    return (row) =>
      isValid(row) ? range(data.valueOffsets[row], data.valueOffsets[row + 1]).map(read) : null;
  }
  if (DataType.isFixedSizeList(type)) {
    const [item] = children();
    return (row) => (isValid(row) ? range(row * type.listSize, (row + 1) * type.listSize).map(item!) : null);
  }
  const cells = cellsOf(data, field);
  return (row) => jsonCell(cells[row]!);
}

function range(from: number | bigint, to: number | bigint): number[] {
  return Array.from({ length: Number(to) - Number(from) }, (_, i) => Number(from) + i);
}

/** A cell as JSON holds it without loss: big integers and what is no JSON number as text. */
export function jsonCell(cell: Cell): null | boolean | number | string {
  if (typeof cell === 'bigint') return String(cell);
  if (typeof cell !== 'number') return cell;
  if (Object.is(cell, -0)) return '-0';
  return Number.isFinite(cell) ? cell : String(cell);
}
