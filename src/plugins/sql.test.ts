import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchColumns, type Row } from '../contract/columns.ts';
import { declareContract } from '../contract/declare.ts';
import { rowsFromTable, tableFromRows } from '../duckdb/rows.ts';
import { sqlCalls } from './host/sql.ts';
import { DEFAULT_LIMITS, type Session, type Setup } from './implementation.ts';
import { hostInThisProcess } from './in-process.ts';
import type { OpenedImplementation } from './opened.ts';
import { openSql, openSqlIn, type SqlOptions } from './sql.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scd2check-sql-'));
});
afterAll(() => rm(folder, { recursive: true }));

const hostHere = () => hostInThisProcess(sqlCalls());

async function open(sql: string, options: SqlOptions = {}): Promise<OpenedImplementation> {
  await writeFile(join(folder, 'load.sql'), sql);
  return openSqlIn(hostHere, join(folder, 'load.sql'), DEFAULT_LIMITS, options);
}

function setup(...decisions: [string, unknown][]): Setup {
  const { contract } = declareContract([decisions.map(([name, value]) => ({ name, value, where: 'test' }))]);
  return {
    contract,
    batchColumns: batchColumns(contract.columns, contract.firstStart),
    dimension: null,
    feedId: 'test',
  };
}

async function start(sql: string, ...decisions: [string, unknown][]): Promise<Session> {
  return (await open(sql)).start(setup(...decisions));
}

const HOUR = 3_600_000_000n;

function apply(session: Session, index: number, ...keys: string[]) {
  const rows = keys.map((customer_id) => ({ customer_id, customer_segment: 'A' }));
  return session.apply({
    index,
    asOf: BigInt(index) * HOUR,
    rows: tableFromRows(setup().batchColumns, rows),
  });
}

async function read(session: Session): Promise<Row[]> {
  return rowsFromTable(await session.read());
}

const INSERT = 'INSERT INTO dimension BY NAME SELECT customer_id, :as_of AS valid_from FROM batch;';

