import { isAscii } from 'node:buffer';
import * as arrow from 'apache-arrow';
import { allValid, clearBit } from './bits.ts';

/**
 * Texts as Arrow Utf8. A lone surrogate, which UTF-8 cannot write, becomes U+FFFD here as it does everywhere that
 * text leaves JavaScript.
 */
export function textData(texts: readonly (string | null)[]): arrow.Data<arrow.Utf8> {
  const offsets = new Int32Array(texts.length + 1);
  let bits: Uint8Array | null = null;
  let values = Buffer.allocUnsafe(texts.length * 16 + 64);
  let end = 0;
  for (let row = 0; row < texts.length; row++) {
    const text = texts[row]!;
    if (text === null) {
      bits ??= allValid(texts.length);
      clearBit(bits, row);
    } else {
      // A UTF-16 unit takes at most three bytes.
      if (end + text.length * 3 > values.length) values = grown(values, end, text.length * 3);
      end += values.write(text, end);
    }
    offsets[row + 1] = end;
  }
  const nullBitmap = bits ?? undefined;
  return arrow.makeData({
    type: new arrow.Utf8(),
    length: texts.length,
    nullCount: bits === null ? 0 : -1,
    valueOffsets: offsets,
    data: Uint8Array.prototype.slice.call(values, 0, end),
    nullBitmap,
  });
}

function grown(values: Buffer, end: number, room: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(Math.max(values.length * 2, end + room));
  values.copy(larger, 0, 0, end);
  return larger;
}

/** A function that decodes rows of a UTF-8 column. */
export function textReader(values: Uint8Array, offsets: ArrayLike<number>): (row: number) => string {
  const buffer = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  if (isAscii(values)) {
    // Then offsets in bytes are offsets in characters, and one decoding serves all rows.
    const all = buffer.toString('latin1');
    return (row) => all.slice(offsets[row], offsets[row + 1]);
  }
  // Not a TextDecoder: that swallows a leading U+FEFF.
  return (row) => buffer.toString('utf8', offsets[row], offsets[row + 1]);
}
