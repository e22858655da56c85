/**
 * Picks rows out of Arrow data: how dictionaries are decoded. A dictionary may itself come in several chunks (deltas
 * in an IPC stream, builders), so a pick names a chunk and a row in it.
 */
import * as arrow from 'apache-arrow';
import { allValid, bitAt, clearBit, validityTest } from './bits.ts';

/** The row of each picked value, or -1 for NULL, and the chunk that it is in. */
interface Picks {
  readonly chunk: Int32Array;
  readonly row: Int32Array;
}

/** The same values without any dictionary in them, at any depth. Data that has none is returned as it is. */
export function plain(data: arrow.Data): arrow.Data {
  if (!hasDictionary(data.type)) return data;
  if (arrow.DataType.isDictionary(data.type)) {
    const dictionary = data.dictionary!.data.map(plain);
    return gather(dictionary, data.type.dictionary, dictionaryPicks(data, dictionary));
  }
  const children = data.children.map(plain);
  return new arrow.Data(plainType(data.type), data.offset, data.length, data.nullCount, data, children);
}

function hasDictionary(type: arrow.DataType): boolean {
  if (arrow.DataType.isDictionary(type)) return true;
  return (type.children ?? []).some((child: arrow.Field) => hasDictionary(child.type));
}

function plainField(field: arrow.Field): arrow.Field {
  return field.clone({ type: plainType(field.type) });
}

/** A type with every dictionary in it replaced by what the dictionary holds. */
export function plainType(type: arrow.DataType): arrow.DataType {
  const { DataType } = arrow;
  if (DataType.isDictionary(type)) return plainType(type.dictionary);
  if (!hasDictionary(type)) return type;
  const fields = (type.children as arrow.Field[]).map(plainField);
  if (DataType.isStruct(type)) return new arrow.Struct(fields);
  if (DataType.isList(type)) return new arrow.List(fields[0]!);
  if (DataType.isLargeList(type)) return new arrow.LargeList(fields[0]!);
  if (DataType.isFixedSizeList(type)) return new arrow.FixedSizeList(type.listSize, fields[0]!);
  if (DataType.isMap(type)) return new arrow.Map_(fields[0]! as arrow.Field<never>, type.keysSorted);
  throw new Error(`Dictionaries inside ${type} are not supported. Decode them before sending the table.`);
}

function dictionaryPicks(data: arrow.Data, chunks: readonly arrow.Data[]): Picks {
  const starts = [0];
  for (const chunk of chunks) starts.push(starts.at(-1)! + chunk.length);
  const total = starts.at(-1)!;
  const isValid = validityTest(data);
  const picks = emptyPicks(data.length);
  for (let i = 0; i < data.length; i++) {
    if (!isValid(i)) continue;
    const index = Number(data.values[i]);
    if (!(index >= 0 && index < total)) {
      throw new Error(`Row ${i} points to entry ${index} of a dictionary of ${total} entries.`);
    }
    let chunk = 0;
    while (index >= starts[chunk + 1]!) chunk++;
    picks.chunk[i] = chunk;
    picks.row[i] = index - starts[chunk]!;
  }
  return picks;
}

function emptyPicks(length: number): Picks {
  return { chunk: new Int32Array(length), row: new Int32Array(length).fill(-1) };
}

function gather(chunks: readonly arrow.Data[], dictionaryType: arrow.DataType, picks: Picks): arrow.Data {
  const type = plainType(dictionaryType);
  const length = picks.row.length;
  const { DataType } = arrow;
  if (DataType.isNull(type) || chunks.length === 0) return arrow.makeData({ type: new arrow.Null(), length });
  const bits = gatherValidity(chunks, picks);
  const shape = { type, length, bits };
  if (DataType.isBool(type)) return make(shape, { values: gatherBits(chunks, picks) });
  if (DataType.isStruct(type)) return make(shape, {}, gatherChildren(chunks, type, picks));
  if (DataType.isFixedSizeList(type)) {
    return make(shape, {}, gatherChildren(chunks, type, spread(picks, type.listSize)));
  }
  if (DataType.isUnion(type)) throw new Error('Dictionaries of unions are not supported.');
  if (chunks[0]!.valueOffsets !== undefined) return gatherVariable(chunks, shape, picks);
  if (chunks[0]!.variadicBuffers.length > 0) return gatherViews(chunks, shape, picks);
  return make(shape, { values: gatherFixed(chunks, type, picks) });
}

interface Shape {
  readonly type: arrow.DataType;
  readonly length: number;
  readonly bits: Uint8Array;
}

interface Buffers {
  readonly offsets?: unknown;
  readonly values?: unknown;
}