describe('a script', () => {
  it('finds the rows, the dimension and the instant in all its spellings', async () => {
    const session = await start(`
      INSERT INTO dimension SELECT customer_id, customer_segment, street, :as_of, TIMESTAMP '\${as_of}' + INTERVAL 1 HOUR,
        getvariable('as_of') = $as_of AND typeof(getvariable('as_of')) = 'TIMESTAMP' AND '{{ as_of }}' = '1970-01-01 01:00:00.000000'
      FROM batch`);
    expect(await read(session)).toEqual([]);
    expect(await apply(session, 1, 'C1')).toEqual({ status: 'applied' });
    expect(await read(session)).toEqual([
      {
        customer_id: 'C1',
        customer_segment: 'A',
        street: null,
        valid_from: '1970-01-01T01:00:00.000000Z',
        valid_to: '1970-01-01T02:00:00.000000Z',
        is_current: true,
      },
    ]);
    expect((await apply(session, 2)).status).toBe('applied');
    expect((await read(session)).length).toBe(1);
  });

  it('gets dates at day grain', async () => {
    const session = await start(
      `INSERT INTO dimension BY NAME SELECT typeof(:as_of) || '\${as_of}' AS customer_id, :as_of AS valid_from FROM batch`,
      ['grain', 'day'],
    );
    await apply(session, 25, 'C1');
    expect(await read(session)).toMatchObject([{ customer_id: 'DATE1970-01-02', valid_from: '1970-01-02' }]);
  });

  it('has its sessions apart from each other', async () => {
    const implementation = await open(`
      CREATE TEMP TABLE IF NOT EXISTS seen AS FROM batch LIMIT 0;
      INSERT INTO seen BY NAME FROM batch;
      SET VARIABLE loads = coalesce(getvariable('loads'), 0) + 1;
      CREATE OR REPLACE TABLE dimension AS SELECT customer_id, :as_of AS valid_from, getvariable('loads') AS loads FROM seen`);
    const sessions = [await implementation.start(setup()), await implementation.start(setup())];
    await apply(sessions[0]!, 0, 'C1');
    await apply(sessions[1]!, 0, 'C2');
    await apply(sessions[0]!, 1, 'C3');
    expect(await read(sessions[0]!)).toMatchObject([{ customer_id: 'C1', loads: 2 }, { customer_id: 'C3' }]);
    expect(await read(sessions[1]!)).toMatchObject([{ customer_id: 'C2', loads: 1 }]);
    for (const session of sessions) await session.close();
    expect(await read(await implementation.start(setup()))).toEqual([]);
  });

  it('has an instance to itself where it reaches beyond its tables', async () => {
    const implementation = await open(`
      SET GLOBAL default_order = 'DESC';
      CREATE OR REPLACE TABLE dimension AS SELECT database_name AS customer_id, NULL AS valid_from FROM duckdb_databases() WHERE NOT internal`);
    for (let i = 0; i < 2; i++) {
      const session = await implementation.start(setup());
      await apply(session, 0);
      expect(await read(session)).toMatchObject([{ customer_id: 'memory' }]);
    }
  });

  it('may bring a setup section with its own dimension, schemas and names', async () => {
    const session = await start(`
      -- scd2check:batch raw.customers
      -- scd2check:dimension "my dim"
      -- scd2check:setup
      CREATE TABLE "my dim" (sk INTEGER, customer_id VARCHAR, valid_from TIMESTAMPTZ, tags VARCHAR[], id UUID);
      CREATE SEQUENCE sk;
      CREATE VIEW incoming AS FROM raw.customers;
      -- scd2check:load
      INSERT INTO "my dim" SELECT nextval('sk'), customer_id, :as_of, ['a'], '00000000-0000-0000-0000-000000000001' FROM incoming;`);
    await apply(session, 0, 'C1');
    await apply(session, 1, 'C2');
    expect(await read(session)).toEqual([
      {
        sk: 1,
        customer_id: 'C1',
        valid_from: '1970-01-01T00:00:00.000000Z',
        tags: '["a"]',
        id: expect.stringMatching(/1$/),
      },
      {
        sk: 2,
        customer_id: 'C2',
        valid_from: '1970-01-01T01:00:00.000000Z',
        tags: '["a"]',
        id: expect.any(String),
      },
    ]);
  });

  it('gets the dimension made where its setup makes none, and filled where there is one', async () => {
    const implementation = await open(`-- scd2check:setup
      CREATE TABLE log (n INTEGER);
      -- scd2check:load
      INSERT INTO log VALUES (1); ${INSERT}`);
    const dimension = tableFromArrays({ customer_id: ['C9'], valid_from: ['2026-01-01'], _id: [1] });
    const session = await implementation.start({ ...setup(), dimension });
    await apply(session, 0, 'C1');
    expect(await read(session)).toMatchObject([
      { customer_id: 'C9', valid_from: '2026-01-01T00:00:00.000000Z', is_current: null },
      { customer_id: 'C1' },
    ]);
  });

  it('gets the batch in the order of its columns', async () => {
    const session = await start(
      `CREATE OR REPLACE TABLE dimension AS SELECT *, :as_of AS valid_from FROM batch`,
    );
    const order = ['street', 'customer_id'].map(
      (name) => setup().batchColumns.find((column) => column.name === name)!,
    );
    const rows = tableFromRows(order, [{ customer_id: 'C1', street: 'S' }]);
    await session.apply({ index: 0, asOf: 0n, rows });
    const table = await session.read();
    expect(table.schema.fields.map(({ name }) => name)).toEqual([
      'street',
      'customer_id',
      'customer_segment',
      'valid_from',
    ]);
  });

  it('sees the clock that the harness set, in defaults too', async () => {
    const session = await start(
      `-- scd2check:setup
      CREATE TABLE dimension (customer_id VARCHAR, valid_from TIMESTAMPTZ DEFAULT now(), b TIMESTAMPTZ DEFAULT current_timestamp,
        c DATE DEFAULT current_date, d TIMESTAMP, e DATE, f TIMESTAMPTZ, g TIMESTAMPTZ);
      -- scd2check:load
      INSERT INTO dimension (customer_id, d, e, f, g)
      SELECT customer_id, localtimestamp, today(), current_timestamp, get_current_timestamp() FROM batch`,
      ['clock', 'moved'],
    );
    for (const index of [1, 26]) {
      await apply(session, index, 'C1');
      const day = index < 24 ? '1970-01-01' : '1970-01-02';
      const instant = `${day}T0${index % 24}:00:00.000000Z`;
      const same = { valid_from: instant, b: instant, c: day, d: instant, e: day, f: instant, g: instant };
      expect((await read(session)).at(-1)).toEqual({ customer_id: 'C1', ...same });
    }
  });

  it('sees the real clock otherwise', async () => {
    const session = await start(`INSERT INTO dimension BY NAME SELECT now() AS valid_from FROM batch`);
    await apply(session, 0, 'C1');
    expect((await read(session))[0]!['valid_from']).toMatch(/^20[2-9]\d-/);
  });
});

