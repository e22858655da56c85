import { afterEach, describe, expect, test } from 'vitest';
import { batchOf, fixture, LIMITS, setupOf } from '../../../test/fixtures/command/setup.ts';
import type { Row } from '../../contract/columns.ts';
import { rowsFromTable } from '../../duckdb/rows.ts';
import { openCommand } from '../command.ts';
import type { OpenedImplementation } from '../opened.ts';
import { openPython } from '../python.ts';

const setup = setupOf({
  key: 'id BIGINT',
  tracked: [
    'price DECIMAL(20,4)',
    'ratio DOUBLE',
    'seen TIMESTAMP',
    'born DATE',
    'ok BOOLEAN',
    'n INTEGER',
    'name TEXT',
  ],
});

/** Values that a careless path through JSON, floats or milliseconds damages. */
const rows: readonly Row[] = [
  {
    id: 9007199254740993n,
    price: '1234567890123456.7891',
    ratio: 0.1 + 0.2,
    seen: '2026-03-01T06:00:00.123456Z',
    born: '2024-02-29',
    ok: true,
    n: -2147483648,
    name: 'Zoë\u0000 \u{1F600} e\u0301 "quoted" \\ line\nbreak \u2028',
  },
  {
    id: -9223372036854775807n,
    price: '-0.0001',
    ratio: -0,
    seen: '0001-01-01T00:00:00.000001Z',
    born: '9999-12-31',
    ok: false,
    n: 0,
    name: '',
  },
  { id: 1n, price: '0.0000', ratio: Number.NaN, seen: null, born: null, ok: null, n: null, name: null },
  {
    id: 2n,
    price: null,
    ratio: Number.NEGATIVE_INFINITY,
    seen: null,
    born: null,
    ok: null,
    n: null,
    name: 'NaN',
  },
];

let opened: OpenedImplementation | null = null;

afterEach(async () => {
  await opened?.close();
  opened = null;
});

async function roundTrip(implementation: OpenedImplementation): Promise<Row[]> {
  opened = implementation;
  const session = await opened.start(setup);
  expect(await session.apply(batchOf(setup, 0, rows))).toEqual({ status: 'applied' });
  return rowsFromTable(await session.read());
}

const names = setup.batchColumns.map(({ name }) => name);
const sent = (row: Row) => Object.fromEntries(names.map((name) => [name, row[name]]));

describe('every cell comes back as it was sent', () => {
  test('through Python, where prints go elsewhere and a flag may be a number', async () => {
    const back = await roundTrip(await openPython(fixture('echo.py'), LIMITS));
    expect(back.map(sent)).toEqual(rows);
    expect(Object.is(back[1]!['ratio'], -0)).toBe(true);
    expect(back[0]).toMatchObject({ valid_from: '2026-03-01T06:00:00.000000Z', is_current: true, rows: 4n });
    expect(opened).toMatchObject({ name: 'echo', kind: 'python', anyColumns: true });
    expect(opened!.declared.map(({ name, where }) => [name, where])).toEqual([
      ['key', 'echo.py'],
      ['tracked', 'echo.py'],
      ['late', 'echo.py'],
    ]);
  });

  test('through a program that speaks the protocol', async () => {
    const back = await roundTrip(await openCommand(['node', fixture('good-protocol.mjs')], LIMITS));
    expect(back.map(sent)).toEqual(rows);
  });

  test('through a plain program, which gets its bare 64-bit integers back as it printed them', async () => {
    const implementation = await openCommand(['python3', fixture('good-plain.py')], LIMITS);
    expect((await roundTrip(implementation)).map(sent)).toEqual(rows);
    const session = await opened!.start(setup);
    await session.apply(batchOf(setup, 0, rows.slice(0, 1)));
    await session.apply(batchOf(setup, 1, rows.slice(0, 1)));
    const loads = rowsFromTable(await session.read()).map((row) => row['load_no']);
    expect(loads).toEqual([9007199254740993n, 9007199254740994n]);
  });

  test('at day grain the instant is a date', async () => {
    const daily = setupOf({ grain: 'day' });
    opened = await openCommand(['node', fixture('good-protocol.mjs')], LIMITS);
    const session = await opened.start(daily);
    await session.apply(
      batchOf(daily, 0, [{ customer_id: 'C1', customer_segment: 'A', street: 'x' }], '2026-03-01T00:00:00Z'),
    );
    expect(rowsFromTable(await session.read())).toMatchObject([{ valid_from: '2026-03-01', valid_to: null }]);
  });
});
