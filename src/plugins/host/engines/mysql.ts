import type { Table } from 'apache-arrow';
import type { Connection, FieldPacket, ResultSetHeader } from 'mysql2/promise';
import type { Cell, Column, ColumnType } from '../../../contract/columns.ts';
import { ImplementationFailure } from '../../implementation.ts';
import { withoutPassword } from '../../sql/engine-name.ts';
import type { TableName } from '../../sql/names.ts';
import { splitBodies } from '../../sql/statements.ts';
import { loadDriver } from './driver.ts';
import { type Engine, EngineError, type Instant, type SqlDatabase } from './engine.ts';
import { cellRows, plainInstant, tableFromTexts } from './texts.ts';

/**
 * MySQL or MariaDB under a URL. Nothing in the database that the URL names is touched: sessions have databases of their own, whose names begin
 * with `prefix` and a number, and which `dropMysql` takes away again.
 *
 * Texts compare by bytes in them, trailing blanks included. A script that creates its own tables may declare another collation.
 */
export async function mysql(url: string, prefix: string): Promise<Engine> {
  // What an earlier host of this run has left behind, a statement that never ends perhaps.
  await dropMysql(url, prefix);
  const free: MysqlDatabase[] = [];
  let created = 0;
  return {
    label: 'MySQL',
    clockRefusal: null,
    hasSandbox: false,
    literal: (kind, text) => `${kind} '${text}'`,
    statements: async (sql) => splitBodies(sql, 'mysql'),
    expect() {},
    async open() {
      const database = free.pop() ?? (await MysqlDatabase.connect(url, `${prefix}_${++created}`, free));
      await database.empty();
      return database;
    },
    failed() {},
  };
}

/** Ends what runs in databases whose names begin so, and drops them. */
export async function dropMysql(url: string, prefix: string): Promise<void> {
  const connection = await connect(url);
  try {
    const like = `${prefix.replaceAll('_', '\\_')}\\_%`;
    const [running] = await connection.query(
      'SELECT id FROM information_schema.processlist WHERE db LIKE ?',
      [like],
    );
    for (const { id } of lowerCased(running)) await connection.query(`KILL ${Number(id)}`).catch(() => {});
    const [found] = await connection.query(
      'SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name LIKE ?',
      [like],
    );
    for (const { name } of lowerCased(found))
      await connection.query(`DROP DATABASE IF EXISTS ${quoted(String(name))}`);
  } finally {
    await connection.end();
  }
}

/** Columns of the information schema are in upper case on some servers. */
function lowerCased(rows: unknown): Record<string, unknown>[] {
  return (rows as object[]).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value])),
  );
}

class MysqlDatabase implements SqlDatabase {
  readonly #url: string;
  readonly #name: string;
  /** Where it waits for the next session. */
  readonly #free: MysqlDatabase[];
  #connection: Connection;
  /** What the batch table was created with. */
  #columns = '';

  private constructor(url: string, name: string, free: MysqlDatabase[], connection: Connection) {
    this.#url = url;
    this.#name = name;
    this.#free = free;
    this.#connection = connection;
  }

  static async connect(url: string, name: string, free: MysqlDatabase[]): Promise<MysqlDatabase> {
    return new MysqlDatabase(url, name, free, await connect(url));
  }

