import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Database } from './connection.ts';
import { tableFromRows } from './rows.ts';
import { quoteIdentifier, quoteText } from './sql.ts';

let database: Database;
beforeAll(async () => {
  database = await Database.open({ threads: 1 });
});
beforeEach(() => database.run('DROP TABLE IF EXISTS t'));
afterAll(() => database.close());

const id = { name: 'id', type: 'integer', nullable: true } as const;
const name = { name: 'name', type: 'text', nullable: true } as const;

describe('A database', () => {
  test('gives rows as canonical cells', async () => {
    const [row] = await database.rows(`SELECT
      1::INTEGER AS i, 2::BIGINT AS b, sum(3::BIGINT) AS h, 1.50::DECIMAL(5,2) AS d, 1.5::DOUBLE AS f, true AS flag,
      DATE '2026-03-01' AS day, TIMESTAMP '2026-03-01 06:00:00.000001' AS naive,
      TIMESTAMPTZ '2026-03-01 06:00:00.5+02' AS zoned, NULL AS nothing, 'x' AS t`);
    expect(row).toEqual({
      i: 1,
      b: 2n,
      h: 3n,
      d: '1.50',
      f: 1.5,
      flag: true,
      day: '2026-03-01',
      naive: '2026-03-01T06:00:00.000001Z',
      zoned: '2026-03-01T04:00:00.500000Z',
      nothing: null,
      t: 'x',
    });
  });

  test('is in UTC wherever the process runs', async () => {
    const [row] = await database.rows("SELECT TIMESTAMPTZ '2026-03-01 00:30:00Z'::DATE AS day");
    expect(row).toEqual({ day: '2026-03-01' });
  });

  test('runs several statements, and answers the last', async () => {
    expect(await database.rows('CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1); FROM t')).toEqual([
      { a: 1 },
    ]);
    expect((await database.query('')).numRows).toBe(0);
  });

  test('tells columns of the same name apart', async () => {
    expect(await database.rows('SELECT 1 AS a, 2 AS a, 3 AS __proto__')).toEqual([
      Object.fromEntries([
        ['a', 1],
        ['a:1', 2],
        ['__proto__', 3],
      ]),
    ]);
  });

  test('passes on what DuckDB says about a wrong statement, and goes on', async () => {
    await expect(database.run('SELEC 1')).rejects.toThrow('syntax error');
    await expect(database.query('FROM nowhere')).rejects.toThrow('nowhere does not exist');
    expect(await database.rows('SELECT 1 AS a')).toEqual([{ a: 1 }]);
  });

  test('can be interrupted, and goes on', async () => {
    const endless = database.run(
      'SELECT count(*) FROM range(1e12::BIGINT) a, range(1000) b WHERE a.range = b.range * 7',
    );
    setTimeout(() => database.interrupt(), 50);
    await expect(endless).rejects.toThrow('Interrupted');
    expect(await database.rows('SELECT 1 AS a')).toEqual([{ a: 1 }]);
  });

  test('may be a file, with settings, that is closed twice without harm', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scd2check-'));
    const path = join(folder, 'a.duckdb');
    const first = await Database.open({
      path,
      config: { enable_external_access: 'false', lock_configuration: 'true' },
    });
    await first.run('CREATE TABLE kept AS SELECT 1 AS a');
    await expect(first.run('SET threads = 1')).rejects.toThrow('locked');
    await expect(first.run("COPY kept TO 'x.csv'")).rejects.toThrow('disabled');
    first.close();
    first.close();
    const second = await Database.open({ path });
    expect(await second.rows('FROM kept')).toEqual([{ a: 1 }]);
    second.close();
    await rm(folder, { recursive: true });
  });

  test('refuses settings that DuckDB does not know', async () => {
    await expect(Database.open({ config: { no_such_setting: '1' } })).rejects.toThrow('no_such_setting');
  });
});

describe('Rows that are appended', () => {
  const rows = tableFromRows([name, id], [{ id: 1, name: 'a' }, { id: 2 }]);

  test('find their columns by name, whatever the order and letter case, and the others are NULL', async () => {
    await database.run("CREATE TABLE t (note VARCHAR DEFAULT 'x', ID INTEGER, Name VARCHAR)");
    await database.append('t', rows);
    expect(await database.rows('FROM t')).toEqual([
      { note: null, ID: 1, Name: 'a' },
      { note: null, ID: 2, Name: null },
    ]);
  });

  test('are converted to the types of the table', async () => {
    await database.run('CREATE TABLE t (id DECIMAL(6,2), name TIMESTAMP)');
    await database.append('t', tableFromRows([name, id], [{ id: 1, name: '2026-03-01 06:00:00' }]));
    await database.append(
      't',
      new arrow.Table({ name: new arrow.Vector([arrow.makeData({ type: new arrow.Null(), length: 1 })]) }),
    );
    expect(await database.rows('FROM t')).toEqual([
      { id: '1.00', name: '2026-03-01T06:00:00.000000Z' },
      { id: null, name: null },
    ]);
  });

  test('are refused as a whole where one cannot be converted', async () => {
    await database.run('CREATE TABLE t (id INTEGER, name INTEGER)');
    await expect(database.append('t', rows)).rejects.toThrow(
      'Rows cannot be added to table "t": column "name" is INTEGER there, and not every value given as VARCHAR fits.',
    );
    expect(await database.rows('FROM t')).toEqual([]);
  });

  test('are refused where a constraint of the table forbids them', async () => {
    await database.run('CREATE TABLE t (id INTEGER, name VARCHAR NOT NULL)');
    await expect(database.append('t', rows)).rejects.toThrow('NOT NULL constraint failed');
    expect(await database.rows('FROM t')).toEqual([]);
  });

  test('are refused where the table lacks one of their columns', async () => {
    await database.run('CREATE TABLE t (id INTEGER)');
    await expect(database.append('t', rows)).rejects.toThrow(
      'Table "t" has no column "name", which the rows to append have.',
    );
  });
});

describe('Quoting', () => {
  test('survives DuckDB, for any text and any name', async () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom("'", "''", '\0', '\\', 'a\0\0b', ''),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        const alias = `n${text.replaceAll('\0', '')}`;
        const rows = await database.rows(`SELECT ${quoteText(text)} AS ${quoteIdentifier(alias)}`);
        expect(rows).toEqual([Object.fromEntries([[alias, text]])]);
      }),
      { numRuns: 100 },
    );
  });
});
