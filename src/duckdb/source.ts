/** What is written into a DuckDB vector, and the copying of plain values. */
import bindings, { type Vector } from '@duckdb/node-bindings';
import type * as arrow from 'apache-arrow';

/** Rows `start` to `start + count` of Arrow data without dictionaries. */
export interface Source {
  readonly data: arrow.Data;
  readonly start: number;
  readonly count: number;
  /** The field of the data; messages name it. */
  readonly field: arrow.Field;
}

/** The values of the rows. Where the buffer is too short (all-NULL columns may have none) zeros follow. */
export function valuesOf<T extends ArrayBufferView>({ data, start, count }: Source): T {
  const { stride } = data;
  const values = data.values?.subarray(start * stride, (start + count) * stride) ?? [];
  if (values.length === count * stride) return values;
  const padded = new data.type.ArrayType(count * stride);
  padded.set(values);
  return padded;
}

/** Copies values to the beginning of a vector. */
export function copyToVector(vector: Vector, values: ArrayBufferView): void {
  const { buffer, byteOffset, byteLength } = unshared(values);
  bindings.copy_data_to_vector(vector, 0, buffer, byteOffset, byteLength);
}

/** Copies a bitmap to the beginning of a vector's. */
export function copyValidity(vector: Vector, bits: Uint8Array): void {
  bindings.vector_ensure_validity_writable(vector);
  const { buffer, byteOffset, byteLength } = unshared(bits);
  bindings.copy_data_to_vector_validity(vector, 0, buffer, byteOffset, byteLength);
}

/** The binding does not take shared memory, in which other threads may hand over a table. */
function unshared(array: ArrayBufferView): { buffer: ArrayBuffer; byteOffset: number; byteLength: number } {
  const { buffer, byteOffset, byteLength } = array;
  if (buffer instanceof ArrayBuffer) return { buffer, byteOffset, byteLength };
  const own = new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength));
  return { buffer: own.buffer, byteOffset: 0, byteLength };
}
