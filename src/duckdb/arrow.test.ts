import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf, kinds, stored, tables } from './arrow.fixture.ts';
import { Database } from './connection.ts';
import { tableFromData } from './table.ts';
import { textData } from './text.ts';

let database: Database;
beforeAll(async () => {
  database = await Database.open({ threads: 1 });
});
afterAll(() => database.close());

/** Writes a table, reads it back, and leaves nothing behind. */
async function thereAndBack(table: arrow.Table): Promise<arrow.Table> {
  await database.createTable('trip', table);
  const back = await database.query('FROM trip');
  await database.run('DROP TABLE trip');
  return back;
}

describe('An Arrow table that goes into DuckDB and comes back', () => {
  test.each(Object.keys(kinds))('has the same type and bits in a column of %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(tables([name], fc.nat(70)), async (table) => {
        const back = await thereAndBack(table);
        expect(String(back.schema)).toBe(String(table.schema));
        expect(stored(back.getChildAt(0)!)).toEqual(stored(table.getChildAt(0)!));
      }),
      { numRuns: 25 },
    );
  });

  test('has the same columns, in the same order, when all types stand side by side', async () => {
    await fc.assert(
      fc.asyncProperty(tables(Object.keys(kinds), fc.nat(5)), async (table) => {
        const back = await thereAndBack(table);
        expect(String(back.schema)).toBe(String(table.schema));
        Object.keys(kinds).forEach((_, i) => {
          expect(stored(back.getChildAt(i)!)).toEqual(stored(table.getChildAt(i)!));
        });
      }),
      { numRuns: 20 },
    );
  });

  test('keeps every row where it has more than DuckDB puts in one chunk', async () => {
    const count = 5000;
    const numbers = Array.from({ length: count }, (_, i) => (i % 11 === 0 ? null : i));
    const texts = numbers.map((n) => (n === null || n % 3 === 0 ? null : `${'long '.repeat(n % 7)}${n}`));
    const data = [
      dataOf(kinds['int32']!, numbers),
      dataOf(kinds['text']!, texts),
      dataOf(kinds['boolean']!, numbers),
    ];
    const fields = data.map((part, i) => new arrow.Field(`c${i}`, part.type, true));
    const back = await thereAndBack(tableFromData(fields, data, count));
    expect(stored(back.getChildAt(0)!)).toEqual(numbers);
    expect(stored(back.getChildAt(1)!)).toEqual(texts);
    expect(stored(back.getChildAt(2)!)).toEqual(numbers.map((n) => (n === null ? null : n !== 0)));
  });

  test('may have no rows', async () => {
    const table = tableFromData([new arrow.Field('a', new arrow.Utf8(), true)], [textData([])], 0);
    const back = await thereAndBack(table);
    expect(back.numRows).toBe(0);
    expect(String(back.schema)).toBe(String(table.schema));
    expect((await thereAndBack(new arrow.Table(table.schema))).numRows).toBe(0);
  });
});

