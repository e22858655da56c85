import { UsageError } from '../../cli/usage-error.ts';
import { loadDriver } from '../../plugins/host/engines/driver.ts';
import { SERVERS, withoutPassword } from '../../plugins/sql/engine-name.ts';
import type { Dialect } from '../dialect.ts';
import { dialectOf } from '../print-sql.ts';
import type { TableColumn } from '../table.ts';

/** A connection to the engine that holds the table. Every value comes back as text, or null. */
export interface RemoteClient {
  readonly dialect: Dialect;
  query(sql: string): Promise<readonly RemoteRow[]>;
  /** The rows of each query; in one go where starting the client takes longer than the queries. */
  queryAll(queries: readonly string[]): Promise<readonly (readonly RemoteRow[])[]>;
  /** Types as the engine spells them, in upper case; empty where it does not tell. */
  columns(table: string): Promise<readonly TableColumn[]>;
  /** Ends the query that runs, in the engine too; then it fails. */
  interrupt(): void;
  close(): Promise<void>;
}

export type RemoteRow = Readonly<Record<string, string | null>>;

/** One after the other: connections, and most clients, run one statement at a time. */
export async function inTurn(
  query: RemoteClient['query'],
  queries: readonly string[],
): Promise<readonly (readonly RemoteRow[])[]> {
  const answers: (readonly RemoteRow[])[] = [];
  for (const sql of queries) answers.push(await query(sql));
  return answers;
}

/** The queries of an audit over a connection. What the engine says against one of them is the user's to read. */
function asking(query: RemoteClient['query']): Pick<RemoteClient, 'query' | 'queryAll'> {
  const ask = (sql: string) =>
    query(sql).catch((error: Error) => {
      throw new UsageError(
        `The engine does not run a query of the audit: ${error.message.split('\n')[0]}. Check the columns that were declared, and that the user may read the table.`,
      );
    });
  return { query: ask, queryAll: (queries) => inTurn(ask, queries) };
}

const SCHEMES: Readonly<Record<string, keyof typeof OPENERS>> = { ...SERVERS, 'sqlite:': 'sqlite' };

const OPENERS = { postgres: openPostgres, mysql: openMysql, sqlite: openSqlite };

/** Whether a table is named by the URL of a database. */
export function isDatabaseUrl(name: string): boolean {
  return Object.keys(SCHEMES).some((scheme) => name.startsWith(scheme));
}

/**
 * Connects to `postgres://user@host/database#schema.table`, `mysql://…#table` or `sqlite:file.db#table`.
 * @throws UsageError which never holds a password
 */
export async function connect(
  name: string,
): Promise<{ readonly client: RemoteClient; readonly table: string }> {
  const at = name.lastIndexOf('#');
  if (at < 0 || at === name.length - 1)
    throw new UsageError(
      `\`${withoutPassword(name)}\` names no table. Write it behind a #: ${withoutPassword(name).replace(/#$/, '')}#dim_customer`,
    );
  const [url, table] = [name.slice(0, at), name.slice(at + 1)];
  const scheme = Object.keys(SCHEMES).find((one) => url.startsWith(one))!;
  const client = await OPENERS[SCHEMES[scheme]!](url);
  return { client, table: table.split('.').map(client.dialect.quote).join('.') };
}

/** Time in which a server has to answer. */
const CONNECT_MS = 10_000;

const usage = (message: string) => new UsageError(message);

