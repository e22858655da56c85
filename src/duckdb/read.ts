/**
 * DuckDB vectors to Arrow data.
 *
 * A column of a result is a list of pieces: one vector for each chunk of up to 2,048 rows. A reader concatenates the
 * pieces into one Arrow `Data`, copying whole buffers where both layouts agree (all numbers, dates and timestamps)
 * and walking rows only where they do not (booleans, narrow decimals, text). The child of a list or struct is again
 * a list of pieces, so nesting is recursion.
 */

import * as duckdb from '@duckdb/node-api';
import bindings, { type Vector } from '@duckdb/node-bindings';
import * as arrow from 'apache-arrow';
import { allValid, bitAt, copyBits } from './bits.ts';
import { readBytes } from './strings.ts';
import { textData } from './text.ts';

/** Rows `start` to `start + count` of a DuckDB vector. */
export interface Piece {
  readonly vector: Vector;
  readonly start: number;
  readonly count: number;
}

const Id = duckdb.DuckDBTypeId;

/** All pieces of a column as one Arrow `Data` of the field's type. */
export function readColumn(
  type: duckdb.DuckDBType,
  field: arrow.Field,
  pieces: readonly Piece[],
): arrow.Data {
  const column = { type, target: field.type as arrow.DataType, pieces, length: rowCount(pieces) };
  if (type instanceof duckdb.DuckDBDecimalType) return readDecimal(column, type.width);
  if (type instanceof duckdb.DuckDBListType) return readList(column, type.valueType);
  if (type instanceof duckdb.DuckDBMapType) return readList(column, entryType(type));
  if (type instanceof duckdb.DuckDBStructType) return readStruct(column, type.entryTypes);
  if (type instanceof duckdb.DuckDBArrayType) return readArray(column, type);
  const width = FIXED_WIDTHS[type.typeId];
  if (width !== undefined) return readFixed(column, width);
  switch (type.typeId) {
    case Id.SQLNULL:
      return arrow.makeData({ type: new arrow.Null(), length: column.length });
    case Id.BOOLEAN:
      return readBoolean(column);
    case Id.VARCHAR:
    case Id.BLOB:
      return readVariable(column);
    default:
      return readAsText(column);
  }
}

/** Bytes of a value, where DuckDB and Arrow store the same. */
const FIXED_WIDTHS: { readonly [id: number]: number } = {
  [Id.TINYINT]: 1,
  [Id.UTINYINT]: 1,
  [Id.SMALLINT]: 2,
  [Id.USMALLINT]: 2,
  [Id.INTEGER]: 4,
  [Id.UINTEGER]: 4,
  [Id.FLOAT]: 4,
  [Id.DATE]: 4,
  [Id.BIGINT]: 8,
  [Id.UBIGINT]: 8,
  [Id.DOUBLE]: 8,
  [Id.TIME]: 8,
  [Id.TIME_NS]: 8,
  [Id.TIMESTAMP]: 8,
  [Id.TIMESTAMP_S]: 8,
  [Id.TIMESTAMP_MS]: 8,
  [Id.TIMESTAMP_NS]: 8,
  [Id.TIMESTAMP_TZ]: 8,
  [Id.HUGEINT]: 16,
};

interface ColumnToRead {
  readonly type: duckdb.DuckDBType;
  readonly target: arrow.DataType;
  readonly pieces: readonly Piece[];
  readonly length: number;
}

function rowCount(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.count, 0);
}

/** DuckDB stores a map as a list of these. */
function entryType(type: duckdb.DuckDBMapType): duckdb.DuckDBType {
  return new duckdb.DuckDBStructType(['key', 'value'], [type.keyType, type.valueType]);
}

/** The bytes of a vector's rows up to the end of the piece, at `width` bytes a row. */
function vectorBytes({ vector, start, count }: Piece, width: number): Uint8Array {
  return bindings.vector_get_data(vector, (start + count) * width);
}

function readFixed({ target, pieces, length }: ColumnToRead, width: number): arrow.Data {
  const bytes = new Uint8Array(length * width);
  let row = 0;
  for (const piece of pieces) {
    bytes.set(vectorBytes(piece, width).subarray(piece.start * width), row * width);
    row += piece.count;
  }
  return data(target, length, {
    values: new target.ArrayType(bytes.buffer),
    bits: readValidity(pieces, length),
  });
}

function readBoolean({ target, pieces, length }: ColumnToRead): arrow.Data {
  const values = new Uint8Array(Math.ceil(length / 8));
  let row = 0;
  for (const piece of pieces) {
    const bytes = vectorBytes(piece, bindings.sizeof_bool);
    for (let i = piece.start; i < piece.start + piece.count; i++, row++) {
      if (bytes[i * bindings.sizeof_bool] !== 0) values[row >> 3]! |= 1 << (row & 7);
    }
  }
  return data(target, length, { values, bits: readValidity(pieces, length) });
}

