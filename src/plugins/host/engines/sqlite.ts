import type { Table } from 'apache-arrow';
import type Connection from 'better-sqlite3';
import type { Cell, Column, ColumnType } from '../../../contract/columns.ts';
import { tableFromRows } from '../../../duckdb/rows.ts';
import { quoteIdentifier } from '../../../duckdb/sql.ts';
import { quoteTableName, type TableName } from '../../sql/names.ts';
import { splitBodies } from '../../sql/statements.ts';
import { inferColumn, inferredCell } from '../cells.ts';
import { loadDriver } from './driver.ts';
import { type Engine, EngineError, type Instant, type SqlDatabase } from './engine.ts';
import { cellRows, plainInstant } from './texts.ts';

type Driver = typeof Connection;

/**
 * SQLite in this process, a database in memory for each session. It has no types for instants, dates and decimals: they are texts, instants as
 * `YYYY-MM-DD HH:MM:SS.ffffff`, so that their order is that of time.
 */
export async function sqlite(): Promise<Engine> {
  const { default: Driver } = await loadDriver('better-sqlite3@12', 'SQLite', () => import('better-sqlite3'));
  // Loads the part of it that is compiled, which may be there for another version of Node only.
  const parser = await loadDriver('better-sqlite3@12', 'SQLite', async () => new Driver(':memory:'));
  return {
    label: 'SQLite',
    clockRefusal: null,
    hasSandbox: false,
    literal: (_kind, text) => `'${text}'`,
    async statements(sql, sample) {
      for (const { text, firstLine } of splitBodies(sample)) refuseNoSql(parser, text, firstLine);
      return splitBodies(sql);
    },
    expect() {},
    open: async () => new SqliteDatabase(Driver),
    failed() {},
  };
}

/** Tables that are not there yet are no mistake. */
function refuseNoSql(parser: Connection.Database, text: string, firstLine: number): void {
  try {
    parser.prepare(text);
  } catch (error) {
    const { message } = error as Error;
    if (/syntax error|incomplete input|unrecognized token/.test(message))
      throw new EngineError(message, lineOf(message, text, firstLine), 'syntax');
  }
}

/** SQLite names the token that it stumbled over, and not where it stands: known only where there is one of it. */
function lineOf(message: string, text: string, firstLine: number): number {
  const token = /near "(.+)": syntax error/s.exec(message)?.[1];
  const blank = text.length - text.trimStart().length;
  const at = token === undefined || text.split(token).length !== 2 ? blank : text.indexOf(token);
  return firstLine + text.slice(0, at).split('\n').length - 1;
}

class SqliteDatabase implements SqlDatabase {
  readonly #driver: Driver;
  #connection: Connection.Database;
  /** Where the clock is moved: what time it is. */
  #clock: string | null = null;

  constructor(driver: Driver) {
    this.#driver = driver;
    this.#connection = this.#connect(':memory:');
  }