describe('A DuckDB table that is read and written again', () => {
  const literal = (sqlType: string, values: readonly string[]) => ({ sqlType, values });
  const columns = [
    literal('BOOLEAN', ['true', 'false']),
    literal('TINYINT', ['-128', '127']),
    literal('HUGEINT', [
      '170141183460469231731687303715884105727',
      '-170141183460469231731687303715884105728',
      '0',
    ]),
    literal('UBIGINT', ['18446744073709551615', '0']),
    literal('BIGINT', ['-9223372036854775808', '9223372036854775807']),
    literal('DOUBLE', ["'-0.0'", "'NaN'", "'-Infinity'", '5e-324', '1.7976931348623157e308']),
    literal('FLOAT', ["'-0.0'", "'NaN'", '1.5']),
    literal('DECIMAL(4,1)', ['-999.9', '0.1']),
    literal('DECIMAL(9,3)', ['999999.999', '-0.001']),
    literal('DECIMAL(18,18)', ['0.999999999999999999', '-0.999999999999999999']),
    literal('DECIMAL(38,10)', ['-9999999999999999999999999999.9999999999', '0.0000000001']),
    literal('VARCHAR', [
      "''",
      "'NULL'",
      "'a' || chr(0) || 'b'",
      "'żółw and a tail of more than twelve bytes'",
    ]),
    literal('BLOB', ["'\\xFF\\x00'::BLOB", "''::BLOB"]),
    literal('DATE', ["'infinity'", "'-infinity'", "'0001-01-01'", "'9999-12-31'", "'5881580-07-10'"]),
    literal('TIME', ["'24:00:00'", "'23:59:59.999999'"]),
    literal('TIMESTAMP', [
      "'infinity'",
      "'-infinity'",
      "'9999-12-31 23:59:59.999999'",
      "'1969-12-31 23:59:59.999999'",
    ]),
    literal('TIMESTAMPTZ', ["'infinity'", "'2026-03-29 02:30:00.000001+01'"]),
    literal('TIMESTAMP_S', ["'2026-01-01 00:00:01'"]),
    literal('TIMESTAMP_MS', ["'2026-01-01 00:00:00.001'"]),
    literal('TIMESTAMP_NS', ["'2026-01-01 00:00:00.000000001'"]),
    literal('INTEGER[]', ['[1, NULL, 3]', '[]', '[4]']),
    literal('VARCHAR[][]', ["[['a', 'a text of more than twelve bytes'], NULL, []]", '[]']),
    literal('STRUCT(a INTEGER, b VARCHAR, c HUGEINT)', [
      "{'a': 1, 'b': NULL, 'c': 3}",
      "{'a': NULL, 'b': 'x', 'c': NULL}",
    ]),
    literal('MAP(VARCHAR, DOUBLE)', ["MAP {'x': 1.5, 'y': NULL}", 'MAP {}']),
    literal('BOOLEAN[2]', ['[true, NULL]', '[false, true]']),
    literal('STRUCT(s STRUCT(l DATE[]))[]', [
      "[{'s': {'l': ['2026-01-01'::DATE, NULL]}}, NULL, {'s': NULL}]",
    ]),
  ];

  test('is the same table in DuckDB’s eyes, whatever mixture of values and NULLs it holds', async () => {
    const rows = fc.array(fc.tuple(...columns.map(({ values }) => fc.constantFrom('NULL', ...values))), {
      minLength: 1,
      maxLength: 6,
    });
    const definitions = columns.map(({ sqlType }, i) => `c${i} ${sqlType}`).join(', ');
    await database.run(`CREATE TABLE original (${definitions})`);
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const values = cells.map((row) => `(${row.join(', ')})`).join(', ');
        await database.run(`TRUNCATE original; INSERT INTO original VALUES ${values}`);
        await database.createTable('copy', await database.query('FROM original'));
        const types = (table: string) => database.rows(`SELECT column_type FROM (DESCRIBE ${table})`);
        expect(await types('copy')).toEqual(await types('original'));
        // As text, because DuckDB holds −0 equal to 0.
        const asText = columns.map((_, i) => `c${i}::VARCHAR AS c${i}`).join(', ');
        expect(await database.rows(`SELECT ${asText} FROM copy`)).toEqual(
          await database.rows(`SELECT ${asText} FROM original`),
        );
        await database.run('DROP TABLE copy');
      }),
      { numRuns: 40 },
    );
  });

  test('has the same lists and texts in every chunk, wherever in memory they lie', async () => {
    await database.run(`
      CREATE OR REPLACE TABLE scattered AS
      SELECT i,
        CASE WHEN i % 5 > 0 THEN [CASE WHEN x % 3 > 0 THEN x + i END FOR x IN range(i % 7)] END AS list,
        CASE WHEN i % 3 > 0 THEN 'a text of more than twelve bytes, ' || i ELSE 'repeated, and as long as that' END AS text
      FROM range(5000) t(i)`);
    await database.createTable('copied', await database.query('FROM scattered ORDER BY (i * 7919) % 5000'));
    const [row] = await database.rows(`
      SELECT count(*) AS same FROM scattered JOIN copied USING (i)
      WHERE scattered.list IS NOT DISTINCT FROM copied.list AND scattered.text = copied.text`);
    expect(row).toEqual({ same: 5000n });
  });

  test('gives types without an Arrow counterpart as text', async () => {
    const [row] = await database.rows(`SELECT
      '00000000-0000-0000-0000-00000000000f'::UUID AS uuid,
      'b'::ENUM('a', 'b') AS enumeration,
      INTERVAL '1 month 2 days 3 seconds' AS span,
      340282366920938463463374607431768211455::UHUGEINT AS uhugeint,
      '101'::BIT AS bit`);
    expect(row).toEqual({
      uuid: '00000000-0000-0000-0000-00000000000f',
      enumeration: 'b',
      span: '1 month 2 days 00:00:03',
      uhugeint: '340282366920938463463374607431768211455',
      bit: '101',
    });
  });
});
