/** Arrow decimals, of 4 to 32 bytes, to DuckDB's, of 2 to 16. */

import * as duckdb from '@duckdb/node-api';
import type { Vector } from '@duckdb/node-bindings';
import type * as arrow from 'apache-arrow';
import { bitAt } from './bits.ts';
import { unscaled } from './decimals.ts';
import { copyToVector, type Source, valuesOf } from './source.ts';

/** Writes decimals into a DECIMAL or HUGEINT vector. */
export function writeDecimal(
  vector: Vector,
  type: duckdb.DuckDBType,
  source: Source,
  bits: Uint8Array | null,
): void {
  const digits = type instanceof duckdb.DuckDBDecimalType ? type.width : 38;
  const wordCount = source.data.stride;
  const words = valuesOf<Uint32Array>(source);
  if (digits > 18 && wordCount === 4) {
    copyToVector(vector, words);
    return;
  }
  const narrow = narrowArray(digits, source.count);
  const limit = 10n ** BigInt(digits);
  for (let row = 0; row < source.count; row++) {
    if (bits !== null && !bitAt(bits, row)) continue;
    const small = narrow instanceof Uint32Array ? null : smallValue(words, row, wordCount, digits);
    if (small !== null) {
      if (narrow instanceof BigInt64Array) narrow[row] = BigInt(small);
      else narrow[row] = small;
      continue;
    }
    const value = unscaled(words, row, wordCount);
    if (value >= limit || value <= -limit) throw tooLong(value, source.field);
    put(narrow, row, value);
  }
  copyToVector(vector, narrow);
}

type NarrowArray = Int16Array | Int32Array | BigInt64Array | Uint32Array;

function narrowArray(digits: number, count: number): NarrowArray {
  if (digits <= 4) return new Int16Array(count);
  if (digits <= 9) return new Int32Array(count);
  return digits <= 18 ? new BigInt64Array(count) : new Uint32Array(count * 4);
}

/** The value as a number, where it is a 32-bit one of no more digits: the common case, without big integers. */
function smallValue(words: Uint32Array, row: number, wordCount: number, digits: number): number | null {
  const at = row * wordCount;
  const low = words[at]! | 0;
  const sign = (low >> 31) >>> 0;
  for (let i = 1; i < wordCount; i++) if (words[at + i] !== sign) return null;
  return digits > 9 || Math.abs(low) < 10 ** digits ? low : null;
}

function put(narrow: NarrowArray, row: number, value: bigint): void {
  if (narrow instanceof BigInt64Array) narrow[row] = value;
  else if (!(narrow instanceof Uint32Array)) narrow[row] = Number(value);
  else for (let i = 0; i < 4; i++) narrow[row * 4 + i] = Number(BigInt.asUintN(32, value >> BigInt(32 * i)));
}

function tooLong(value: bigint, field: arrow.Field): Error {
  return new Error(
    `Column "${field.name}" is declared ${field.type} but holds ${value}, which has more digits.`,
  );
}