/** Why a server could not be reached, in its words. */
function refused(url: string, error: unknown): UsageError {
  const { message, code = '' } = error as { message: string; code?: string };
  const what = message.trim() === '' ? code : message.split('\n')[0];
  const password = /:\/\/[^\s:/@?#]*:([^\s/]*)@/.exec(url)?.[1];
  const safe = password === undefined || password === '' ? what! : what!.replaceAll(password, '***');
  return new UsageError(
    `Cannot connect to ${withoutPassword(url)}: ${safe}. Check host, port, user and password, and that the server runs.`,
  );
}

const text = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : Buffer.isBuffer(value)
      ? value.toString('utf8')
      : String(value);

async function openPostgres(url: string): Promise<RemoteClient> {
  const { default: pg } = await loadDriver('pg', 'PostgreSQL', () => import('pg'), usage);
  const settings = { connectionString: url, connectionTimeoutMillis: CONNECT_MS };
  const client = new pg.Client({
    ...settings,
    types: { getTypeParser: () => (value: unknown) => value },
  });
  try {
    await client.connect();
    await client.query("SET TimeZone = 'UTC'");
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  } catch (error) {
    throw refused(url, error);
  }
  const query = async (sql: string) => (await client.query<Record<string, string | null>>(sql)).rows;
  return {
    dialect: dialectOf('postgres'),
    ...asking(query),
    columns: async (table) =>
      (
        await query(
          `SELECT attname AS name, upper(format_type(atttypid, atttypmod)) AS type FROM pg_attribute WHERE attrelid = '${table.replaceAll("'", "''")}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
        )
      ).map(({ name, type }) => ({ name: name!, type: type! })),
    interrupt: () => {
      // Only another connection reaches a server that is busy with this one.
      const other = new pg.Client(settings);
      // It is the server's own process number, which its types leave out.
      const { processID } = client as unknown as { processID: number };
      void other
        .connect()
        .then(() => other.query('SELECT pg_cancel_backend($1)', [processID]))
        .then(() => other.end())
        .catch(() => undefined);
    },
    close: () => client.end(),
  };
}

async function openMysql(url: string): Promise<RemoteClient> {
  const { createConnection } = await loadDriver('mysql2', 'MySQL', () => import('mysql2/promise'), usage);
  const settings = { uri: url.replace(/^mariadb:/, 'mysql:'), connectTimeout: CONNECT_MS };
  const connection = await createConnection({
    ...settings,
    typeCast: (field) => field.buffer()?.toString('utf8') ?? null,
  }).catch((error: unknown) => {
    throw refused(url, error);
  });
  try {
    await connection.query("SET time_zone = '+00:00'");
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
  } catch (error) {
    connection.destroy();
    throw refused(url, error);
  }
  const query = async (sql: string) => {
    const [rows] = await connection.query(sql);
    return (rows as Record<string, unknown>[]).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)])),
    );
  };
  return {
    dialect: dialectOf('mysql'),
    ...asking(query),
    columns: async (table) =>
      (await query(`SHOW COLUMNS FROM ${table}`)).map((row) => ({
        name: row['Field']!,
        type: row['Type']!.toUpperCase(),
      })),
    interrupt: () => {
      const kill = async () => {
        const other = await createConnection(settings);
        await other.query(`KILL QUERY ${connection.threadId}`);
        await other.end();
      };
      void kill().catch(() => undefined);
    },
    close: () => connection.end(),
  };
}

async function openSqlite(url: string): Promise<RemoteClient> {
  const { default: Driver } = await loadDriver(
    'better-sqlite3@12',
    'SQLite',
    () => import('better-sqlite3'),
    usage,
  );
  const path = url.replace(/^sqlite:(\/\/)?/, '');
  const open = () => new Driver(path, { readonly: true, fileMustExist: true });
  const database = await Promise.resolve()
    .then(open)
    .catch((error: unknown) => {
      throw new UsageError(`Cannot open the SQLite file \`${path}\`: ${(error as Error).message}.`);
    });
  database.defaultSafeIntegers(true);
  const query = async (sql: string) =>
    (database.prepare(sql).all() as Record<string, unknown>[]).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)])),
    );
  return {
    dialect: dialectOf('sqlite'),
    ...asking(query),
    columns: async (table) =>
      // What a declared type says there binds nobody: instants are texts.
      (await query(`PRAGMA table_info(${table})`)).map(({ name }) => ({ name: name!, type: '' })),
    // It runs in this thread: nothing is heard before the query has ended.
    interrupt: () => undefined,
    close: async () => void database.close(),
  };
}
