import type { Check } from '../../checks/check.ts';
import { UsageError } from '../../cli/usage-error.ts';
import type { Column } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Database } from '../../duckdb/connection.ts';
import { quoteIdentifier, quoteText } from '../../duckdb/sql.ts';
import { recordViolations } from '../confirm.ts';
import type { Dialect } from '../dialect.ts';
import type { Looked } from '../look.ts';
import { checkSql, everyVersion } from '../print-sql.ts';
import { spelled } from '../version.ts';
import type { RemoteClient, RemoteRow } from './client.ts';

/** Most offending rows of a check that come back. */
const ROWS = 100_000;
/** Keys whose versions are read for the findings that show them. */
const KEYS = 200;

const NUMBERS = [
  'valid_from',
  'valid_to',
  'reaches',
  'boundary',
  'gap_from',
  'gap_to',
  'opened',
  'latest',
  'open',
  'versions',
  'rows',
  'row',
];
const FLAGS = ['is_open', 'is_current', 'is_deleted', 'collides', 'null_key'];

/**
 * Runs the checks where the table is, each as one statement with windows over the whole table, and leaves here the tables that the checks
 * over a local table leave. Only offending rows come back, and the versions of the keys that are shown.
 */
export async function lookRemotely(
  db: Database,
  client: RemoteClient,
  contract: Contract,
  table: string,
  checks: readonly Check[],
  shown: readonly Column[],
): Promise<Looked> {
  const { dialect } = client;
  await db.run('CREATE TABLE violation (check_id VARCHAR, seq BIGINT, key VARCHAR, id VARCHAR)');
  await db.run('CREATE TABLE screened (gone TIMESTAMP, keys BIGINT)');
  const keys = new Set<string>();
  for (const check of checks) {
    const rows = await client.query(`${checkSql(check, contract, table, dialect)}\nLIMIT ${ROWS}`);
    if (rows.length === ROWS)
      throw new UsageError(
        `${check.id} is violated ${ROWS} times or more. A table that is so wrong is looked at where it is: --print-sql --dialect ${dialect.id}, or --skip ${check.id}.`,
      );
    await record(db, check, rows);
    for (const row of rows.slice(0, KEYS)) if (row['key'] != null) keys.add(row['key']);
  }
  await readVersions(db, client, contract, table, [...keys].slice(0, KEYS), shown);
  return { ...(await size(client, contract, table)), gaps: await gapsOf(client, contract, table) };
}

/** The offending rows, with the types that they have in DuckDB: then a violation has the same id on every engine. */
async function record(db: Database, check: Check, rows: readonly RemoteRow[]): Promise<void> {
  if (rows.length === 0) return recordViolations(db, check.id, `SELECT NULL::VARCHAR AS key WHERE false`);
  await recordViolations(db, check.id, valuesOf(rows, ['feed', 'step']));
}

function valuesOf(rows: readonly RemoteRow[], without: readonly string[] = []): string {
  const names = Object.keys(rows[0]!).filter((name) => !without.includes(name));
  const lines = rows.map(
    (row) => `(${names.map((name) => (row[name] == null ? 'NULL' : quoteText(row[name]))).join(', ')})`,
  );
  const typed = names.map((name) => {
    const type = NUMBERS.includes(name) ? 'BIGINT' : FLAGS.includes(name) ? 'BOOLEAN' : 'VARCHAR';
    return `CAST(${quoteIdentifier(name)} AS ${type}) AS ${quoteIdentifier(name)}`;
  });
  return `SELECT ${typed.join(', ')} FROM (VALUES ${lines.join(', ')}) rows (${names.map(quoteIdentifier).join(', ')})`;
}

async function readVersions(
  db: Database,
  client: RemoteClient,
  contract: Contract,
  table: string,
  keys: readonly string[],
  shown: readonly Column[],
): Promise<void> {
  const { dialect } = client;
  const all = everyVersion(contract, table, dialect, shown);
  const read = (condition: string) =>
    client.query(`${all}\n${spelled('SELECT * FROM every_version', dialect)} WHERE ${condition}`);
  const key = dialect.quote('key');
  const list = keys.map((one) => quoteText(one)).join(', ');
  const named = keys.length === 0 ? [] : await read(`NOT null_key AND ${key} IN (${list})`);
  const keyless = await client.query(`${all}\nSELECT * FROM every_version WHERE null_key LIMIT ${KEYS}`);
  for (const [name, rows] of [
    ['suspect_version', named],
    ['null_version', keyless],
    ['surrogate_version', named],
  ] as const) {
    const columns = ['key', 'surrogate', ...shown.map((_, index) => `c${index}`)].map(
      (one) => `${one} VARCHAR`,
    );
    const empty = `(${[...columns, 'valid_from BIGINT', 'valid_to BIGINT', 'is_open BOOLEAN', 'is_current BOOLEAN', '"row" BIGINT'].join(', ')})`;
    await db.run(
      rows.length === 0 ? `CREATE TABLE ${name} ${empty}` : `CREATE TABLE ${name} AS ${valuesOf(rows)}`,
    );
  }
}

async function size(client: RemoteClient, contract: Contract, table: string): Promise<Omit<Looked, 'gaps'>> {
  const { dialect } = client;
  const [row] = await client.query(`${everyVersion(contract, table, dialect)}\n${spelled(SIZE, dialect)}`);
  const of = (name: string) => Number(row![name] ?? 0);
  return {
    rows: of('all_rows'),
    nulls: of('null_rows'),
    screened: {
      rows: of('all_rows') - of('null_rows'),
      keys: of('key_count'),
      open: of('open_rows'),
      many: of('many_keys'),
      manyOpen: of('many_open'),
      suspects: of('key_count'),
    },
  };
}

const SIZE = `SELECT sum(n) AS all_rows, sum(nulls) AS null_rows, sum(CASE WHEN nulls = 0 THEN 1 ELSE 0 END) AS key_count,
    sum(CASE WHEN nulls = 0 THEN o ELSE 0 END) AS open_rows, sum(CASE WHEN nulls = 0 AND n > 1 THEN 1 ELSE 0 END) AS many_keys,
    sum(CASE WHEN nulls = 0 AND n > 1 AND o > 0 THEN 1 ELSE 0 END) AS many_open
  FROM (
    SELECT key, count(*) AS n, sum(CASE WHEN is_open THEN 1 ELSE 0 END) AS o, sum(CASE WHEN null_key THEN 1 ELSE 0 END) AS nulls
    FROM every_version GROUP BY key) sizes`;

async function gapsOf(client: RemoteClient, contract: Contract, table: string): Promise<number> {
  const never: Contract = { ...contract, deletes: 'never' };
  const [row] = await client.query(gapSql(never, table, client.dialect));
  return Number(row!['gaps']);
}

function gapSql(contract: Contract, table: string, dialect: Dialect): string {
  const sql = checkSql('contiguous', contract, table, dialect);
  const at = sql.lastIndexOf('\n--\n');
  return `${sql.slice(0, at)}\nSELECT count(*) AS gaps FROM (${sql.slice(at + 4)}) found`;
}
