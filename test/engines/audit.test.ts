import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIALECTS } from '../../src/audit/dialect.ts';
import type { AuditReport } from '../../src/audit/report.ts';
import { Database } from '../../src/duckdb/connection.ts';
import { FLAGS, writePlanted } from '../audit/planted.ts';
import { type Ended, scd2check, start, unwrapped } from '../e2e/bin.ts';
import { hasServers, type Server, startMariadb, startPostgres } from './servers.ts';
import { hasSpark, type Spark, type SparkSession, spark, startSparkSession } from './spark.ts';

/** The planted table in other engines: the same violations as in DuckDB, row for row, which the ids in a baseline show. */
let folder: string;
let rows: Record<string, string | null>[];
let expected: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'scd2check-audit-engines-')));
  const db = await Database.open();
  await writePlanted(db, folder, 300);
  rows = await db.rows(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM '${join(folder, 'planted.parquet')}'`);
  db.close();
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(join(folder, 'dim.sqlite'));
  for (const sql of statements('sqlite')) database.exec(sql);
  database.close();
  expected = await baseline('planted.parquet', 'duckdb');
});
afterAll(() => rm(folder, { recursive: true }));

async function baseline(table: string, name: string, more: readonly string[] = []): Promise<string> {
  const file = `${name}.txt`;
  const { code, stderr } = await scd2check(folder, [
    'audit',
    table,
    ...FLAGS,
    ...more,
    '--quiet',
    '--write-baseline',
    file,
  ]);
  expect(stderr).toBe('');
  expect(code).toBe(1);
  return readFile(join(folder, file), 'utf8');
}

const TYPES = {
  postgres: ['BIGINT', 'BIGINT', 'TEXT', 'TEXT', 'TIMESTAMP', 'TIMESTAMP', 'BOOLEAN', 'TEXT'],
  mysql: [
    'BIGINT',
    'BIGINT',
    'VARCHAR(40)',
    'VARCHAR(40)',
    'DATETIME(6)',
    'DATETIME(6)',
    'BOOLEAN',
    'VARCHAR(40)',
  ],
  sqlite: ['INTEGER', 'INTEGER', 'TEXT', 'TEXT', 'TEXT', 'TEXT', 'INTEGER', 'TEXT'],
};

/** CREATE and INSERT of the planted rows. */
function statements(engine: keyof typeof TYPES): string[] {
  const names = Object.keys(rows[0]!);
  const flag = (value: string) => (engine === 'postgres' ? value : value === 'true' ? '1' : '0');
  const literal = (name: string, value: string | null) =>
    value === null ? 'NULL' : name === 'is_current' ? flag(value) : `'${value}'`;
  const lines = rows.map((row) => `(${names.map((name) => literal(name, row[name]!)).join(', ')})`);
  return [
    `CREATE TABLE dim (${names.map((name, index) => `${name} ${TYPES[engine][index]}`).join(', ')})`,
    `INSERT INTO dim VALUES ${lines.join(', ')}`,
  ];
}

test('SQLite finds what DuckDB finds', async () => {
  expect(await baseline('sqlite:dim.sqlite#dim', 'sqlite')).toBe(expected);
});

test('SQLite: a bad table, or a file that is none, exits 2 with one clear message', async () => {
  const { default: Sqlite } = await import('better-sqlite3');
  new Sqlite(join(folder, 'bad.sqlite')).exec('CREATE TABLE other (id INTEGER)').close();
  const engine: Engine = {
    id: 'sqlite',
    instant: 'TEXT',
    zoned: null,
    asText: 'holds `01.01.2026`',
    async execute(sql) {
      const database = new Sqlite(join(folder, 'bad.sqlite'));
      database.exec(sql);
      database.close();
    },
  };
  await refusesBadTables('sqlite:bad.sqlite#', engine);
  await showsOddKeys('sqlite:bad.sqlite#', engine);
  await writeFile(join(folder, 'zero.sqlite'), '');
  await writeFile(join(folder, 'words.sqlite'), 'This is a text, and no database at all.'.repeat(100));
  const bytes = await readFile(join(folder, 'dim.sqlite'));
  await writeFile(join(folder, 'cut.sqlite'), bytes.subarray(0, 5000));
  for (const [file, message] of [
    ['nothing.sqlite', 'Cannot open the SQLite file `nothing.sqlite`'],
    ['zero.sqlite', 'There is no table "dim"'],
    ['words.sqlite', 'file is not a database'],
    ['cut.sqlite', 'malformed'],
  ] as const)
    refusedWith(await scd2check(folder, ['audit', `sqlite:${file}#dim`, ...FLAGS]), message);
});

