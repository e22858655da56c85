import { type DuckDBConnection, DuckDBInstance, VARCHAR } from '@duckdb/node-api';
import type { Table } from 'apache-arrow';
import type { Column, ColumnType } from '../../../contract/columns.ts';
import { chunksFromTable, columnTypes, tableFromChunks } from '../../../duckdb/arrow.ts';
import { quoteIdentifier } from '../../../duckdb/sql.ts';
import { quoteTableName, type TableName } from '../../sql/names.ts';
import { memoryLimit } from '../calls.ts';
import { moveClockSql, setClockSql } from './duckdb-clock.ts';
import { EngineError, type Instant, type SqlDatabase } from './engine.ts';

/** Where the rows of an initial dimension wait to be converted. */
const STAGE: TableName = { schema: [], table: 'scd2check_stage' };

/**
 * The database of one session. `src/duckdb/connection.ts` has one connection to one instance, which costs ten
 * milliseconds to open; here sessions share an instance where that shows nowhere: each has a connection (variables,
 * temporary tables and settings are a connection's) and a catalog of its own, attached and thrown away.
 */
export class DuckDbDatabase implements SqlDatabase {
  readonly #connect: () => Promise<DuckDBConnection>;
  readonly #dispose: () => Promise<void>;
  #connection: DuckDBConnection;
  /** The one in which the clock went on last. */
  #transaction: unknown = null;

  private constructor(
    connect: () => Promise<DuckDBConnection>,
    dispose: () => Promise<void>,
    first: DuckDBConnection,
  ) {
    this.#connect = connect;
    this.#dispose = dispose;
    this.#connection = first;
  }

  /** `connect` makes connections to what `dispose` throws away. */
  static async open(
    connect: () => Promise<DuckDBConnection>,
    dispose: () => Promise<void>,
  ): Promise<DuckDbDatabase> {
    return new DuckDbDatabase(connect, dispose, await connect());
  }

  /** Leaves the connection, with all that is its own, for a new one. */
  async reconnect(): Promise<void> {
    this.#connection.closeSync();
    this.#connection = await this.#connect();
  }

  async prepare({ movesClock, sandbox }: { movesClock: boolean; sandbox: boolean }): Promise<void> {
    const clock = movesClock ? moveClockSql() : '';
    const lock = sandbox ? 'SET enable_external_access = false; SET lock_configuration = true;' : '';
    if (clock + lock !== '') await this.run(clock + lock);
  }

  /** Runs one or more statements. */
  async run(sql: string): Promise<void> {
    await this.#connection.run(sql).catch(rethrow);
  }

  begin(): Promise<void> {
    return this.run('BEGIN');
  }

  commit(): Promise<void> {
    return this.run('COMMIT');
  }

  async rollBack(): Promise<boolean> {
    return this.run('ROLLBACK').then(
      () => true,
      () => false,
    );
  }

  createTable(name: TableName, columns: readonly Column[]): Promise<void> {
    return this.run(createTableSql(name, columns));
  }

  async exists(name: TableName): Promise<boolean> {
    return this.run(`FROM ${quoteTableName(name)} LIMIT 0`).then(
      () => true,
      () => false,
    );
  }

