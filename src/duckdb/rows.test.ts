import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell, Column, ColumnType, Row } from '../contract/columns.ts';
import { formatDate, formatInstant, parseInstant } from '../contract/instant.ts';
import { Database } from './connection.ts';
import { cellFromJson, cellToJson, columnCells, rowsFromTable, tableFromRows } from './rows.ts';
import { parseDay, parseTimestamp } from './times.ts';

const day = 86_400_000_000n;
const micros = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(10n ** 16n), max: 10n ** 17n }),
  fc.constantFrom(0n, -1n, 253_402_214_400_000_000n, 2n ** 63n - 1n, -(2n ** 63n) + 1n),
);
const decimal = (precision: number, scale: number) => {
  const max = 10n ** BigInt(precision) - 1n;
  return fc.bigInt({ min: -max, max }).map((value) => {
    const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
    const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    return value < 0n ? `-${text}` : text;
  });
};

const cells: Record<string, fc.Arbitrary<Cell>> = {
  text: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\0', '\uFEFF', 'naïve 🜚')),
  integer: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  bigint: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.constant(2n ** 63n - 1n)),
  double: fc.oneof(fc.double(), fc.constantFrom(-0, Number.NaN, Infinity, -Infinity)),
  boolean: fc.boolean(),
  date: micros.map(formatDate),
  timestamp: micros.map(formatInstant),
  'decimal(4,2)': decimal(4, 2),
  'decimal(18,0)': decimal(18, 0),
  'decimal(20,20)': decimal(20, 20),
  'decimal(38,10)': decimal(38, 10),
};

const columns: Column[] = Object.keys(cells).map((type) => ({
  name: type,
  type: type as ColumnType,
  nullable: true,
}));
const anyRows: fc.Arbitrary<Row[]> = fc.array(
  fc.record(Object.fromEntries(Object.entries(cells).map(([type, cell]) => [type, fc.option(cell)]))),
  { maxLength: 12 },
);

function column(type: ColumnType, name = 'c'): Column {
  return { name, type, nullable: true };
}

describe('Rows of canonical cells', () => {
  test('are the same after Arrow, for every column type', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        expect(rowsFromTable(tableFromRows(columns, rows))).toEqual(rows);
      }),
    );
  });

  test('are the same after Arrow, DuckDB and Arrow', async () => {
    const database = await Database.open({ threads: 1 });
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        await database.createTable('t', tableFromRows(columns, rows));
        expect(await database.rows('FROM t')).toEqual(rows);
        await database.run('DROP TABLE t');
      }),
      { numRuns: 50 },
    );
    database.close();
  });

  test('are the same after JSON', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        for (const row of rows) {
          for (const column of columns) {
            const cell = row[column.name] ?? null;
            const sent = JSON.parse(JSON.stringify(cellToJson(column, cell)));
            expect(cellFromJson(column, sent)).toEqual(cell);
          }
        }
      }),
    );
  });

  test('have NULL where a row does not mention a column, even one that every object seems to have', () => {
    const table = tableFromRows(
      [column('text', 'constructor'), column('text', '__proto__'), column('integer', 'a')],
      [{}, { a: 1, extra: 'is left out' }],
    );
    expect(rowsFromTable(table).map((row) => Object.entries(row))).toEqual([
      [
        ['constructor', null],
        ['__proto__', null],
        ['a', null],
      ],
      [
        ['constructor', null],
        ['__proto__', null],
        ['a', 1],
      ],
    ]);
  });

  test('may be none, of no columns', () => {
    expect(rowsFromTable(tableFromRows(columns, []))).toEqual([]);
    expect(tableFromRows(columns, []).schema.names).toEqual(columns.map(({ name }) => name));
    expect(rowsFromTable(tableFromRows([], [{}, {}]))).toEqual([{}, {}]);
  });

  test('have U+FFFD for lone surrogates, which no UTF-8 can hold', () => {
    expect(rowsFromTable(tableFromRows([column('text')], [{ c: 'a\uD800b' }, { c: '🜚' }]))).toEqual([
      { c: 'a\uFFFDb' },
      { c: '🜚' },
    ]);
  });

  test.each<[ColumnType, Cell]>([
    ['text', 5],
    ['integer', 2 ** 31],
    ['integer', 1.5],
    ['integer', '1'],
    ['bigint', 2n ** 63n],
    ['bigint', 1],
    ['double', '1'],
    ['boolean', 1],
    ['date', '2026-02-30'],
    ['date', '2026-03-01T00:00:00.000000Z'],
    ['timestamp', 'yesterday'],
    ['timestamp', '294247-01-10T04:00:54.775808Z'],
    ['timestamp', '2026-03-01T24:00:00.000000Z'],
    ['decimal(4,2)', '100.00'],
    ['decimal(4,2)', '0.001'],
    ['decimal(4,2)', ''],
    ['decimal(4,2)', 1],
  ])('of type %s are refused where one is %s, with column, type, row and value', (type, cell) => {
    const quoted = typeof cell === 'string' ? JSON.stringify(cell) : String(cell);
    const rows = [{ c: null }, { c: cell }];
    expect(() => tableFromRows([column(type)], rows)).toThrow(
      `row 1, column "c": ${quoted}${typeof cell === 'bigint' ? 'n' : ''} (${typeof cell}) is not a value of type ${type}.`,
    );
  });

  test('can be read a column at a time', () => {
    const table = tableFromRows([column('timestamp')], [{ c: '2026-03-01T06:00:00.000001Z' }, {}]);
    expect(columnCells(table.getChildAt(0)!)).toEqual(['2026-03-01T06:00:00.000001Z', null]);
  });
});