test('a client that fails, and one that prints something else, exit 2 with what it said', async () => {
  const audited = (command: string) =>
    scd2check(folder, ['audit', 'dim', ...FLAGS, '--engine', command, '--dialect', 'postgres']);
  refusedWith(await audited('echo "no route to host" >&2; exit 7'), 'ended with 7: no route to host');
  refusedWith(await audited('no-such-client --csv'), 'ended with 127');
  refusedWith(await audited('true'), 'There is no table dim');
});

test('a client that prints CSV, and one that prints JSON, find it too', async () => {
  const driver = join(import.meta.dirname, '../../node_modules/better-sqlite3');
  await writeFile(
    join(folder, 'client.cjs'),
    `const Driver = require(${JSON.stringify(driver)});
const sql = require('node:fs').readFileSync(0, 'utf8').trim().replace(/;$/, '');
const rows = new Driver('dim.sqlite').prepare(sql).safeIntegers().all();
const text = (value) => (value === null ? '' : '"' + value + '"');
if (process.argv[2] === 'json') console.log(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
else if (rows.length > 0) console.log([Object.keys(rows[0]), ...rows.map((row) => Object.values(row).map(text))].join('\\n'));`,
  );
  for (const form of ['json', 'csv']) {
    const command = `${process.execPath} client.cjs ${form}`;
    expect(await baseline('dim', form, ['--engine', command, '--dialect', 'sqlite'])).toBe(expected);
  }
});

describe.skipIf(!hasServers())('servers', () => {
  const started: Server[] = [];
  afterAll(() => Promise.all(started.map((server) => server.stop())));

  test('PostgreSQL finds what DuckDB finds, and never prints a password', async () => {
    const server = await startPostgres('America/New_York');
    started.push(server);
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (const sql of statements('postgres')) await client.query(sql);
    expect(await baseline(`${server.url}#public.dim`, 'postgres')).toBe(expected);
    await client.query('BEGIN');
    await client.query('LOCK TABLE dim IN ACCESS EXCLUSIVE MODE');
    await endsWhenInterrupted(`${server.url}#public.dim`, async () => {
      const waits = 'SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted';
      return (await client.query<{ n: number }>(waits)).rows[0]!.n;
    });
    await client.end();
    await refuses(server);
    const engine: Engine = {
      id: 'postgres',
      instant: 'TIMESTAMP',
      zoned: 'TIMESTAMPTZ',
      asText: 'is TEXT; a version',
      async execute(sql) {
        const one = new pg.Client({ connectionString: server.url });
        await one.connect();
        await one.query(sql);
        await one.end();
      },
    };
    await refusesBadTables(`${server.url}#`, engine);
    await showsOddKeys(`${server.url}#`, engine);
  });

  test('MariaDB finds what DuckDB finds, and never prints a password', async () => {
    const server = await startMariadb('America/New_York');
    started.push(server);
    const { createConnection } = await import('mysql2/promise');
    const connection = await createConnection(server.url);
    await connection.query('CREATE DATABASE IF NOT EXISTS scd2check_audit');
    await connection.query('USE scd2check_audit');
    for (const sql of statements('mysql')) await connection.query(sql);
    expect(await baseline(`${server.url}#scd2check_audit.dim`, 'mariadb')).toBe(expected);
    await connection.query('LOCK TABLES dim WRITE');
    await endsWhenInterrupted(`${server.url}#scd2check_audit.dim`, async () => {
      const [sessions] = await connection.query('SHOW PROCESSLIST');
      return (sessions as { State: string | null }[]).filter(({ State }) => State?.includes('lock')).length;
    });
    await connection.end();
    await refuses(server);
    const engine: Engine = {
      id: 'mysql',
      instant: 'DATETIME(6)',
      zoned: 'TIMESTAMP(6) NULL',
      asText: 'is TEXT; a version',
      async execute(sql) {
        const one = await createConnection({ uri: server.url, database: 'scd2check_audit' });
        await one.query(sql);
        await one.end();
      },
    };
    await refusesBadTables(`${server.url}#scd2check_audit.`, engine);
    await showsOddKeys(`${server.url}#scd2check_audit.`, engine);
  });
});

