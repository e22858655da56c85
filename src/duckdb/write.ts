/**
 * Arrow data to DuckDB vectors: the inverse of read.ts, chunk by chunk. Arrow tables may come from anybody, so sizes
 * are checked before memory is copied.
 */

import * as duckdb from '@duckdb/node-api';
import bindings, { type Vector } from '@duckdb/node-bindings';
import * as arrow from 'apache-arrow';
import { allValid, bitAt, clearBit, copyBits, validityBits } from './bits.ts';
import { cellsOf } from './cells.ts';
import { copyToVector, copyValidity, type Source, valuesOf } from './source.ts';
import { type StringsToWrite, writeBytes, writeText } from './strings.ts';
import { textData } from './text.ts';
import { type MicrosIn, microsIn, toMicros } from './times.ts';
import { viewBytes } from './views.ts';
import { writeDecimal } from './write-decimal.ts';

const Id = duckdb.DuckDBTypeId;

/**
 * Writes rows into the beginning of a vector of type `duckdbType(source.field)`. `parentBits` are the rows that a
 * surrounding struct leaves valid: DuckDB takes for granted that what is inside a NULL is NULL.
 */
export function writeVector(
  vector: Vector,
  type: duckdb.DuckDBType,
  source: Source,
  parentBits: Uint8Array | null = null,
): void {
  const bits = writeValidity(vector, source, parentBits);
  const { data, count } = source;
  if (count === 0 || arrow.DataType.isNull(data.type)) return;
  if (type instanceof duckdb.DuckDBListType) writeList(vector, type.valueType, source, bits);
  else if (type instanceof duckdb.DuckDBMapType) writeMap(vector, type, source, bits);
  else if (type instanceof duckdb.DuckDBStructType) writeStruct(vector, type, source, bits);
  else if (type instanceof duckdb.DuckDBArrayType) writeArray(vector, type, source, bits);
  else writeFlat(vector, type, source, bits);
}

function writeFlat(vector: Vector, type: duckdb.DuckDBType, source: Source, bits: Uint8Array | null): void {
  switch (type.typeId) {
    case Id.DECIMAL:
    case Id.HUGEINT:
      writeDecimal(vector, type, source, bits);
      break;
    case Id.VARCHAR:
      writeText(vector, stringsOf(textSource(source), bits));
      break;
    case Id.BLOB:
      writeBytes(vector, stringsOf(source, bits));
      break;
    case Id.BOOLEAN:
      writeBoolean(vector, source);
      break;
    default:
      writeFixed(vector, source, bits);
  }
}

/** Makes all `count` rows of a vector NULL. */
export function writeNulls(vector: Vector, count: number): void {
  if (count > 0) copyValidity(vector, new Uint8Array(Math.ceil(count / 64) * 8));
}

function writeValidity(vector: Vector, source: Source, parentBits: Uint8Array | null): Uint8Array | null {
  const { data, start, count } = source;
  if (count === 0) return null;
  if (arrow.DataType.isNull(data.type)) {
    writeNulls(vector, count);
    return null;
  }
  const own = validityBits(data);
  if (own === null && parentBits === null) return null;
  const bits = allValid(count);
  if (own !== null) copyBits(own, data.offset + start, bits, 0, count);
  if (parentBits !== null) for (let i = 0; i < bits.length; i++) bits[i]! &= parentBits[i]!;
  copyValidity(vector, bits);
  return bits;
}

function writeFixed(vector: Vector, source: Source, bits: Uint8Array | null): void {
  const unit = unitToConvert(source.data.type);
  if (unit !== null) copyToVector(vector, micros(source, unit, bits));
  else if (isHalfFloat(source.data.type)) copyToVector(vector, floats(source));
  else copyToVector(vector, valuesOf(source));
}

function isHalfFloat(type: arrow.DataType): boolean {
  return arrow.DataType.isFloat(type) && type.precision === arrow.Precision.HALF;
}

function floats({ data, start, count, field }: Source): Float32Array {
  return Float32Array.from(cellsOf(data.slice(start, count), field) as number[]);
}

/** The unit of values that DuckDB stores in another one, or null where it stores them as they are. */
function unitToConvert(type: arrow.DataType): MicrosIn | null {
  const { DataType } = arrow;
  if (DataType.isDate(type)) {
    return type.unit === arrow.DateUnit.MILLISECOND ? microsIn(arrow.TimeUnit.MILLISECOND) : null;
  }
  if (DataType.isTime(type)) return type.unit < arrow.TimeUnit.MICROSECOND ? microsIn(type.unit) : null;
  const converted = DataType.isTimestamp(type) && type.timezone && type.unit !== arrow.TimeUnit.MICROSECOND;
  return converted ? microsIn(type.unit) : null;
}

function micros(source: Source, unit: MicrosIn, bits: Uint8Array | null): BigInt64Array {
  const { field } = source;
  const values: Int32Array | BigInt64Array = valuesOf(source);
  return BigInt64Array.from(values as Iterable<number | bigint>, (value, row) => {
    // What stands in the place of a NULL may be anything, and is nothing to complain about.
    if (bits !== null && !bitAt(bits, row)) return 0n;
    const converted = toMicros(BigInt(value), unit);
    if (BigInt.asIntN(64, converted) === converted) return converted;
    throw new Error(
      `Column "${field.name}" (${field.type}) holds ${value}, which is beyond DuckDB's microseconds.`,
    );
  });
}