describe('A JSON value', () => {
  test.each<[ColumnType, unknown, Cell]>([
    ['integer', '12', 12],
    ['integer', 12n, 12],
    ['bigint', 9007199254740991, 9007199254740991n],
    ['bigint', '-9223372036854775808', -(2n ** 63n)],
    ['bigint', '+1', 1n],
    ['decimal(10,2)', 1.5, '1.50'],
    ['decimal(10,2)', '1', '1.00'],
    ['decimal(10,2)', '-0', '0.00'],
    ['decimal(10,2)', '1.500', '1.50'],
    ['decimal(10,2)', 1e-2, '0.01'],
    ['decimal(38,8)', 1e-7, '0.00000010'],
    ['decimal(38,0)', 1e21, '1000000000000000000000'],
    ['double', 'NaN', Number.NaN],
    ['double', 'nan', Number.NaN],
    ['double', '-inf', -Infinity],
    ['double', 'Infinity', Infinity],
    ['double', '-0', -0],
    ['double', '1e3', 1000],
    ['date', '2026-03-01T00:00:00Z', '2026-03-01'],
    ['date', '2026-03-01 00:00:00', '2026-03-01'],
    ['timestamp', '2026-03-01', '2026-03-01T00:00:00.000000Z'],
    ['timestamp', '2026-03-01T07:00:00.1+01:00', '2026-03-01T06:00:00.100000Z'],
    ['text', '', ''],
    ['text', null, null],
    ['text', undefined, null],
  ])('of a %s column may be %o', (type, value, cell) => {
    expect(cellFromJson(column(type), value)).toEqual(cell);
  });

  test.each<[ColumnType, unknown]>([
    ['text', 5],
    ['integer', 1.5],
    ['integer', '2147483648'],
    ['bigint', 9007199254740992],
    ['bigint', '9223372036854775808'],
    ['bigint', ''],
    ['decimal(10,2)', 0.1 + 0.2],
    ['decimal(10,2)', Number.NaN],
    ['decimal(10,2)', '1e99'],
    ['double', 'one'],
    ['double', ''],
    ['boolean', 'true'],
    ['date', '2026-03-01T06:00:00Z'],
    ['date', new Date(0)],
    ['timestamp', 1767225600],
    ['timestamp', { at: 'noon' }],
  ])('of a %s column may not be %o', (type, value) => {
    expect(() => cellFromJson(column(type, 'amount'), value)).toThrow(
      /^column "amount": .* is not a value of type/,
    );
  });

  test('is quoted in the message, shortened where it is long, with the row where that is known', () => {
    const long = () => cellFromJson(column('integer', 'n'), 'x'.repeat(500), 3);
    expect(long).toThrow(
      /^row 3, column "n": "x{199}… \(string\) is not a value of type integer\. Expected a whole/,
    );
  });
});

describe('The fast ways to read dates and instants', () => {
  test('agree with the exact ones', () => {
    const two = fc.integer({ min: 0, max: 70 }).map((n) => String(n).padStart(2, '0'));
    const year = fc.constantFrom('0000', '1969', '2024', '2100', '9999');
    const text = fc
      .tuple(year, two, two, two, two, two, fc.constantFrom('000000', '000001', '999999'))
      .map(([y, mo, d, h, mi, s, f]) => `${y}-${mo}-${d}T${h}:${mi}:${s}.${f}Z`);
    fc.assert(
      fc.property(fc.oneof(text, micros.map(formatInstant)), (instant) => {
        expect(parseTimestamp(instant)).toBe(parseInstant(instant));
        const exact = parseInstant(instant.slice(0, 10));
        if (/^\d{4}-/.test(instant))
          expect(parseDay(instant.slice(0, 10))).toBe(exact === null ? null : Number(exact / day));
      }),
      { numRuns: 500 },
    );
  });

  test('take the farthest dates that DuckDB has', () => {
    expect(parseDay('5881580-07-11')).toBe(2_147_483_647);
    expect(formatDate(2_147_483_647n * day)).toBe('5881580-07-11');
    const lowest = formatDate(-2_147_483_647n * day);
    expect(parseDay(lowest)).toBe(-2_147_483_647);
  });
});
