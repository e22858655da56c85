/**
 * Text and bytes, between DuckDB's string slots and Arrow's offsets.
 *
 * A DuckDB string is a slot of 16 bytes: its length, then either the string itself (up to 12 bytes) or its first 4
 * bytes and a pointer. One call into DuckDB for each long string would cost more than everything else together, so
 * long strings move in bulk: strings that lie side by side in memory are read with one call, and all strings of a
 * vector are written as one block, into which the slots then point.
 */
import { isUtf8 } from 'node:buffer';
import bindings, { type Vector } from '@duckdb/node-bindings';
import { bitAt } from './bits.ts';
import type { Piece } from './read.ts';

const SLOT = 16;
const INLINE = 12;
const WORDS = 4;
/** Arrow's offsets are 32-bit. */
const MAX_BYTES = 2 ** 31 - 1;

/** Strings one after the other: row `i` is `values[offsets[i] .. offsets[i + 1]]`. */
export interface ByteColumn {
  readonly values: Uint8Array;
  readonly offsets: Int32Array;
}

/** Reads text or bytes. `bits` is the validity of all rows; what stands in the slot of a NULL is not looked at. */
export function readBytes(pieces: readonly Piece[], length: number, bits: Uint8Array | null): ByteColumn {
  const slots = pieces.map((piece) => new Slots(piece));
  const offsets = measure(slots, length, bits);
  const values = new Uint8Array(offsets[length]!);
  let row = 0;
  for (const piece of slots) {
    for (let i = piece.start; i < piece.end; i++, row++) {
      if (offsets[row + 1] !== offsets[row]) piece.copy(i, values, offsets[row]!);
    }
  }
  return { values, offsets };
}

function measure(slots: readonly Slots[], length: number, bits: Uint8Array | null): Int32Array {
  const offsets = new Int32Array(length + 1);
  let total = 0;
  let row = 0;
  for (const piece of slots) {
    for (let i = piece.start; i < piece.end; i++, row++) {
      if (bits === null || bitAt(bits, row)) total += piece.byteCount(i);
      else piece.forget(i);
      offsets[row + 1] = total;
    }
  }
  if (total > MAX_BYTES) {
    throw new RangeError(
      `A result column holds ${total} bytes of text, more than the 2 GiB that fit in one table.`,
    );
  }
  return offsets;
}

/** The slots of one vector, and the stretch of its memory that was read last. */
class Slots {
  readonly start: number;
  readonly end: number;
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  #run: Uint8Array = new Uint8Array(0);
  #runAddress = 0;

  constructor({ vector, start, count }: Piece) {
    this.start = start;
    this.end = start + count;
    // A copy of our own: it is aligned, and may be changed.
    this.#bytes = Uint8Array.from(bindings.vector_get_data(vector, this.end * SLOT));
    this.#words = new Uint32Array(this.#bytes.buffer);
  }

  byteCount(slot: number): number {
    return this.#words[slot * WORDS]!;
  }

  /** Empties the slot of a NULL, so that its garbage is never taken for a pointer. */
  forget(slot: number): void {
    this.#words[slot * WORDS] = 0;
  }

  copy(slot: number, target: Uint8Array, at: number): void {
    const count = this.byteCount(slot);
    if (count <= INLINE) {
      const from = slot * SLOT + 4;
      for (let i = 0; i < count; i++) target[at + i] = this.#bytes[from + i]!;
      return;
    }
    let from = this.#address(slot) - this.#runAddress;
    if (from < 0 || from + count > this.#run.length) {
      this.#readRun(slot);
      from = 0;
    }
    target.set(this.#run.subarray(from, from + count), at);
  }

  #address(slot: number): number {
    const word = slot * WORDS;
    // Addresses have at most 48 bits in use, and fit in a double.
    return this.#words[word + 2]! + this.#words[word + 3]! * 2 ** 32;
  }

  /** Reads the string of a slot together with those of later slots that follow it in memory without a gap. */
  #readRun(slot: number): void {
    const address = this.#address(slot);
    let end = address + this.byteCount(slot);
    for (let next = slot + 1; next < this.end; next++) {
      const count = this.byteCount(next);
      if (count <= INLINE) continue;
      if (this.#address(next) !== end) break;
      end += count;
    }
    const pointer = slot * SLOT + 8;
    this.#run = bindings.get_data_from_pointer(this.#bytes.buffer as ArrayBuffer, pointer, end - address);
    this.#runAddress = address;
  }
}

