/** Arrow columns of every kind with random values, for tests: built and read without the code under test. */

import * as arrow from 'apache-arrow';
import { type Data, DataType, type Table, type Vector } from 'apache-arrow';
import fc from 'fast-check';
import { allValid, clearBit } from './bits.ts';
import { tableFromData } from './table.ts';
import { textData } from './text.ts';

/** A kind of column: its Arrow type, its values as stored, and how many array elements each takes. */
export interface Kind {
  readonly type: arrow.DataType;
  readonly value: fc.Arbitrary<unknown>;
}

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, -(2n ** 63n) + 1n, 0n, -1n, 1_767_225_600_000_001n),
);
const int = (bits: number) => fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });
const uint = (bits: number) => fc.integer({ min: 0, max: 2 ** bits - 1 });
const decimalValue = (digits: number) => {
  const max = 10n ** BigInt(digits) - 1n;
  return fc.oneof(fc.bigInt({ min: -max, max }), fc.constantFrom(max, -max, 0n, -1n, 1n));
};
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 14 }),
  fc.constantFrom(
    '',
    '\0',
    'a\0b and more than twelve bytes',
    '\uFEFFbyte order mark',
    'Zürich 🜚 Åström',
    'NULL',
  ),
);

const decimals = [
  [4, 2],
  [9, 0],
  [9, 9],
  [18, 4],
  [38, 0],
  [38, 20],
] as const;

export const kinds: Record<string, Kind> = {
  boolean: { type: new arrow.Bool(), value: fc.boolean() },
  int8: { type: new arrow.Int8(), value: int(8) },
  int16: { type: new arrow.Int16(), value: int(16) },
  int32: { type: new arrow.Int32(), value: int(32) },
  int64: { type: new arrow.Int64(), value: int64 },
  uint8: { type: new arrow.Uint8(), value: uint(8) },
  uint16: { type: new arrow.Uint16(), value: uint(16) },
  uint32: { type: new arrow.Uint32(), value: uint(32) },
  uint64: { type: new arrow.Uint64(), value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) },
  float: { type: new arrow.Float32(), value: fc.float() },
  double: {
    type: new arrow.Float64(),
    value: fc.oneof(fc.double(), fc.constantFrom(-0, Number.NaN, Infinity)),
  },
  text: { type: new arrow.Utf8(), value: text },
  bytes: { type: new arrow.Binary(), value: fc.uint8Array({ maxLength: 30 }) },
  date: { type: new arrow.DateDay(), value: int(32) },
  time: { type: new arrow.TimeMicrosecond(), value: fc.bigInt({ min: 0n, max: 86_400_000_000n }) },
  timestamp: { type: new arrow.TimestampMicrosecond(), value: int64 },
  'timestamp in UTC': { type: new arrow.TimestampMicrosecond('UTC'), value: int64 },
  'timestamp in seconds': { type: new arrow.TimestampSecond(), value: int64 },
  'timestamp in milliseconds': { type: new arrow.TimestampMillisecond(), value: int64 },
  'timestamp in nanoseconds': { type: new arrow.TimestampNanosecond(), value: int64 },
  ...Object.fromEntries(
    decimals.map(([p, s]) => [
      `decimal(${p},${s})`,
      { type: new arrow.Decimal(s, p, 128), value: decimalValue(p) },
    ]),
  ),
};

/** Arrow data of one kind, built without the code under test where it is not text. */
export function dataOf({ type }: Kind, values: readonly unknown[]): Data {
  if (DataType.isUtf8(type)) return textData(values as (string | null)[]);
  const bits = allValid(values.length);
  values.forEach((value, row) => {
    if (value === null) clearBit(bits, row);
  });
  const filled = values.map((value) => value ?? zeroOf(type));
  const buffers = DataType.isBinary(type)
    ? bytesOf(filled as Uint8Array[])
    : [undefined, fixedOf(type, filled)];
  return new arrow.Data(type, 0, values.length, -1, [...buffers, bits] as never);
}

function zeroOf(type: arrow.DataType): unknown {
  if (DataType.isBinary(type)) return new Uint8Array(0);
  return type.ArrayType === BigInt64Array || type.ArrayType === BigUint64Array || DataType.isDecimal(type)
    ? 0n
    : 0;
}

function bytesOf(values: readonly Uint8Array[]): unknown[] {
  const offsets = Int32Array.from([0, ...values.map((_, i) => Buffer.concat(values.slice(0, i + 1)).length)]);
  return [offsets, new Uint8Array(Buffer.concat(values))];
}

function fixedOf(type: arrow.DataType, values: readonly unknown[]): unknown {
  if (DataType.isBool(type)) {
    const bits = new Uint8Array(Math.ceil(values.length / 8));
    values.forEach((value, row) => {
      if (value) bits[row >> 3]! |= 1 << (row & 7);
    });
    return bits;
  }
  if (DataType.isDecimal(type)) {
    return Uint32Array.from((values as bigint[]).flatMap((v) => [0, 1, 2, 3].map((i) => word(v, i))));
  }
  return type.ArrayType.from(values);
}

function word(value: bigint, index: number): number {
  return Number(BigInt.asUintN(32, value >> BigInt(32 * index)));
}

/** The values of a column as stored, by row. */
export function stored(vector: Vector): unknown[] {
  return vector.data.flatMap((data) => Array.from({ length: data.length }, (_, row) => storedAt(data, row)));
}

function storedAt(data: Data, row: number): unknown {
  if (!data.getValid(row)) return null;
  const { type, values, stride } = data;
  if (DataType.isUtf8(type)) {
    return Buffer.from(values.subarray(data.valueOffsets[row], data.valueOffsets[row + 1])).toString('utf8');
  }
  if (DataType.isBinary(type))
    return [...values.subarray(data.valueOffsets[row], data.valueOffsets[row + 1])];
  if (DataType.isBool(type))
    return (values[(data.offset + row) >> 3] & (1 << ((data.offset + row) & 7))) !== 0;
  return stride === 1 ? values[row] : [...values.subarray(row * stride, (row + 1) * stride)];
}

/** Rows of some columns, as values by column name; any may be NULL. */
export function tables(names: readonly string[], rows: fc.Arbitrary<number>): fc.Arbitrary<Table> {
  return rows.chain((count) => {
    const columns = names.map((name) => {
      const value = fc.option(kinds[name]!.value, { freq: 5 });
      return fc
        .array(value, { minLength: count, maxLength: count })
        .map((values) => dataOf(kinds[name]!, values));
    });
    const fields = names.map((name) => new arrow.Field(name, kinds[name]!.type, true));
    return fc.tuple(...columns).map((data) => tableFromData(fields, data, count));
  });
}