function writeBoolean(vector: Vector, { data, start, count }: Source): void {
  const values = new Uint8Array(count * bindings.sizeof_bool);
  for (let i = 0; i < count; i++) {
    if (bitAt(data.values, data.offset + start + i)) values[i * bindings.sizeof_bool] = 1;
  }
  copyToVector(vector, values);
}

/** Types that DuckDB has not, as the text of their cells. */
function textSource(source: Source): Source {
  const { DataType } = arrow;
  const { data, start, count, field } = source;
  if (DataType.isUtf8(data.type) || DataType.isLargeUtf8(data.type) || DataType.isUtf8View(data.type))
    return source;
  const cells = cellsOf(data.slice(start, count), field);
  return {
    data: textData(cells.map((cell) => (cell === null ? null : String(cell)))),
    start: 0,
    count,
    field,
  };
}

function stringsOf({ data, start, count }: Source, bits: Uint8Array | null): StringsToWrite {
  const { DataType } = arrow;
  if (DataType.isUtf8View(data.type) || DataType.isBinaryView(data.type)) {
    const part = new arrow.Vector([data.slice(start, count)]);
    const parts = Array.from({ length: count }, (_, i) => viewBytes(part.data[0]!, i));
    return { values: Buffer.concat(parts), offsets: endsOf(parts), count, bits };
  }
  const values: Uint8Array = data.values ?? new Uint8Array(0);
  if (DataType.isFixedSizeBinary(data.type)) {
    const { byteWidth } = data.type;
    const offsets = Array.from({ length: count + 1 }, (_, i) => (start + i) * byteWidth);
    return { values, offsets, count, bits };
  }
  const offsets: Int32Array | BigInt64Array = data.valueOffsets.subarray(start, start + count + 1);
  return {
    values,
    offsets: offsets instanceof BigInt64Array ? Array.from(offsets, Number) : offsets,
    count,
    bits,
  };
}

function endsOf(parts: readonly Uint8Array[]): number[] {
  const ends = [0];
  for (const part of parts) ends.push(ends.at(-1)! + part.length);
  return ends;
}

function writeStruct(
  vector: Vector,
  type: duckdb.DuckDBStructType,
  source: Source,
  bits: Uint8Array | null,
): void {
  const { data, start, count } = source;
  type.entryTypes.forEach((entryType, i) => {
    const child = { data: data.children[i]!, start, count, field: data.type.children[i]! };
    writeVector(bindings.struct_vector_get_child(vector, i), entryType, child, bits);
  });
}

function writeArray(
  vector: Vector,
  type: duckdb.DuckDBArrayType,
  source: Source,
  bits: Uint8Array | null,
): void {
  const { length } = type;
  const { data, start, count } = source;
  const child = {
    data: data.children[0]!,
    start: start * length,
    count: count * length,
    field: data.type.children[0]!,
  };
  writeVector(
    bindings.array_vector_get_child(vector),
    type.valueType,
    child,
    bits && spread(bits, count, length),
  );
}

/** The bitmap of items that are inside valid rows. */
function spread(bits: Uint8Array, count: number, size: number): Uint8Array {
  const items = allValid(count * size);
  for (let i = 0; i < count * size; i++) if (!bitAt(bits, Math.floor(i / size))) clearBit(items, i);
  return items;
}

function writeMap(vector: Vector, type: duckdb.DuckDBMapType, source: Source, bits: Uint8Array | null): void {
  const names = (source.data.type.children[0]!.type.children as arrow.Field[]).map((child) => child.name);
  writeList(vector, new duckdb.DuckDBStructType(names, [type.keyType, type.valueType]), source, bits);
}

function writeList(
  vector: Vector,
  childType: duckdb.DuckDBType,
  source: Source,
  bits: Uint8Array | null,
): void {
  const { data, start, count } = source;
  const offsets = data.valueOffsets;
  const first = Number(offsets[start]);
  const childCount = Number(offsets[start + count]) - first;
  const child = data.children[0]!;
  const entries = new BigUint64Array(count * 2);
  for (let i = 0; i < count; i++) {
    const from = Number(offsets[start + i]) - first;
    const size = Number(offsets[start + i + 1]) - first - from;
    if (!(from >= 0 && size >= 0 && from + size <= childCount && first + childCount <= child.length)) {
      throw new Error(`List offsets are damaged: ${from} to ${from + size} of ${child.length} items.`);
    }
    entries[i * 2] = BigInt(from);
    entries[i * 2 + 1] = bits === null || bitAt(bits, i) ? BigInt(size) : 0n;
  }
  copyToVector(vector, entries);
  bindings.list_vector_reserve(vector, childCount);
  bindings.list_vector_set_size(vector, childCount);
  const items = { data: child, start: first, count: childCount, field: data.type.children[0]! };
  writeVector(bindings.list_vector_get_child(vector), childType, items);
}
