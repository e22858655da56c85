import type { Client, ClientConfig } from 'pg';
import { ImplementationFailure } from '../../implementation.ts';
import { withoutPassword } from '../../sql/engine-name.ts';
import { loadDriver } from './driver.ts';
import { emptyDatabase, explained, type Link, type LinkPool, type LinkResult } from './postgres-link.ts';

interface ServerLink extends Link {
  readonly database: string;
  end(): Promise<void>;
}

/**
 * A server under a URL. Nothing in the database that the URL names is touched: sessions have databases of their own, whose names begin with
 * `prefix` and a number, and which `dropPostgres` takes away again.
 */
export async function postgresServer(url: string, prefix: string): Promise<LinkPool> {
  // What an earlier host of this run has left behind, a statement that never ends perhaps.
  await dropPostgres(url, prefix);
  const free: ServerLink[] = [];
  let created = 0;
  return {
    async take() {
      const link = free.pop();
      if (link !== undefined) return link;
      const database = `${prefix}_${++created}`;
      await createDatabase(url, database);
      return connect(url, database);
    },
    async giveBack(link) {
      await emptyDatabase(link);
      free.push(link as ServerLink);
    },
    async reconnect(link) {
      const { database, end } = link as ServerLink;
      await end();
      return connect(url, database);
    },
  };
}

/** Ends what runs in databases whose names begin so, and drops them. */
export async function dropPostgres(url: string, prefix: string): Promise<void> {
  const client = await openClient(url, null);
  try {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [`${prefix}_`],
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

async function createDatabase(url: string, database: string): Promise<void> {
  const client = await openClient(url, null);
  try {
    const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
    const utf8 = rows[0]!.server_encoding === 'UTF8';
    const other = " TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'";
    await client.query(`CREATE DATABASE "${database}"${utf8 ? '' : other}`);
  } catch (error) {
    throw new ImplementationFailure(
      'usage',
      `A session needs a database of its own, and the server does not create one: ${(error as Error).message}. ` +
        'Give the role the right to: ALTER ROLE … CREATEDB.',
    );
  } finally {
    await client.end();
  }
}

async function connect(url: string, database: string): Promise<ServerLink> {
  const client = await openClient(url, database);
  let notices: string[] = [];
  client.on('notice', ({ code }) => notices.push(code ?? ''));
  return {
    database,
    async run(sql) {
      notices = [];
      const answer = await client.query({ text: sql, rowMode: 'array', types: TEXTS }).catch((error) => {
        throw explained(error, sql);
      });
      const last = [answer].flat().at(-1)!;
      return {
        fields: last.fields.map(({ name, dataTypeID }) => ({ name, oid: dataTypeID })),
        rows: last.rows as unknown as LinkResult['rows'],
        notices,
      };
    },
    async query(sql, parameters) {
      await client.query(sql, [...parameters]).catch((error) => {
        throw explained(error, sql);
      });
    },
    end: () => client.end(),
  };
}

/** Values stay as the server wrote them. */
const TEXTS: NonNullable<ClientConfig['types']> = {
  getTypeParser: (() => (text: string) => text) as never,
};

const CONNECT_MS = 10_000;

/** To the database that the URL names, or to another on the same server. */
async function openClient(url: string, database: string | null): Promise<Client> {
  const { default: pg } = await loadDriver('pg', 'PostgreSQL under a URL', () => import('pg'));
  const target = new URL(url);
  if (database !== null) target.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: target.href, connectionTimeoutMillis: CONNECT_MS });
  // A connection that is lost is reported by the statement that needed it.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new ImplementationFailure(
      'usage',
      `There is no way into ${withoutPassword(url)}: ${reasonOf(error)}. Look at host, port, user, password and database, and whether the server runs.`,
    );
  }
}

/** Several addresses that all refuse are one error without a message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
