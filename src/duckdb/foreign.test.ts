import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf, kinds, stored, tables } from './arrow.fixture.ts';
import { Database } from './connection.ts';
import { rowsFromTable } from './rows.ts';
import { tableFromData } from './table.ts';

let database: Database;
beforeAll(async () => {
  database = await Database.open({ threads: 1 });
});
afterAll(() => database.close());

/** What DuckDB makes of a table: the types of its columns, and its rows. */
async function inDuckdb(table: arrow.Table): Promise<{ types: string[]; rows: Record<string, unknown>[] }> {
  await database.createTable('foreign_table', table);
  const types = await database.rows<{ column_type: string }>(
    'SELECT column_type FROM (DESCRIBE foreign_table)',
  );
  const rows = await database.rows<Record<string, unknown>>('FROM foreign_table');
  await database.run('DROP TABLE foreign_table');
  return { types: types.map((row) => row.column_type), rows };
}

function tableOf(vector: arrow.Vector, name = 'a'): arrow.Table {
  return new arrow.Table({ [name]: vector });
}

function column(type: arrow.DataType, values: readonly unknown[]): arrow.Table {
  return tableOf(arrow.vectorFromArray(values, type));
}

function overIpc(table: arrow.Table): arrow.Table {
  return arrow.tableFromIPC(arrow.tableToIPC(table, 'stream'));
}

