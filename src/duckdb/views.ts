import type * as arrow from 'apache-arrow';

/** The bytes of a row of Utf8View or BinaryView data. */
export function viewBytes(data: arrow.Data, row: number): Uint8Array {
  if (!data.getValid(row)) return new Uint8Array(0);
  const slot: Uint8Array = data.values.subarray(row * 16, row * 16 + 16);
  const view = new DataView(slot.buffer, slot.byteOffset, 16);
  const size = view.getInt32(0, true);
  if (size <= 12) return slot.subarray(4, 4 + Math.max(size, 0));
  const from = view.getInt32(12, true);
  return data.variadicBuffers[view.getInt32(8, true)]!.subarray(from, from + size);
}