  #connect(from: string | Buffer): Connection.Database {
    const connection = new this.#driver(from as string);
    connection.defaultSafeIntegers(true);
    // As in DuckDB: SQLite's own RAISE is for triggers only.
    connection.function('error', { varargs: true }, (message: unknown) => {
      throw new Error(String(message));
    });
    return connection;
  }

  async prepare({ movesClock }: { movesClock: boolean }): Promise<void> {
    if (!movesClock) return;
    this.#clock = '1970-01-01 00:00:00.000000';
    this.#moveClock();
  }

  async run(sql: string): Promise<void> {
    try {
      this.#connection.exec(sql);
    } catch (error) {
      throw explained(error);
    }
  }

  begin(): Promise<void> {
    return this.run('BEGIN');
  }

  commit(): Promise<void> {
    return this.run('COMMIT');
  }

  async rollBack(): Promise<boolean> {
    if (!this.#connection.inTransaction) return false;
    await this.run('ROLLBACK');
    return true;
  }

  async createTable(table: TableName, columns: readonly Column[]): Promise<void> {
    const list = columns.map((column) => `${quoteIdentifier(column.name)} ${typeName(column)}`).join(', ');
    const name = quoteTableName(this.#inMain(table));
    await this.run(`DROP TABLE IF EXISTS ${name}; CREATE TABLE ${name} (${list})`);
  }

  async exists(table: TableName): Promise<boolean> {
    return this.run(`SELECT 1 FROM ${quoteTableName(this.#inMain(table))} LIMIT 0`).then(
      () => true,
      () => false,
    );
  }

  async fill(table: TableName, columns: readonly Column[], rows: Table): Promise<void> {
    const name = quoteTableName(this.#inMain(table));
    const own = new Set(
      this.#connection
        .prepare(`SELECT * FROM ${name}`)
        .columns()
        .map((column) => column.name.toLowerCase()),
    );
    this.#insert(
      table,
      columns.filter((column) => own.has(column.name.toLowerCase())),
      rows,
    );
  }

  async deliver(
    table: TableName,
    columns: readonly Column[],
    rows: Table,
    { clock }: Instant,
  ): Promise<void> {
    this.#clock = clock;
    await this.createTable(table, columns);
    this.#insert(table, columns, rows);
  }

  async tick(clock: string): Promise<void> {
    this.#clock = clock;
  }

  async read(table: TableName): Promise<Table> {
    try {
      const statement = this.#connection
        .prepare(`SELECT * FROM ${quoteTableName(this.#inMain(table))}`)
        .raw();
      const columns = statement.columns();
      return tableOf(columns, statement.all() as unknown[][]);
    } catch (error) {
      throw explained(error);
    }
  }

  /** What is committed, in a new connection; temporary tables and settings stay behind. */
  async reconnect(): Promise<void> {
    await this.rollBack();
    const committed = this.#connection.serialize();
    this.#connection.close();
    this.#connection = this.#connect(committed);
    if (this.#clock !== null) this.#moveClock();
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  /** A schema is another file here. Scripts that name one get it in the same database. */
  #inMain({ schema, table }: TableName): TableName {
    return { schema: schema.filter((name) => ['main', 'temp'].includes(name.toLowerCase())), table };
  }

  #insert(table: TableName, columns: readonly Column[], rows: Table): void {
    if (rows.numRows === 0 || columns.length === 0) return;
    const list = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
    const places = columns.map(() => '?').join(', ');
    const insert = this.#connection.prepare(
      `INSERT INTO ${quoteTableName(this.#inMain(table))} (${list}) VALUES (${places})`,
    );
    const insertAll = this.#connection.transaction(() => {
      for (const cells of cellRows(columns, rows))
        insert.run(cells.map((cell, at) => toSqlite(cell, columns[at]!)));
    });
    insertAll();
  }

  /**
   * The keywords `current_timestamp`, `current_date` and `current_time` are functions under the hood, and take ours; `datetime('now')` and its
   * like are asked of a second connection, with the instant in the place of `now`.
   */
  #moveClock(): void {
    const original = new this.#driver(':memory:');
    const now = () => this.#clock!;
    const ask = (name: string, given: readonly unknown[]) => {
      const all = given.map((one) => (String(one).toLowerCase() === 'now' ? now() : one));
      const places = all.map(() => '?').join(', ');
      return original
        .prepare(`SELECT ${name}(${places})`)
        .pluck()
        .get(...all);
    };
    for (const [name, format] of Object.entries(KEYWORDS))
      this.#connection.function(name, () => ask('strftime', [format, 'now']));
    for (const [name, before] of Object.entries(TIME_FUNCTIONS)) {
      this.#connection.function(name, { varargs: true }, (...given: unknown[]) =>
        ask(name, given.length > before ? given : [...given, 'now']),
      );
    }
  }
}

const KEYWORDS = {
  current_timestamp: '%Y-%m-%d %H:%M:%S',
  current_date: '%Y-%m-%d',
  current_time: '%H:%M:%S',
} as const;

/** How many arguments stand before the instant. */
const TIME_FUNCTIONS = { date: 0, time: 0, datetime: 0, julianday: 0, unixepoch: 0, strftime: 1 } as const;

function typeName({ type }: Column): string {
  if (type === 'integer' || type === 'bigint') return 'INTEGER';
  if (type === 'double') return 'REAL';
  return type === 'boolean' ? 'BOOLEAN' : 'TEXT';
}

function toSqlite(cell: Cell, { type }: Column): unknown {
  if (typeof cell === 'boolean') return cell ? 1n : 0n;
  if (type === 'integer' && cell !== null) return BigInt(cell as number);
  return type === 'timestamp' && cell !== null ? plainInstant(cell as string) : cell;
}

/** A value has a type here, and a column a wish: what was declared counts where every value keeps to it. */
function tableOf(
  columns: readonly Connection.ColumnDefinition[],
  rows: readonly (readonly unknown[])[],
): Table {
  const kept = columns.flatMap(({ name, type }, at) =>
    columns.findIndex((other) => other.name === name) < at ? [] : [{ name, at, declared: affinity(type) }],
  );
  const typed = kept.map(({ name, at, declared }) => {
    const values = rows.map((row) => plain(row[at]));
    const found = inferColumn(name, values);
    const isEmpty = values.every((value) => value === null);
    const column: Column = isEmpty ? { name, type: declared, nullable: true } : found;
    return { column, cells: values.map((value) => inferredCell(column, value)) };
  });
  return tableFromRows(
    typed.map(({ column }) => column),
    rows.map((_, row) => Object.fromEntries(typed.map(({ column, cells }) => [column.name, cells[row]!]))),
  );
}

function affinity(declared: string | null): ColumnType {
  if (/int|bool/i.test(declared ?? '')) return 'bigint';
  return /real|floa|doub/i.test(declared ?? '') ? 'double' : 'text';
}

function plain(value: unknown): unknown {
  return Buffer.isBuffer(value) ? value.toString('hex') : value;
}

function explained(error: unknown): EngineError {
  return new EngineError(error instanceof Error ? error.message : String(error));
}