describe('an error in a script', () => {
  it('is an outcome, with its line, and leaves what was done before it', async () => {
    const session = await start(`${INSERT}\n\n-- now the error\nSELECT nope\nFROM batch;`);
    expect(await apply(session, 0, 'C1')).toEqual({
      status: 'errored',
      reason: expect.stringMatching(/^Binder Error: Referenced column "nope" not found.* \(line 4\)$/),
    });
    expect((await read(session)).length).toBe(1);
  });

  it('rolls back the transaction that the script began', async () => {
    const session = await start(`BEGIN; ${INSERT} SELECT error('broken'); COMMIT;`);
    expect(await apply(session, 0, 'C1')).toMatchObject({
      status: 'errored',
      reason: 'Invalid Input Error: broken (line 1)',
    });
    expect(await read(session)).toEqual([]);
  });

  it('rolls back everything where the caller holds the transaction', async () => {
    const session = await start(`${INSERT} SELECT error('broken') FROM batch WHERE customer_id = 'C2';`, [
      'transaction',
      'caller',
    ]);
    expect(await apply(session, 0, 'C2')).toMatchObject({ status: 'errored' });
    expect(await apply(session, 1, 'C1')).toEqual({ status: 'applied' });
    expect(await read(session)).toMatchObject([{ customer_id: 'C1' }]);
  });

  it('is a refusal where it says so', async () => {
    const session = await start(`SELECT error('Rejected: the batch is late')`);
    expect(await apply(session, 0)).toEqual({ status: 'rejected', reason: 'Rejected: the batch is late' });
  });

  it('is a transaction left open', async () => {
    const session = await start(`BEGIN; ${INSERT}`);
    expect(await apply(session, 0, 'C1')).toMatchObject({
      status: 'errored',
      reason: expect.stringContaining('BEGIN without COMMIT'),
    });
    expect(await read(session)).toEqual([]);
  });

  it('is a dimension that is gone', async () => {
    const session = await start('DROP TABLE dimension');
    await apply(session, 0);
    await expect(session.read()).rejects.toMatchObject({
      kind: 'unreadable',
      message: expect.stringMatching(
        /The dimension "dimension" of .*load\.sql cannot be read after batch 1: Catalog Error/,
      ),
    });
  });
});