function make({ type, length, bits }: Shape, buffers: Buffers, children: arrow.Data[] = []): arrow.Data {
  return new arrow.Data(type, 0, length, -1, [buffers.offsets, buffers.values, bits] as never, children);
}

function gatherValidity(chunks: readonly arrow.Data[], { chunk, row }: Picks): Uint8Array {
  const bits = allValid(row.length);
  const tests = chunks.map(validityTest);
  for (let i = 0; i < row.length; i++) {
    if (row[i]! < 0 || !tests[chunk[i]!]!(row[i]!)) clearBit(bits, i);
  }
  return bits;
}

function gatherBits(chunks: readonly arrow.Data[], { chunk, row }: Picks): Uint8Array {
  const values = allValid(row.length);
  for (let i = 0; i < row.length; i++) {
    const source = chunks[chunk[i]!]!;
    if (row[i]! < 0 || !bitAt(source.values, source.offset + row[i]!)) clearBit(values, i);
  }
  return values;
}

function gatherFixed(chunks: readonly arrow.Data[], type: arrow.DataType, { chunk, row }: Picks): unknown {
  const { stride } = chunks[0]!;
  const values = new type.ArrayType(row.length * stride);
  for (let i = 0; i < row.length; i++) {
    if (row[i]! < 0) continue;
    const source = chunks[chunk[i]!]!.values;
    for (let part = 0; part < stride; part++) values[i * stride + part] = source[row[i]! * stride + part];
  }
  return values;
}

/** Views point into buffers of their chunk; put end to end, the buffers of later chunks have higher numbers. */
function gatherViews(chunks: readonly arrow.Data[], shape: Shape, { chunk, row }: Picks): arrow.Data {
  const buffers = chunks.flatMap((source) => source.variadicBuffers);
  const firstBuffer = chunks.map((_, i) =>
    chunks.slice(0, i).reduce((n, c) => n + c.variadicBuffers.length, 0),
  );
  const values = new Uint8Array(shape.length * 16);
  const words = new Int32Array(values.buffer);
  for (let i = 0; i < shape.length; i++) {
    if (row[i]! < 0) continue;
    values.set(chunks[chunk[i]!]!.values.subarray(row[i]! * 16, row[i]! * 16 + 16), i * 16);
    if (words[i * 4]! > 12) words[i * 4 + 2]! += firstBuffer[chunk[i]!]!;
  }
  const parts = [undefined, values, shape.bits] as never;
  return new arrow.Data(shape.type, 0, shape.length, -1, parts, [], undefined, buffers);
}

/** Text, bytes, lists and maps: whatever has offsets into values or into a child. */
function gatherVariable(chunks: readonly arrow.Data[], shape: Shape, { chunk, row }: Picks): arrow.Data {
  const ends = [0];
  for (let i = 0; i < shape.length; i++) {
    const offsets = chunks[chunk[i]!]!.valueOffsets;
    const size = bitAt(shape.bits, i) ? Number(offsets[row[i]! + 1]) - Number(offsets[row[i]!]) : 0;
    ends.push(ends[i]! + size);
  }
  const items = emptyPicks(ends.at(-1)!);
  for (let i = 0; i < shape.length; i++) {
    const first = Number(chunks[chunk[i]!]!.valueOffsets[row[i]!] ?? 0);
    for (let item = ends[i]!; item < ends[i + 1]!; item++) {
      items.chunk[item] = chunk[i]!;
      items.row[item] = first + item - ends[i]!;
    }
  }
  const large = chunks[0]!.valueOffsets instanceof BigInt64Array;
  const offsets = large ? BigInt64Array.from(ends, BigInt) : Int32Array.from(ends);
  if (shape.type.children?.length > 0)
    return make(shape, { offsets }, gatherChildren(chunks, shape.type, items));
  return make(shape, { offsets, values: gatherBytes(chunks, items) });
}

function gatherBytes(chunks: readonly arrow.Data[], { chunk, row }: Picks): Uint8Array {
  const values = new Uint8Array(row.length);
  for (let i = 0; i < row.length; i++) values[i] = chunks[chunk[i]!]!.values[row[i]!];
  return values;
}

function gatherChildren(chunks: readonly arrow.Data[], type: arrow.DataType, picks: Picks): arrow.Data[] {
  return (type.children as arrow.Field[]).map((child, i) =>
    gather(
      chunks.map((source) => source.children[i]!),
      child.type,
      picks,
    ),
  );
}

function spread({ chunk, row }: Picks, size: number): Picks {
  const picks = emptyPicks(row.length * size);
  for (let i = 0; i < picks.row.length; i++) {
    const from = Math.floor(i / size);
    picks.chunk[i] = chunk[from]!;
    picks.row[i] = row[from]! < 0 ? -1 : row[from]! * size + (i % size);
  }
  return picks;
}
