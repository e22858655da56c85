/**
 * Validity bitmaps. Arrow and DuckDB agree on the layout (least significant bit first, 1 is valid), but an Arrow
 * bitmap may begin at any bit, and DuckDB's are whole 64-bit words.
 */
import type { Data } from 'apache-arrow';

export function bitAt(bits: Uint8Array, index: number): boolean {
  return (bits[index >> 3]! & (1 << (index & 7))) !== 0;
}

export function clearBit(bits: Uint8Array, index: number): void {
  bits[index >> 3]! &= ~(1 << (index & 7));
}

/** Copies bits; byte by byte where both sides begin at a byte. Bits of the target beyond the copied ones stay. */
export function copyBits(
  source: Uint8Array,
  sourceStart: number,
  target: Uint8Array,
  targetStart: number,
  count: number,
): void {
  let done = 0;
  if ((sourceStart & 7) === 0 && (targetStart & 7) === 0) {
    const bytes = count >> 3;
    target.set(source.subarray(sourceStart >> 3, (sourceStart >> 3) + bytes), targetStart >> 3);
    done = bytes << 3;
  }
  for (; done < count; done++) {
    const bit = targetStart + done;
    if (bitAt(source, sourceStart + done)) target[bit >> 3]! |= 1 << (bit & 7);
    else clearBit(target, bit);
  }
}

/** A bitmap for `count` rows, in whole 64-bit words, all valid. */
export function allValid(count: number): Uint8Array {
  return new Uint8Array(Math.ceil(count / 64) * 8).fill(255);
}

/** Whether a row of Arrow data is not NULL. Made once for each column: `Data.getValid` looks up too much for a loop. */
export function validityTest(data: Data): (row: number) => boolean {
  const bits = validityBits(data);
  if (bits === null) return data.type.typeId === NULL_TYPE ? () => false : () => true;
  const { offset } = data;
  return (row) => bitAt(bits, offset + row);
}

/** The bitmap of Arrow data, whose first row is at bit `data.offset`; null where no row is NULL (or all are: type Null). */
export function validityBits(data: Data): Uint8Array | null {
  const bits = data.nullBitmap as Uint8Array | undefined;
  if (bits === undefined || bits.length === 0 || data.nullCount === 0) return null;
  return bits;
}

const NULL_TYPE = 1;
