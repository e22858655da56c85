import { type DuckDBConnection, DuckDBInstance, VARCHAR } from '@duckdb/node-api';
import type { Table } from 'apache-arrow';
import type { Column, ColumnType } from '../../contract/columns.ts';
import { chunksFromTable, columnTypes, tableFromChunks } from '../../duckdb/arrow.ts';
import { quoteIdentifier } from '../../duckdb/sql.ts';
import { quoteTableName, type TableName } from '../sql/names.ts';

/**
 * The database of one session. `src/duckdb/connection.ts` has one connection to one instance, which costs ten
 * milliseconds to open; here sessions share an instance where that shows nowhere: each has a connection (variables,
 * temporary tables and settings are a connection's) and a catalog of its own, attached and thrown away.
 */
export class SqlDatabase {
  readonly #connect: () => Promise<DuckDBConnection>;
  readonly #dispose: () => Promise<void>;
  #connection: DuckDBConnection;

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
  ): Promise<SqlDatabase> {
    return new SqlDatabase(connect, dispose, await connect());
  }

  /** Leaves the connection, with all that is its own, for a new one. */
  async reconnect(): Promise<void> {
    this.#connection.closeSync();
    this.#connection = await this.#connect();
  }

  /** Runs one or more statements. */
  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  /** How many statements DuckDB sees in a text. Throws where it cannot parse it. */
  async countStatements(sql: string): Promise<number> {
    return (await this.#connection.extractStatements(sql)).count;
  }

  async query(sql: string): Promise<Table> {
    const result = await this.#connection.run(sql);
    const chunks = await result.fetchAllChunks();
    return tableFromChunks({ names: result.deduplicatedColumnNames(), types: result.columnTypes() }, chunks);
  }

  /** Adds rows to a table that has just these columns, found by name; those that the rows have not are NULL. */
  async append(
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
  async createTable(name: TableName, rows: Table): Promise<void> {
    const types = columnTypes(rows);
    const columns = rows.schema.fields.map((field, i) => `${quoteIdentifier(field.name)} ${types[i]}`);
    await this.run(`CREATE TABLE ${quoteTableName(name)} (${columns.join(', ')})`);
    await this.append(name, rows.schema.fields, rows);
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
  open(): Promise<SqlDatabase>;
}

/**
 * One thread: the loads of a test are small, and more threads make them slower. What does not fit into memory is a
 * runaway, and should not go on to fill the disk.
 */
const CONFIG = { threads: '1', memory_limit: '4GB', temp_directory: '' };

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
      return SqlDatabase.open(connect, async () => {
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
      const instance = await (spare ?? DuckDBInstance.create(':memory:', CONFIG));
      spare = DuckDBInstance.create(':memory:', CONFIG);
      spare.catch(() => {});
      const database = await SqlDatabase.open(
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
export function createTableSql(name: TableName, columns: readonly Column[]): string {
  const list = columns.map((column) => `${quoteIdentifier(column.name)} ${typeName(column.type)}`);
  const schema = name.schema
    .map((part) => `CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(part)};\n`)
    .join('');
  return `${schema}CREATE OR REPLACE TABLE ${quoteTableName(name)} (${list.join(', ')});`;
}

function typeName(type: ColumnType): string {
  return type === 'text' ? 'VARCHAR' : type.toUpperCase();
}