describe.skipIf(!hasSpark())('Spark', () => {
  let own: Spark;
  let session: SparkSession;
  beforeAll(async () => {
    own = await spark();
    session = await startSparkSession(own, 'America/New_York');
  });
  afterAll(() => session?.stop());
  const inSpark = () => ['--engine', session.client, '--dialect', 'spark'];
  const parquet = (name: string) => `parquet.\`${join(folder, name)}\``;

  test('finds in Parquet and in an Iceberg table what DuckDB finds, in a session that is not in UTC', async () => {
    expect(await baseline(parquet('planted.parquet'), 'spark', inSpark())).toBe(expected);
    await session.sql(
      `CREATE TABLE local.mart.dim USING iceberg AS SELECT * FROM ${parquet('planted.parquet')}`,
    );
    expect(await baseline('local.mart.dim', 'iceberg', inSpark())).toBe(expected);
  });

  test('spark-sql itself is a client', async () => {
    // What makes it start in half the time, where the queries are small.
    const small =
      '--conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=1 --conf spark.sql.catalogImplementation=in-memory --driver-java-options=-XX:TieredStopAtLevel=1';
    const command = `${join(own.bin, 'spark-sql')} --master local[2] ${small} -S -f {sql}`;
    const checks = ['--check', 'key-not-null', '--check', 'no-overlap'];
    const flags = [...FLAGS, ...checks, '--engine', command, '--dialect', 'spark', '--reporter', 'json:-'];
    const { stdout, stderr } = await scd2check(
      folder,
      ['audit', parquet('planted.parquet'), ...flags],
      own.env,
    );
    expect(stderr).toBe('');
    const { checks: judged } = JSON.parse(stdout) as AuditReport;
    const leading = judged.filter(({ verdict }) => verdict === 'fail').map((one) => [one.id, one.leading]);
    expect(Object.fromEntries(leading)).toMatchObject({ 'key-not-null': 4 });
    expect(leading).toHaveLength(2);
  });

  test('ends inclusive by day and a far open marker are no shifted hours', async () => {
    const days = `SELECT customer_id, segment, street, CAST(valid_from AS DATE) AS valid_from,
      coalesce(date_sub(CAST(valid_to AS DATE), 1), DATE '9999-12-31') AS valid_to FROM ${parquet('right.parquet')}`;
    await session.sql(`CREATE TABLE local.mart.days USING iceberg AS ${days}`);
    const decisions = ['--set', 'end=inclusive', '--set', 'grain=day', '--set', 'openMarker=9999-12-31'];
    const flags = [...FLAGS.slice(0, 4), ...decisions, '--set', 'deletes=never', ...inSpark()];
    const { code, stdout } = await scd2check(folder, ['audit', 'local.mart.days', ...flags, '--quiet']);
    expect(stdout).toContain('PASS');
    expect(code).toBe(0);
  });

  const SMALL = `SELECT * FROM VALUES (1, 'A', TIMESTAMP_NTZ '2026-01-01', TIMESTAMP_NTZ '2026-02-01'), (1, 'B', TIMESTAMP_NTZ '2026-02-01', NULL) AS t (id, name, valid_from, valid_to)`;
  test.each([
    ['0 bytes', (file: string) => writeFile(file, ''), 'zero.parquet'],
    [
      'half a file',
      async (file: string) =>
        writeFile(file, (await readFile(join(folder, 'right.parquet'))).subarray(0, 900)),
      'cut.parquet',
    ],
    ['a folder without Parquet', (file: string) => mkdir(file), 'Unable to infer schema'],
  ])('%s exits 2 with what Spark says', async (_, make, message) => {
    const name = message.endsWith('.parquet') ? message : 'empty';
    await make(join(folder, name));
    refusedWith(await scd2check(folder, ['audit', parquet(name), ...FLAGS, ...inSpark()]), message);
  });

  test.each([
    ['a table that is not there', null, 'cannot be found'],
    ['a column that is not there', SMALL, 'has no column `idd`, which was declared as `key`'],
    [
      'a start that is text',
      SMALL.replace(/TIMESTAMP_NTZ/g, ''),
      'The column `valid_from` of `bad` is STRING',
    ],
    [
      'bounds of which one has a time zone',
      `SELECT id, name, CAST(valid_from AS TIMESTAMP) AS valid_from, valid_to FROM (${SMALL})`,
      '`bad` mixes time zones: `valid_from` is TIMESTAMP, `valid_to` is TIMESTAMP_NTZ',
    ],
    ['a table without rows', `${SMALL} LIMIT 0`, 'no row in it that would show its columns'],
    ['a table with one row', `${SMALL} LIMIT 1`, '`bad` has one row'],
  ])('%s exits 2 with one clear message', async (what, select, message) => {
    await session.sql('DROP TABLE IF EXISTS bad');
    if (select !== null) await session.sql(`CREATE TABLE bad USING parquet AS ${select}`);
    const key = what.includes('column') ? 'idd' : 'id';
    const flags = ['--key', key, '--tracked', 'name', ...inSpark()];
    refusedWith(await scd2check(folder, ['audit', 'bad', ...flags]), message);
  });
});