/** Strings to write: row `i` is `values[offsets[i] .. offsets[i + 1]]`, and none where `bits` says NULL. */
export interface StringsToWrite {
  readonly values: Uint8Array;
  readonly offsets: ArrayLike<number>;
  readonly count: number;
  readonly bits: Uint8Array | null;
}

/** Writes rows 0 to `count` of a VARCHAR vector. DuckDB refuses what is not UTF-8, so that is repaired with U+FFFD. */
export function writeText(vector: Vector, strings: StringsToWrite): void {
  writeBytes(vector, isText(strings) ? strings : repaired(strings));
}

/** Writes rows 0 to `count` of a VARCHAR vector that is known to get UTF-8, or of a BLOB vector. */
export function writeBytes(vector: Vector, { values, offsets, count, bits }: StringsToWrite): void {
  const slots = new Uint8Array(count * SLOT);
  const words = new Uint32Array(slots.buffer);
  const block = { start: offsets[0]!, end: offsets[count]!, address: -1 };
  if (!(block.start >= 0 && block.end <= values.length)) throw damaged(block.start, block.end, values);
  for (let row = 0; row < count; row++) {
    const from = offsets[row]!;
    const size = offsets[row + 1]! - from;
    if (size === 0 || (bits !== null && !bitAt(bits, row))) continue;
    if (!(size >= 0 && from >= block.start && from + size <= block.end))
      throw damaged(from, from + size, values);
    const inline = size <= INLINE ? size : 4;
    words[row * WORDS] = size;
    for (let i = 0; i < inline; i++) slots[row * SLOT + 4 + i] = values[from + i]!;
    if (size <= INLINE) continue;
    if (block.address < 0) block.address = storeBlock(vector, values.subarray(block.start, block.end));
    const address = block.address + (from - block.start);
    words[row * WORDS + 2] = address % 2 ** 32;
    words[row * WORDS + 3] = Math.floor(address / 2 ** 32);
  }
  bindings.copy_data_to_vector(vector, 0, slots.buffer, 0, slots.byteLength);
}

/** Offsets may come from anybody's IPC bytes, and DuckDB would follow them to where no text is. */
function damaged(from: number, to: number, values: Uint8Array): Error {
  return new Error(`Text offsets are damaged: ${from} to ${to} of ${values.length} bytes.`);
}

/** Puts a block into the memory that a vector owns, and returns its address. The first slot is overwritten. */
function storeBlock(vector: Vector, block: Uint8Array): number {
  bindings.vector_assign_string_element_len(vector, 0, block);
  const slot = Uint8Array.from(bindings.vector_get_data(vector, SLOT));
  const words = new Uint32Array(slot.buffer);
  const address = words[2]! + words[3]! * 2 ** 32;
  if (words[0] !== block.length || address === 0) throw new Error('DuckDB did not accept a block of text.');
  return address;
}

/** Whether every string is UTF-8: all of them together are, and none begins inside a character. */
function isText({ values, offsets, count }: StringsToWrite): boolean {
  if (!isUtf8(values.subarray(offsets[0] ?? 0, offsets[count] ?? 0))) return false;
  for (let row = 0; row < count; row++) {
    if (offsets[row] !== offsets[row + 1] && (values[offsets[row]!]! & 0xc0) === 0x80) return false;
  }
  return true;
}

function repaired({ values, offsets, count, bits }: StringsToWrite): StringsToWrite {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: Uint8Array[] = [];
  const newOffsets = [0];
  for (let row = 0; row < count; row++) {
    const valid = bits === null || bitAt(bits, row);
    const bytes = valid ? values.subarray(offsets[row]!, offsets[row + 1]!) : new Uint8Array(0);
    parts.push(new TextEncoder().encode(decoder.decode(bytes)));
    newOffsets.push(newOffsets[row]! + parts[row]!.length);
  }
  return { values: Buffer.concat(parts), offsets: newOffsets, count, bits };
}
