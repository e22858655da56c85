import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIALECTS } from '../../src/audit/dialect.ts';
import { Database } from '../../src/duckdb/connection.ts';
import { FLAGS, PLANTED, writePlanted } from '../audit/planted.ts';
import { scd2check } from '../e2e/bin.ts';
import { environment, hasPython } from './environment.ts';

/** What `--print-sql` prints for engines that are not here: read by a parser of each dialect. */
describe.skipIf(!hasPython())('--print-sql', () => {
  let folder: string;
  let python: string;
  beforeAll(async () => {
    python = await environment('dialects', join(import.meta.dirname, 'dialects', 'requirements.txt'));
    folder = await realpath(await mkdtemp(join(tmpdir(), 'scd2check-dialects-')));
    const db = await Database.open();
    await writePlanted(db, folder, 200);
    await db.run(`COPY (SELECT customer_id, sk::VARCHAR AS region, segment, street, valid_from::DATE AS valid_from, valid_to::DATE AS valid_to,
      is_current, NOT is_current AS is_deleted, row_hash FROM '${join(folder, 'planted.parquet')}') TO '${join(folder, 'other.parquet')}'`);
    db.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Other decisions than those of the planted table: they are other SQL. */
  const OTHER = [
    ...['--key', 'customer_id, region', '--tracked', 'segment, street', '--set', 'hash=row_hash'],
    ...['--set', 'end=inclusive', '--set', 'grain=day', '--set', 'openMarker=9999-12-31'],
    ...['--set', 'deletes=marker-row', '--set', 'isDeleted=is_deleted'],
    ...['--set', 'compare=trim,case-insensitive,empty-is-null', '--set', 'keyCompare=trim'],
  ];

  interface Read {
    readonly statements: readonly string[];
    readonly unknown: readonly string[];
    readonly rows?: readonly (readonly string[])[];
  }

  async function read(dialect: string, table: string, flags: readonly string[], on?: string): Promise<Read> {
    const printed = await scd2check(folder, ['audit', table, ...flags, '--print-sql', '--dialect', dialect]);
    expect(printed.stderr).toBe('');
    const file = join(folder, `${dialect}.sql`);
    await writeFile(file, printed.stdout);
    const script = join(import.meta.dirname, 'dialects', 'translate.py');
    const parser = dialect === 'mariadb' ? 'mysql' : dialect;
    const { stdout } = await promisify(execFile)(python, [
      script,
      parser,
      file,
      ...(on === undefined ? [] : [join(folder, on)]),
    ]);
    return JSON.parse(stdout);
  }

  /** Functions of an engine that sqlglot does not list. */
  const OWN: Readonly<Record<string, readonly string[]>> = {
    duckdb: ['epoch_us', 'isfinite'],
    postgres: ['isfinite'],
    snowflake: ['SYSTEM$TYPEOF'],
  };

  const checks = new Set(PLANTED.map(({ check }) => check)).size;

  test.each(DIALECTS.map(({ id }) => id))('%s: each check is a query that its parser reads', async (id) => {
    const { statements, unknown } = await read(id, 'planted.parquet', FLAGS);
    expect(statements).toHaveLength(checks);
    expect(new Set(statements)).toEqual(new Set(['Select', 'Union']));
    expect(unknown).toEqual(OWN[id] ?? []);
    const other = await read(id, 'other.parquet', OTHER);
    expect(new Set(other.statements)).toEqual(new Set(['Select', 'Union']));
    expect(other.statements.length).toBeGreaterThan(7);
  });

  test.each(['trino', 'snowflake', 'bigquery'])(
    '%s: translated for DuckDB, the checks give the same rows as those written for it',
    async (id) => {
      const { rows } = await read(id, 'planted.parquet', FLAGS, 'planted.parquet');
      expect(rows).toEqual((await read('duckdb', 'planted.parquet', FLAGS, 'planted.parquet')).rows);
    },
  );
});