  /** As new: database, connection and session. */
  async empty(): Promise<void> {
    const connection = this.#connection;
    const [[server]] = (await connection.query('SELECT version() AS version')) as unknown as [
      { version: string }[],
    ];
    const collation = /mariadb/i.test(server!.version) ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
    const name = quoted(this.#name);
    try {
      await connection.query(`DROP DATABASE IF EXISTS ${name}`);
      await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE ${collation}`);
    } catch (error) {
      throw new ImplementationFailure(
        'usage',
        `A session needs a database of its own, and the server does not create one: ${(error as Error).message}. ` +
          'Give the user the right to: GRANT ALL ON `scd2check\\_%`.* TO ….',
      );
    }
    await connection.changeUser({ database: this.#name });
    await connection.query("SET time_zone = '+00:00', timestamp = DEFAULT");
    this.#columns = '';
  }

  async prepare(): Promise<void> {}

  async run(sql: string): Promise<void> {
    await this.#query(sql);
  }

  begin(): Promise<void> {
    return this.run('START TRANSACTION');
  }

  commit(): Promise<void> {
    return this.run('COMMIT');
  }

  async rollBack(): Promise<boolean> {
    const [{ serverStatus }] = (await this.#query('DO 0')) as [ResultSetHeader, unknown];
    await this.run('ROLLBACK');
    return (serverStatus & IN_TRANSACTION) !== 0;
  }

  async createTable(table: TableName, columns: readonly Column[]): Promise<void> {
    for (const schema of table.schema) await this.run(`CREATE DATABASE IF NOT EXISTS ${quoted(schema)}`);
    await this.run(`DROP TABLE IF EXISTS ${named(table)}`);
    await this.run(`CREATE TABLE ${named(table)} (${definitions(columns)})`);
  }

  async exists(table: TableName): Promise<boolean> {
    return this.run(`SELECT 1 FROM ${named(table)} LIMIT 0`).then(
      () => true,
      () => false,
    );
  }

  async fill(table: TableName, columns: readonly Column[], rows: Table): Promise<void> {
    const [, fields] = await this.#query(`SELECT * FROM ${named(table)} LIMIT 0`);
    const own = new Set(fields.map(({ name }) => name.toLowerCase()));
    await this.#insert(
      table,
      columns.filter(({ name }) => own.has(name.toLowerCase())),
      rows,
    );
  }

  async deliver(
    table: TableName,
    columns: readonly Column[],
    rows: Table,
    { clock }: Instant,
  ): Promise<void> {
    const wanted = definitions(columns);
    const recreate = () => this.createTable(table, columns);
    if (wanted === this.#columns) await this.run(`DELETE FROM ${named(table)}`).catch(recreate);
    else await recreate();
    this.#columns = wanted;
    await this.#insert(table, columns, rows);
    if (clock !== null) await this.tick(clock);
  }

  async tick(clock: string): Promise<void> {
    await this.run(`SET timestamp = ${secondsOf(clock)}`);
  }

  /** In UTC, whatever the script has set: a column of the type TIMESTAMP is read in the zone of the session. */
  async read(table: TableName): Promise<Table> {
    const [[session]] = (await this.#query('SELECT @@session.time_zone AS zone')) as unknown as [string[][]];
    await this.run("SET time_zone = '+00:00'");
    try {
      const [rows, fields] = await this.#query(`SELECT * FROM ${named(table)}`);
      return tableFromTexts(fields.map(textColumn), rows as unknown as (string | null)[][]);
    } finally {
      await this.#connection.query('SET time_zone = ?', session!);
    }
  }

  async reconnect(): Promise<void> {
    await this.#connection.end();
    this.#connection = await connect(this.#url);
    await this.#connection.changeUser({ database: this.#name });
    await this.#connection.query("SET time_zone = '+00:00'");
  }

  async close(): Promise<void> {
    this.#free.push(this);
  }

  async #query(sql: string): Promise<[unknown, FieldPacket[]]> {
    try {
      return await this.#connection.query({ sql, rowsAsArray: true, typeCast: asText });
    } catch (error) {
      throw explained(error, sql);
    }
  }

  async #insert(table: TableName, columns: readonly Column[], rows: Table): Promise<void> {
    const list = columns.map(({ name }) => quoted(name)).join(', ');
    const all = cellRows(columns, rows).map((cells) => cells.map((cell, at) => toMysql(cell, columns[at]!)));
    for (let from = 0; from < all.length && columns.length > 0; from += ROWS_AT_ONCE) {
      const some = all.slice(from, from + ROWS_AT_ONCE);
      try {
        await this.#connection.query(`INSERT INTO ${named(table)} (${list}) VALUES ?`, [some]);
      } catch (error) {
        throw explained(error);
      }
    }
  }
}

const ROWS_AT_ONCE = 1000;
/** SERVER_STATUS_IN_TRANS of the client protocol. */
const IN_TRANSACTION = 1;
const CONNECT_MS = 10_000;

async function connect(url: string): Promise<Connection> {
  const driver = await loadDriver('mysql2', 'MySQL', () => import('mysql2/promise'));
  const uri = url.replace(/^mariadb:/i, 'mysql:');
  try {
    const connection = await driver.createConnection({
      uri,
      charset: 'utf8mb4',
      connectTimeout: CONNECT_MS,
      supportBigNumbers: true,
      bigNumberStrings: true,
      dateStrings: true,
    });
    // A connection that is lost is reported by the statement that needed it.
    connection.on('error', () => {});
    return connection;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new ImplementationFailure(
      'usage',
      `There is no way into ${withoutPassword(url)}: ${message || code}. Look at host, port, user, password and database, and whether the server runs.`,
    );
  }
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

function named({ schema, table }: TableName): string {
  return [...schema, table].map(quoted).join('.');
}

function definitions(columns: readonly Column[]): string {
  return columns.map((column) => `${quoted(column.name)} ${typeName(column)} NULL`).join(', ');
}

function typeName({ type, maxLength }: Column): string {
  if (type === 'text') return maxLength === undefined ? 'TEXT' : `VARCHAR(${maxLength})`;
  return type === 'timestamp' ? 'DATETIME(6)' : type.toUpperCase();
}

function toMysql(cell: Cell, { type }: Column): Cell {
  if (typeof cell === 'bigint') return cell.toString();
  return type === 'timestamp' && cell !== null ? plainInstant(cell as string) : cell;
}

/** Seconds since the epoch, with a fraction. */
function secondsOf(clock: string): string {
  const [whole = '', fraction = '0'] = clock.split('.');
  return `${Date.parse(`${whole.replace(' ', 'T')}Z`) / 1000}.${fraction}`;
}

function blankLines(sql: string): number {
  return /^\s*/.exec(sql)![0].split('\n').length - 1;
}

type TypeCast = Parameters<
  NonNullable<Exclude<import('mysql2').QueryOptions['typeCast'], boolean | undefined>>
>[0];

/** The server's own text; bits, which have none, as a number. */
function asText(field: TypeCast): string | null {
  if (field.type !== 'BIT') return field.string();
  const bytes = field.buffer();
  return bytes === null ? null : BigInt(`0x${bytes.toString('hex')}`).toString();
}

function textColumn({ name, columnType }: FieldPacket): { name: string; type: ColumnType } {
  return { name, type: TYPES[columnType ?? -1] ?? 'text' };
}

/** By the numbers of the client protocol. Decimals stay texts: they are exact, and longer than any other engine's. */
const TYPES: Readonly<Record<number, ColumnType>> = {
  1: 'integer',
  2: 'integer',
  3: 'bigint',
  4: 'double',
  5: 'double',
  7: 'timestamp',
  8: 'bigint',
  9: 'integer',
  10: 'date',
  12: 'timestamp',
  13: 'integer',
  16: 'bigint',
};

/** The server counts lines from the first that is not blank. */
function explained(error: unknown, sql = ''): EngineError {
  const { message, sqlMessage, errno, fatal } = error as Error & {
    sqlMessage?: string;
    errno?: number;
    fatal?: boolean;
  };
  const text = sqlMessage ?? message;
  const line = / at line (\d+)$/.exec(text);
  // 1064: the parser's own.
  return new EngineError(
    text,
    line === null || errno !== 1064 ? null : Number(line[1]) + blankLines(sql),
    fatal === true ? 'lost' : errno === 1064 ? 'syntax' : 'statement',
  );
}