describe('opening a script', () => {
  it.each([
    [
      'SELECT 1;\n\nSELEC 2;',
      'load.sql:3 is no SQL that DuckDB understands: Parser Error: syntax error at or near "SELEC"',
    ],
    [
      '-- nothing\n',
      'has no statement to run for a batch. Write the load that brings the rows of the table "batch"',
    ],
    ['-- scd2check:setup\nSELECT 1;', 'has no statement to run for a batch'],
    [
      '-- scd2check:setup\nSELECT :as_of;\n-- scd2check:load\nSELECT 1',
      'load.sql:2 uses the instant in the setup section',
    ],
  ])('explains %j', async (sql, message) => {
    await expect(open(sql)).rejects.toMatchObject({
      kind: 'start',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    [
      '-- scd2check:engine postgras\nSELECT 1',
      'load.sql:1: there is no engine `postgras`. Did you mean `postgres`?',
    ],
    ['\n-- scd2check:engine mysql\nSELECT 1', 'load.sql:2: mysql runs on a server. Name it with --engine'],
    [
      '-- scd2check:engine oracle://u:geheim@h/x\nSELECT 1',
      '`oracle://u:***@h/x` is not the URL of an engine',
    ],
    ['-- scd2check:batch a b\nSELECT 1', 'load.sql:1: "a b" is not the name of a table'],
  ])('finds wrong usage in %j', async (sql, message) => {
    await expect(open(sql)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(message),
    });
  });

  it('tells what the script declares, but for what is its own', async () => {
    const { declared } = await open(
      '-- scd2check:engine duckdb\n-- scd2check:key nk INTEGER\n-- scd2check:batch b\nSELECT 1',
    );
    expect(declared).toEqual([{ name: 'key', value: 'nk INTEGER', where: 'load.sql:2' }]);
  });

  it('says where the setup failed', async () => {
    const sql =
      "-- scd2check:setup\nCREATE TABLE t (a INTEGER);\nINSERT INTO t VALUES (\n  error('no'));\n-- scd2check:load\nSELECT 1";
    await expect((await open(sql)).start(setup())).rejects.toThrow(
      'load.sql failed before the first batch: Invalid Input Error: no (line 3)',
    );
  });

  it('keeps a script in a sandbox from files and settings', async () => {
    const secret = join(folder, 'secret.csv');
    await writeFile(secret, 'a\n1\n');
    for (const [sql, error] of [
      [`FROM read_csv('${secret}')`, /Permission Error/],
      ["SET TimeZone = 'Asia/Tokyo'", /configuration has been locked.*leave it out: the time zone is UTC/],
      ['SET threads = 4', /configuration has been locked/],
    ] as const) {
      const session = await (await open(`${INSERT} SET VARIABLE x = 1; ${sql};`, { sandbox: true })).start(
        setup(),
      );
      expect(await apply(session, 0)).toEqual({ status: 'errored', reason: expect.stringMatching(error) });
    }
    const open_ = await start(`FROM read_csv('${secret}')`);
    expect(await apply(open_, 0)).toEqual({ status: 'applied' });
  });

  it('works the same in a process of its own, and survives an endless statement', async () => {
    await writeFile(
      join(folder, 'own.sql'),
      `${INSERT} SELECT count(*) FROM range(1000000000000) r, batch WHERE customer_id = 'loop';`,
    );
    const implementation = await openSql(join(folder, 'own.sql'), { startMs: 60_000, callMs: 2000 });
    const session = await implementation.start(setup());
    expect(await apply(session, 0, 'C1')).toEqual({ status: 'applied' });
    expect(await read(session)).toMatchObject([{ customer_id: 'C1' }]);
    await expect(apply(session, 1, 'loop')).rejects.toMatchObject({ kind: 'timeout' });
    expect(await read(await implementation.start(setup()))).toEqual([]);
    await implementation.close();
  });
});

describe('a load that is broken off', () => {
  const IN_TWO = `
    INSERT INTO dimension (customer_id, valid_from) SELECT customer_id, :as_of FROM batch;
    UPDATE dimension SET customer_segment = 'seen';`;

  function interrupt(session: Session, point: number) {
    const rows = tableFromRows(setup().batchColumns, [{ customer_id: 'C1', customer_segment: 'A' }]);
    return session.interrupt!({ index: 0, asOf: 0n, rows }, point);
  }

  const segments = async (session: Session) =>
    rowsFromTable(await session.read()).map((row) => row['customer_segment']);

  it('keeps what its first statements committed', async () => {
    const session = await start(IN_TWO);
    expect(await interrupt(session, 1)).toEqual({ points: 1 });
    expect(await segments(session)).toEqual([null]);
    expect(await apply(session, 0, 'C1')).toEqual({ status: 'applied' });
    expect(await segments(session)).toEqual(['seen', 'seen']);
  });

  it('loses what its transaction did, whoever holds it', async () => {
    const own = await start(`BEGIN; ${IN_TWO} COMMIT;`);
    expect(await interrupt(own, 3)).toEqual({ points: 3 });
    expect(await segments(own)).toEqual([]);
    const callers = await start(IN_TWO, ['transaction', 'caller']);
    await interrupt(callers, 1);
    expect(await segments(callers)).toEqual([]);
    expect(await apply(callers, 0, 'C1')).toEqual({ status: 'applied' });
    expect(await segments(callers)).toEqual(['seen']);
  });

  it('does nothing where there is no such point', async () => {
    const session = await start(IN_TWO);
    expect(await interrupt(session, 2)).toEqual({ points: 1 });
    expect(await segments(session)).toEqual([]);
  });

  it('goes on in a new connection with the same time zone, clock and sandbox', async () => {
    const stamped = `SELECT 1;
      INSERT INTO dimension (customer_id, customer_segment, valid_from)
      SELECT customer_id, current_setting('TimeZone') || ' ' || now()::VARCHAR, :as_of FROM batch;`;
    const sandboxed = await (await open(stamped, { sandbox: true })).start(setup(['clock', 'moved']));
    const plain = await start(stamped, ['clock', 'moved']);
    for (const session of [sandboxed, plain]) {
      await interrupt(session, 1);
      expect(await apply(session, 1, 'C1')).toEqual({ status: 'applied' });
      expect(await segments(session)).toEqual(['UTC 1970-01-01 01:00:00+00']);
    }
  });

  it.each([
    ['CREATE TEMP TABLE log (a INTEGER)', false],
    ['SET VARIABLE since = 1', false],
    ['CREATE TABLE log (a INTEGER)', true],
  ])('needs a setup that leaves nothing in the connection: %s', async (statement, interruptible) => {
    const opened = await open(`-- scd2check:setup\n${statement};\n-- scd2check:load\nSELECT 1`);
    expect(opened.interruptible).toBe(interruptible);
  });
});