  /** By way of a table, so that DuckDB converts what the script's own dimension declares otherwise. */
  async fill(name: TableName, _columns: readonly Column[], rows: Table): Promise<void> {
    const target = quoteTableName(name);
    const own = (await this.#query(`FROM ${target} LIMIT 0`)).schema.fields;
    const names = new Set(own.map((field) => field.name.toLowerCase()));
    const common = rows.schema.fields
      .map((field) => field.name)
      .filter((one) => names.has(one.toLowerCase()));
    await this.#createTableOf(STAGE, rows);
    const stage = quoteTableName(STAGE);
    const list = common.map(quoteIdentifier).join(', ');
    await this.run(`INSERT INTO ${target} BY NAME SELECT ${list} FROM ${stage}; DROP TABLE ${stage};`);
  }

  async deliver(name: TableName, columns: readonly Column[], rows: Table, instant: Instant): Promise<void> {
    const statements = [`SET VARIABLE as_of = ${instant.literal};`];
    if (instant.clock !== null) statements.push(setClockSql(instant.clock));
    statements.push(createTableSql(name, columns));
    await this.run(statements.join('\n'));
    await this.#append(name, columns, rows);
  }

  /** In DuckDB the time is that at which the transaction began. */
  async tick(clock: string): Promise<void> {
    const transaction = (await this.#query('SELECT txid_current()::VARCHAR AS id')).getChildAt(0)?.get(0);
    if (transaction === this.#transaction) return;
    this.#transaction = transaction;
    await this.run(setClockSql(clock));
  }

  read(name: TableName): Promise<Table> {
    return this.#query(`SELECT * FROM ${quoteTableName(name)}`);
  }

  /** How many statements DuckDB sees in a text. Throws where it cannot parse it. */
  async countStatements(sql: string): Promise<number> {
    return (await this.#connection.extractStatements(sql).catch(rethrow)).count;
  }

  async #query(sql: string): Promise<Table> {
    const result = await this.#connection.run(sql).catch(rethrow);
    const chunks = await result.fetchAllChunks();
    return tableFromChunks({ names: result.deduplicatedColumnNames(), types: result.columnTypes() }, chunks);
  }

  /** Adds rows to a table that has just these columns, found by name; those that the rows have not are NULL. */
  async #append(
    { schema, table }: TableName,
    columns: readonly { readonly name: string }[],
    rows: Table,
  ): Promise<void> {
    const names = rows.schema.fields.map((field) => field.name);
    const types = columnTypes(rows);
    const targets = columns.map(({ name }) => {
      const from = names.indexOf(name);
      return from < 0 ? { type: VARCHAR, from: null } : { type: types[from]!, from };
    });
    const appender = await this.#connection.createAppender(table, schema[0]);
    try {
      for (const chunk of chunksFromTable(rows, targets)) appender.appendDataChunk(chunk);
    } catch (error) {
      appender.clear();
      throw error;
    } finally {
      appender.closeSync();
    }
  }

  /** Creates a table with the columns and rows of an Arrow table. */
  async #createTableOf(name: TableName, rows: Table): Promise<void> {
    const types = columnTypes(rows);
    const columns = rows.schema.fields.map((field, i) => `${quoteIdentifier(field.name)} ${types[i]}`);
    await this.run(`CREATE TABLE ${quoteTableName(name)} (${columns.join(', ')})`);
    await this.#append(name, rows.schema.fields, rows);
  }

  async close(): Promise<void> {
    this.#connection.closeSync();
    await this.#dispose();
  }
}

/** Opens databases for sessions; those of one factory are apart from each other. */
export interface DatabaseFactory {
  /** Whether each has an instance to itself. */
  readonly alone: boolean;
  open(): Promise<DuckDbDatabase>;
}

/**
 * One thread: the loads of a test are small, and more threads make them slower. What does not fit into memory is a
 * runaway, and should not go on to fill the disk.
 */
const CONFIG = {
  threads: '1',
  // Below what its host may hold, so that a query fails with words rather than the process without.
  memory_limit: `${Math.floor(Math.min(4e9, 0.8 * memoryLimit()) / 1e6)}MB`,
  temp_directory: '',
};

/** All in one instance: about a millisecond each. For scripts that keep to their own tables. */
export function sharedInstance(): DatabaseFactory {
  const instance = DuckDBInstance.create(':memory:', CONFIG);
  // An error is reported where the instance is used.
  instance.catch(() => {});
  let opened = 0;
  return {
    alone: false,
    async open() {
      const name = `session_${++opened}`;
      const connect = async () => {
        const connection = await (await instance).connect();
        await connection.run(
          `ATTACH IF NOT EXISTS ':memory:' AS ${name}; USE ${name}; SET TimeZone = 'UTC';`,
        );
        return connection;
      };
      return DuckDbDatabase.open(connect, async () => {
        const other = await (await instance).connect();
        await other.run(`DETACH ${name}`);
        other.closeSync();
      });
    },
  };
}

/** An instance for each: for scripts that reach for settings, other databases or the catalog. */
export function ownInstances(): DatabaseFactory {
  // The next one is opened while a session runs, most of it on another thread.
  let spare: Promise<DuckDBInstance> | null = null;
  return {
    alone: true,
    async open() {
      // Taken before anything is waited for: of two sessions that open at once, each must get its own.
      const taken = spare ?? DuckDBInstance.create(':memory:', CONFIG);
      spare = DuckDBInstance.create(':memory:', CONFIG);
      spare.catch(() => {});
      const instance = await taken;
      const database = await DuckDbDatabase.open(
        () => instance.connect(),
        async () => instance.closeSync(),
      );
      // For all connections, because a script's sandbox locks what is set for one.
      await database.run("SET GLOBAL TimeZone = 'UTC'");
      return database;
    },
  };
}

/** The statement that creates a table, and its schema where it has one; a table of that name is replaced. */
function createTableSql(name: TableName, columns: readonly Column[]): string {
  const list = columns.map((column) => `${quoteIdentifier(column.name)} ${typeName(column.type)}`);
  const schema = name.schema
    .map((part) => `CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(part)};\n`)
    .join('');
  return `${schema}CREATE OR REPLACE TABLE ${quoteTableName(name)} (${list.join(', ')});`;
}

function typeName(type: ColumnType): string {
  return type === 'text' ? 'VARCHAR' : type.toUpperCase();
}

/** Honest scripts set options too, and should know why they may not here. */
function lockedHint(message: string): string {
  if (!/configuration has been locked/.test(message)) return '';
  return ' (in the sandbox no setting can be changed; leave it out: the time zone is UTC)';
}

/** DuckDB ends some messages with `LINE 3: SELEC 1` and a caret; the line counts from the start of what was run. */
function rethrow(error: unknown): never {
  const text = String(error instanceof Error ? error.message : error).replace(
    /^Failed to extract statements: /,
    '',
  );
  const excerpt = /\n\s*LINE (\d+): .*$/s.exec(text);
  const message = excerpt === null ? text : text.slice(0, excerpt.index);
  // DuckDB itself failed; after that it refuses everything, in every session of its instance.
  const isLost = /^(FATAL|INTERNAL) Error|has been invalidated/.test(message);
  throw new EngineError(
    `${message}${lockedHint(message)}`,
    excerpt === null ? null : Number(excerpt[1]),
    isLost ? 'lost' : 'statement',
  );
}