describe('A table that somebody else made', () => {
  test('keeps its values after IPC, in several batches, sliced anywhere', async () => {
    const names = Object.keys(kinds);
    const pair = fc.tuple(tables(names, fc.nat(12)), tables(names, fc.nat(12)), fc.nat(10), fc.nat(20));
    await fc.assert(
      fc.asyncProperty(pair, async ([first, second, skip, count]) => {
        const table = overIpc(first.concat(second)).slice(skip, skip + count);
        await database.createTable('sliced', table);
        const back = await database.query('FROM sliced');
        await database.run('DROP TABLE sliced');
        names.forEach((_, i) => {
          const expected = [first, second]
            .flatMap((part) => stored(part.getChildAt(i)!))
            .slice(skip, skip + count);
          expect(stored(back.getChildAt(i)!)).toEqual(expected);
        });
        expect(rowsFromTable(table)).toEqual(rowsFromTable(back));
      }),
      { numRuns: 25 },
    );
  });

  test('may encode text as a dictionary, also over IPC and with entries added by a later batch', async () => {
    const words = ['b', 'a', null, 'a longer text than twelve bytes', 'b', ''];
    const first = column(new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 7), words);
    const second = column(new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 7), ['new', null, 'b']);
    const table = first.concat(second);
    const expected = [...words, 'new', null, 'b'].map((a) => ({ a }));
    expect(await inDuckdb(table)).toEqual({ types: ['VARCHAR'], rows: expected });
    expect(rowsFromTable(table)).toEqual(expected);
    expect((await inDuckdb(overIpc(first))).rows).toEqual(expected.slice(0, words.length));
    expect((await inDuckdb(table.slice(3, 8))).rows).toEqual(expected.slice(3, 8));
  });

  test.each(['boolean', 'int64', 'timestamp', 'decimal(38,20)', 'bytes', 'double'])(
    'may encode %s as a dictionary of several chunks, NULLs among the entries',
    async (name) => {
      const values = fc.sample(fc.option(kinds[name]!.value), { numRuns: 8, seed: 1 });
      const chunks = [values.slice(0, 5), values.slice(5)].map((part) => dataOf(kinds[name]!, part));
      const keys = Int8Array.from([7, 0, 5, 5, 4, 3, 0, 6]);
      const type = new arrow.Dictionary(kinds[name]!.type, new arrow.Int8());
      const data = arrow.makeData({ type, data: keys, dictionary: new arrow.Vector(chunks), nullCount: 0 });
      await database.createTable('decoded', tableOf(new arrow.Vector([data])));
      const back = await database.query('FROM decoded');
      await database.run('DROP TABLE decoded');
      const entries = chunks.flatMap((chunk) => stored(new arrow.Vector([chunk])));
      expect(stored(back.getChildAt(0)!)).toEqual([...keys].map((key) => entries[key]));
    },
  );

  test('may have dictionaries inside lists and structs', async () => {
    const words = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
    const list = new arrow.List(new arrow.Field('item', words, true));
    const struct = new arrow.Struct([new arrow.Field('l', list, true)]);
    const table = column(struct, [{ l: ['x', 'y', 'x'] }, { l: null }, null, { l: [] }]);
    const { types, rows } = await inDuckdb(table);
    expect(types).toEqual(['STRUCT(l VARCHAR[])']);
    expect(rows).toEqual([{ a: '{"l":["x","y","x"]}' }, { a: '{"l":null}' }, { a: null }, { a: '{"l":[]}' }]);
    expect(rowsFromTable(table)).toEqual(rows);
  });

  test.each([
    ['LargeUtf8', new arrow.LargeUtf8()],
    ['Utf8View', new arrow.Utf8View()],
  ])('may hold text as %s', async (_, type) => {
    const texts = ['', 'short', null, 'ein langer Text, länger als zwölf Bytes', 'x\0y'];
    const table = column(type, texts);
    const expected = texts.map((a) => ({ a }));
    expect(await inDuckdb(table)).toEqual({ types: ['VARCHAR'], rows: expected });
    expect((await inDuckdb(overIpc(table).slice(1, 4))).rows).toEqual(expected.slice(1, 4));
    expect(rowsFromTable(table.slice(1, 4))).toEqual(expected.slice(1, 4));
  });

  test.each([
    ['LargeBinary', new arrow.LargeBinary()],
    ['BinaryView', new arrow.BinaryView()],
    ['FixedSizeBinary', new arrow.FixedSizeBinary(3)],
  ])('may hold bytes as %s', async (_, type) => {
    const table = column(type, [Uint8Array.of(0, 255, 1), null, Uint8Array.of(1, 2, 3)]);
    const expected = [{ a: '00ff01' }, { a: null }, { a: '010203' }];
    expect(await inDuckdb(table)).toEqual({ types: ['BLOB'], rows: expected });
    expect(rowsFromTable(table)).toEqual(expected);
  });

  test('keeps the unit of timestamps without a zone, and is microseconds where it has one', async () => {
    const stamps = (type: arrow.DataType, values: bigint[]) =>
      tableOf(new arrow.Vector([arrow.makeData({ type, data: BigInt64Array.from(values) } as never)]));
    const one = [{ a: '1969-12-31T23:59:59.000000Z' }];
    expect(await inDuckdb(stamps(new arrow.TimestampSecond(), [-1n]))).toEqual({
      types: ['TIMESTAMP_S'],
      rows: one,
    });
    const zoned = await inDuckdb(stamps(new arrow.TimestampSecond('Europe/Berlin'), [-1n]));
    expect(zoned).toEqual({ types: ['TIMESTAMP WITH TIME ZONE'], rows: one });
    const nanos = await inDuckdb(stamps(new arrow.TimestampNanosecond('UTC'), [-1n, 1_999n]));
    expect(nanos.rows).toEqual([{ a: '1969-12-31T23:59:59.999999Z' }, { a: '1970-01-01T00:00:00.000001Z' }]);
    const naive = await inDuckdb(stamps(new arrow.TimestampNanosecond(), [1_700_000_000_000_000_001n]));
    expect(naive.types).toEqual(['TIMESTAMP_NS']);
  });

  test('is told where a zoned timestamp lies beyond microseconds', async () => {
    const data = arrow.makeData({
      type: new arrow.TimestampSecond('UTC'),
      data: BigInt64Array.of(2n ** 62n),
    });
    await expect(inDuckdb(tableOf(new arrow.Vector([data]), 'valid_from'))).rejects.toThrow(
      'Column "valid_from" (Timestamp<SECOND, UTC>) holds 4611686018427387904, which is beyond DuckDB\'s microseconds.',
    );
  });

  test('has instants in Date64, times in seconds or milliseconds, half floats', async () => {
    const date = column(new arrow.DateMillisecond(), [new Date('2026-03-01T06:00:00.123Z'), null]);
    expect(await inDuckdb(date)).toEqual({
      types: ['TIMESTAMP'],
      rows: [{ a: '2026-03-01T06:00:00.123000Z' }, { a: null }],
    });
    expect(rowsFromTable(date)[0]).toEqual({ a: '2026-03-01T06:00:00.123000Z' });
    expect((await inDuckdb(column(new arrow.TimeSecond(), [3661]))).rows).toEqual([{ a: '01:01:01.000000' }]);
    expect((await inDuckdb(column(new arrow.TimeMillisecond(), [1]))).rows).toEqual([
      { a: '00:00:00.001000' },
    ]);
    expect((await inDuckdb(column(new arrow.Float16(), [1.5, null, -2]))).rows).toEqual([
      { a: 1.5 },
      { a: null },
      { a: -2 },
    ]);
  });

  test('compares with anything in a column of type Null', async () => {
    const table = tableOf(
      new arrow.Vector([arrow.makeData({ type: new arrow.Null(), length: 3 })]),
      'valid_to',
    );
    const rows = [{ valid_to: null }, { valid_to: null }, { valid_to: null }];
    expect(await inDuckdb(table)).toEqual({ types: ['INTEGER'], rows });
    expect(rowsFromTable(table)).toEqual(rows);
    await database.createTable('open_ends', table);
    const [row] = await database.rows(
      "SELECT count(*) FILTER (valid_to IS NULL OR valid_to > TIMESTAMP '2026-01-01')::INTEGER AS n FROM open_ends",
    );
    expect(row).toEqual({ n: 3 });
  });

  test('may declare decimals of 256 bits', async () => {
    const words = Uint32Array.of(5, 0, 0, 0, 0, 0, 0, 0, ...new Array(8).fill(0xffffffff));
    const data = (precision: number) =>
      arrow.makeData({ type: new arrow.Decimal(1, precision, 256), data: words });
    const expected = [{ a: '0.5' }, { a: '-0.1' }];
    const narrow = await inDuckdb(tableOf(new arrow.Vector([data(20)])));
    expect(narrow).toEqual({ types: ['DECIMAL(20,1)'], rows: expected });
    const wide = await inDuckdb(tableOf(new arrow.Vector([data(50)])));
    expect(wide).toEqual({ types: ['VARCHAR'], rows: expected });
  });

  test('is told where a decimal has more digits than it declares', async () => {
    const data = arrow.makeData({
      type: new arrow.Decimal(2, 4, 128),
      data: Uint32Array.of(10_000, 0, 0, 0),
    });
    await expect(inDuckdb(tableOf(new arrow.Vector([data]), 'amount'))).rejects.toThrow(
      /Column "amount" is declared .* but holds 10000, which has more digits/,
    );
    expect(await database.rows("SELECT * FROM duckdb_tables() WHERE table_name = 'foreign_table'")).toEqual(
      [],
    );
  });

  test('may hold text that is no UTF-8, which is repaired', async () => {
    const values = Uint8Array.of(0xff, 0x41, 0xc3, 0xbc, ...Buffer.from('tail of more than twelve bytes'));
    const offsets = Int32Array.of(0, 3, 4, values.length);
    const data = arrow.makeData({ type: new arrow.Utf8(), valueOffsets: offsets, data: values });
    const { rows } = await inDuckdb(tableOf(new arrow.Vector([data])));
    expect(rows).toEqual([{ a: '\uFFFDA\uFFFD' }, { a: '\uFFFD' }, { a: 'tail of more than twelve bytes' }]);
  });

  test.each([
    ['text', new arrow.Utf8(), [0, 40, 900]],
    ['bytes', new arrow.Binary(), [0, 40, 20]],
    ['bytes', new arrow.Binary(), [-5, 40, 45]],
    ['text', new arrow.Utf8(), [0]],
  ])('is refused where the offsets of its %s lead out of it (%#)', async (_, type, ends) => {
    const data = arrow.makeData({
      type,
      length: 2,
      valueOffsets: Int32Array.from(ends),
      data: new Uint8Array(50),
    } as never);
    await expect(inDuckdb(tableOf(new arrow.Vector([data])))).rejects.toThrow('offsets are damaged');
  });

  test('is refused where the offsets of a list lead out of it', async () => {
    const child = arrow.vectorFromArray([1, 2, 3], new arrow.Int32()).data[0]!;
    const type = new arrow.List(new arrow.Field('item', new arrow.Int32(), true));
    const data = arrow.makeData({ type, valueOffsets: Int32Array.of(0, 2, 9), child });
    await expect(inDuckdb(tableOf(new arrow.Vector([data])))).rejects.toThrow('offsets are damaged');
  });

  test('is refused where a key points out of its dictionary', async () => {
    const dictionary = arrow.vectorFromArray(['a'], new arrow.Utf8());
    const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8());
    const data = arrow.makeData({ type, data: Int8Array.of(0, 3), dictionary });
    const message = 'Row 1 points to entry 3 of a dictionary of 1 entries.';
    await expect(inDuckdb(tableOf(new arrow.Vector([data])))).rejects.toThrow(message);
    expect(() => rowsFromTable(tableOf(new arrow.Vector([data])))).toThrow(message);
  });

  test('may have children that are valid inside a struct that is NULL', async () => {
    const child = arrow.makeData({ type: new arrow.Int32(), data: Int32Array.of(1, 2) });
    const type = new arrow.Struct([new arrow.Field('x', new arrow.Int32(), true)]);
    const data = arrow.makeData({ type, length: 2, nullBitmap: Uint8Array.of(1), children: [child] });
    await database.createTable('structs', tableOf(new arrow.Vector([data])));
    expect(await database.rows('SELECT a.x AS x FROM structs')).toEqual([{ x: 1 }, { x: null }]);
  });

  test('is text where DuckDB has no such type', async () => {
    const union = new arrow.SparseUnion(Int32Array.of(0, 1), [
      new arrow.Field('n', new arrow.Int32(), true),
      new arrow.Field('t', new arrow.Utf8(), true),
    ]);
    const children = [
      arrow.vectorFromArray([1, 0], new arrow.Int32()),
      arrow.vectorFromArray(['', 'x'], new arrow.Utf8()),
    ];
    const data = arrow.makeData({
      type: union,
      typeIds: Int8Array.of(0, 1),
      children: children.map((child) => child.data[0]!),
    } as never);
    const seconds = arrow.makeData({ type: new arrow.DurationSecond(), data: BigInt64Array.of(90n) });
    expect((await inDuckdb(tableOf(new arrow.Vector([data])))).rows).toEqual([{ a: '1' }, { a: 'x' }]);
    expect((await inDuckdb(tableOf(new arrow.Vector([seconds])))).rows).toEqual([{ a: '90' }]);
  });

  test('may have anything where a value is NULL', async () => {
    const type = new arrow.TimestampSecond('UTC');
    const data = arrow.makeData({
      type,
      data: BigInt64Array.of(2n ** 62n, 1n),
      nullBitmap: Uint8Array.of(2),
    });
    expect((await inDuckdb(tableOf(new arrow.Vector([data])))).rows).toEqual([
      { a: null },
      { a: '1970-01-01T00:00:01.000000Z' },
    ]);
  });

  test('may have no columns, and then cannot become a table in DuckDB', async () => {
    const table = tableFromData([], [], 3);
    expect(rowsFromTable(table)).toEqual([{}, {}, {}]);
    await expect(inDuckdb(table)).rejects.toThrow('the data has no columns');
  });

  test('may come from shared memory', async () => {
    const values = new Int32Array(new SharedArrayBuffer(12));
    values.set([7, 8, 9]);
    const data = new arrow.Data(new arrow.Int32(), 0, 3, 0, [undefined, values] as never);
    expect((await inDuckdb(tableOf(new arrow.Vector([data])))).rows).toEqual([{ a: 7 }, { a: 8 }, { a: 9 }]);
  });
});