/** Ctrl-C while a query waits for a lock: it ends in the engine too, and leaves nothing there. */
async function endsWhenInterrupted(url: string, waiting: () => Promise<number>): Promise<void> {
  const { child, ended } = start(folder, ['audit', url, ...FLAGS]);
  while ((await waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect(stderr).toContain('Interrupted.');
  expect(stdout).toBe('');
  expect(code).toBe(130);
  while ((await waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

interface Engine {
  /** As the dialect is called. */
  readonly id: string;
  readonly instant: string;
  /** An instant with a zone; null where there is no type for it. */
  readonly zoned: string | null;
  /** What is said of a start that is text. */
  readonly asText: string;
  execute(sql: string): Promise<void>;
}

/** Keys that a literal has to escape: what is found of them comes back with its rows. */
async function showsOddKeys(url: string, { id, instant, execute }: Engine): Promise<void> {
  const word = id === 'mysql' ? 'VARCHAR(40) CHARACTER SET utf8mb4' : 'VARCHAR(40)';
  const { string } = DIALECTS.find((dialect) => dialect.id === id)!;
  const keys = ["it's", 'back\\slash', 'quote"d', 'π → ∞', "\\' OR 1 = 1 --"];
  const rows = keys.flatMap((key) => [
    `(${string(key)}, 'A', '2026-01-01 00:00:00', '2026-03-01 00:00:00')`,
    `(${string(key)}, 'B', '2026-02-01 00:00:00', NULL)`,
  ]);
  await execute(`CREATE TABLE odd (id ${word}, name VARCHAR(9), valid_from ${instant}, valid_to ${instant})`);
  await execute(`INSERT INTO odd VALUES ${rows.join(', ')}`);
  const flags = ['--key', 'id', '--tracked', 'name', '--reporter', 'json:-'];
  const { stdout, stderr } = await scd2check(folder, ['audit', `${url}odd`, ...flags]);
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as AuditReport;
  expect(findings.map(({ key }) => key?.['id']).sort()).toEqual([...keys].sort());
  expect(findings.map((finding) => finding.rows.length)).toEqual(keys.map(() => 2));
}

/** Tables that cannot be judged, each under the name `bad` behind a URL. */
async function refusesBadTables(url: string, { instant, zoned, asText, execute }: Engine): Promise<void> {
  const closed = `(1, 'A', '2026-01-01 00:00:00', '2026-02-01 00:00:00')`;
  const open = `(1, 'B', '2026-02-01 00:00:00', NULL)`;
  const asTexts = [`(1, 'A', '01.01.2026', NULL)`, `(1, 'B', '02.01.2026', NULL)`];
  const refused = async (message: string, key = 'id') =>
    refusedWith(await scd2check(folder, ['audit', `${url}bad`, '--key', key, '--tracked', 'name']), message);
  const table = async (from: string, to: string, rows: readonly string[]) => {
    await execute('DROP TABLE IF EXISTS bad');
    await execute(`CREATE TABLE bad (id INTEGER, name VARCHAR(9), valid_from ${from}, valid_to ${to})`);
    if (rows.length > 0) await execute(`INSERT INTO bad VALUES ${rows.join(', ')}`);
  };
  await refused(zoned === null ? 'There is no table "bad"' : 'cannot be read');
  await table(instant, instant, [closed, open]);
  await refused('has no column `idd`, which was declared as `key`', 'idd');
  await table('TEXT', instant, asTexts);
  await refused(asText);
  if (zoned !== null) {
    await table(zoned, instant, [closed, open]);
    await refused('mixes time zones: `valid_from` is TIMESTAMP');
  }
  await table(instant, instant, []);
  await refused('has no row.');
  await table(instant, instant, [open]);
  await refused('has one row.');
}

/** Exit 2, and one message that fits on a screen. */
function refusedWith({ code, stdout, stderr }: Ended, message: string): void {
  expect(unwrapped(stderr)).toContain(message);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stderr.length).toBeLessThan(1200);
  expect(stdout).toBe('');
  expect(code).toBe(2);
}

/** A wrong password and a closed port. */
async function refuses(server: Server): Promise<void> {
  const closed = server.url.replace(/:\d+\//, ':1/');
  for (const url of [server.wrongUrl, closed]) {
    const { code, stdout, stderr } = await scd2check(folder, ['audit', `${url}#dim`, ...FLAGS]);
    expect(unwrapped(stderr)).toContain('Cannot connect to ');
    expect(stdout + stderr).not.toMatch(/secret|wr0ng/);
    expect(code).toBe(2);
  }
}