/** Decimals of up to 18 digits are 2, 4 or 8 bytes in DuckDB, and here become 16: the sign fills the rest. */
function readDecimal(column: ColumnToRead, digits: number): arrow.Data {
  if (digits > 18) return readFixed(column, 16);
  const { target, pieces, length } = column;
  const width = digits > 9 ? 8 : digits > 4 ? 4 : 2;
  const words = new Int32Array(length * 4);
  let row = 0;
  for (const piece of pieces) {
    const bytes = vectorBytes(piece, width);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = piece.start; i < piece.start + piece.count; i++, row++) {
      const low = width === 2 ? view.getInt16(i * 2, true) : view.getInt32(i * width, true);
      const high = width === 8 ? view.getInt32(i * 8 + 4, true) : low >> 31;
      const at = row * 4;
      words[at] = low;
      words[at + 1] = high;
      words[at + 2] = words[at + 3] = high >> 31;
    }
  }
  return data(target, length, { values: new Uint32Array(words.buffer), bits: readValidity(pieces, length) });
}

function readVariable({ target, pieces, length }: ColumnToRead): arrow.Data {
  const bits = readValidity(pieces, length);
  return data(target, length, { ...readBytes(pieces, length, bits), bits });
}

function readStruct(
  { target, pieces, length }: ColumnToRead,
  types: readonly duckdb.DuckDBType[],
): arrow.Data {
  const children = types.map((type, i) => {
    const child = (piece: Piece) => ({ ...piece, vector: bindings.struct_vector_get_child(piece.vector, i) });
    return readColumn(type, target.children[i]!, pieces.map(child));
  });
  return data(target, length, { bits: readValidity(pieces, length) }, children);
}

function readArray({ target, pieces, length }: ColumnToRead, type: duckdb.DuckDBArrayType): arrow.Data {
  const children = pieces.map(({ vector, start, count }) => ({
    vector: bindings.array_vector_get_child(vector),
    start: start * type.length,
    count: count * type.length,
  }));
  const child = readColumn(type.valueType, target.children[0]!, children);
  return data(target, length, { bits: readValidity(pieces, length) }, [child]);
}

/** DuckDB's lists are (offset, length) pairs into the child, in any order; Arrow's follow each other. */
function readList({ target, pieces, length }: ColumnToRead, childType: duckdb.DuckDBType): arrow.Data {
  const bits = readValidity(pieces, length);
  const offsets = new Int32Array(length + 1);
  const children: Piece[] = [];
  let row = 0;
  for (const piece of pieces) {
    const entries = new DataView(vectorBytes(piece, 16).slice().buffer);
    const vector = bindings.list_vector_get_child(piece.vector);
    for (let i = piece.start; i < piece.start + piece.count; i++, row++) {
      const valid = bits === null || bitAt(bits, row);
      const count = valid ? entries.getUint32(i * 16 + 8, true) : 0;
      if (count > 0) appendPiece(children, { vector, start: entries.getUint32(i * 16, true), count });
      offsets[row + 1] = offsets[row]! + count;
    }
  }
  return data(target, length, { offsets, bits }, [readColumn(childType, target.children[0]!, children)]);
}

/** Adds a piece, or lengthens the last one where it goes on from there. */
function appendPiece(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.vector === piece.vector && last.start + last.count === piece.start) {
    pieces[pieces.length - 1] = { ...last, count: last.count + piece.count };
  } else pieces.push(piece);
}

/** Types without a natural Arrow type, as the text that DuckDB's client prints for each value. */
function readAsText({ type, pieces }: ColumnToRead): arrow.Data {
  const texts: (string | null)[] = [];
  for (const { vector, start, count } of pieces) {
    const values = duckdb.DuckDBVector.create(vector, start + count, type);
    for (let row = start; row < start + count; row++) {
      const value = values.getItem(row);
      texts.push(value === null ? null : String(value));
    }
  }
  return textData(texts);
}

/** The bitmap of a column, or null where no row is NULL. */
function readValidity(pieces: readonly Piece[], length: number): Uint8Array | null {
  let bits: Uint8Array | null = null;
  let row = 0;
  for (const { vector, start, count } of pieces) {
    // The binding answers null where no row of the vector is NULL, which its types do not say.
    const words = Math.ceil((start + count) / 64);
    const source = bindings.vector_get_validity(vector, words * 8) as Uint8Array | null;
    if (source) {
      bits ??= allValid(length);
      copyBits(source, start, bits, row, count);
    }
    row += count;
  }
  return bits;
}

interface Buffers {
  readonly values?: unknown;
  readonly offsets?: Int32Array;
  readonly bits: Uint8Array | null;
}

function data(
  type: arrow.DataType,
  length: number,
  buffers: Buffers,
  children: arrow.Data[] = [],
): arrow.Data {
  const { offsets, values, bits } = buffers;
  const nullCount = bits === null ? 0 : -1;
  return new arrow.Data(type, 0, length, nullCount, [offsets, values, bits ?? undefined] as never, children);
}
