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
import { bounded, spelled } from '../version.ts';
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
  const answers = await client.queryAll([
    strangeBoundsSql(contract, table, dialect),
    keylessSql(contract, table, dialect, shown),
    `${everyVersion(contract, table, dialect)}\n${spelled(SIZE, dialect)}`,
    gapSql({ ...contract, deletes: 'never' }, table, dialect),
    ...checks.map((check) => `${checkSql(check, contract, table, dialect)}\nLIMIT ${ROWS}`),
  ]);
  const [strange, keyless, sizes, gaps, ...violations] = answers.map((rows) => rows.map(inLowerCase));
  if (sizes![0]?.['all_rows'] === undefined || gaps![0]?.['gaps'] === undefined)
    throw new UsageError(
      'The engine gave no answer to a query that always has one: how many rows the table holds. Look at what the client prints for it.',
    );
  refuseStrangeBounds(strange!, contract, table);
  const keys = new Set<string>();
  for (const [index, check] of checks.entries()) {
    const rows = violations[index]!;
    if (rows[0] !== undefined && !('key' in rows[0]))
      throw new UsageError(
        `The engine's answer to ${check.id} has the columns ${Object.keys(rows[0]).join(', ').slice(0, 200)}, and no \`key\`. The client has to print the rows, and nothing else.`,
      );
    if (rows.length === ROWS)
      throw new UsageError(
        `${check.id} is violated ${ROWS} times or more. A table that is so wrong is looked at where it is: --print-sql --dialect ${dialect.id}, or --skip ${check.id}.`,
      );
    await record(db, check, rows);
    for (const row of rows.slice(0, KEYS)) if (row['key'] != null) keys.add(row['key']);
  }
  const named = await readVersions(client, contract, table, [...keys].slice(0, KEYS), shown);
  await keepVersions(db, { suspect_version: named, null_version: keyless!, surrogate_version: named }, shown);
  return { ...size(sizes![0]!), gaps: Number(gaps![0]!['gaps']) };
}

/** Some engines print the names of columns in upper case. */
function inLowerCase(row: RemoteRow): RemoteRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A value of each bound that is no instant: some engines make NULL of it, without a word. */
function strangeBoundsSql({ columns }: Contract, table: string, dialect: Dialect): string {
  const bounds = [columns.validFrom, columns.validTo].filter((column) => column !== null);
  return bounds
    .map((column, index) => {
      const name = dialect.quote(column.name);
      return `SELECT ${index} AS bound, min(CAST(${name} AS ${dialect.textType})) AS found FROM ${table} WHERE ${name} IS NOT NULL AND ${bounded(column, dialect)} IS NULL`;
    })
    .join('\nUNION ALL\n');
}

function refuseStrangeBounds(rows: readonly RemoteRow[], { columns }: Contract, table: string): void {
  const row = rows.find(({ found }) => found != null);
  if (row === undefined) return;
  const column = row['bound'] === '0' ? columns.validFrom : columns.validTo!;
  throw new UsageError(
    `The column \`${column.name}\` of ${table} holds \`${row['found']!.slice(0, 80)}\`, which the engine does not read as an instant; a version's bounds have to be of a date or timestamp type, or ISO text in UTC where the engine has no such type.`,
  );
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
  client: RemoteClient,
  contract: Contract,
  table: string,
  keys: readonly string[],
  shown: readonly Column[],
): Promise<readonly RemoteRow[]> {
  if (keys.length === 0) return [];
  const { dialect } = client;
  const list = keys.map((one) => dialect.string(one)).join(', ');
  const rows = await client.query(
    `${everyVersion(contract, table, dialect, shown)}\nSELECT * FROM every_version WHERE NOT null_key AND ${dialect.quote('key')} IN (${list})`,
  );
  return rows.map(inLowerCase);
}

function keylessSql(contract: Contract, table: string, dialect: Dialect, shown: readonly Column[]): string {
  return `${everyVersion(contract, table, dialect, shown)}\nSELECT * FROM every_version WHERE null_key LIMIT ${KEYS}`;
}

async function keepVersions(
  db: Database,
  tables: Readonly<Record<string, readonly RemoteRow[]>>,
  shown: readonly Column[],
): Promise<void> {
  const texts = ['key', 'surrogate', ...shown.map((_, index) => `c${index}`)].map((one) => `${one} VARCHAR`);
  const empty = `(${[...texts, 'valid_from BIGINT', 'valid_to BIGINT', 'is_open BOOLEAN', 'is_current BOOLEAN', '"row" BIGINT'].join(', ')})`;
  for (const [name, rows] of Object.entries(tables))
    await db.run(
      rows.length === 0 ? `CREATE TABLE ${name} ${empty}` : `CREATE TABLE ${name} AS ${valuesOf(rows)}`,
    );
}

function size(row: RemoteRow): Omit<Looked, 'gaps'> {
  const of = (name: string) => Number(row[name] ?? 0);
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

function gapSql(contract: Contract, table: string, dialect: Dialect): string {
  const sql = checkSql('contiguous', contract, table, dialect);
  const at = sql.lastIndexOf('\n--\n');
  return `${sql.slice(0, at)}\nSELECT count(*) AS gaps FROM (${sql.slice(at + 4)}) found`;
}
