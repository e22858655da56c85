import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DataType, type Table } from 'apache-arrow';
import { chunksFromTable, columnDefinitions, type TargetColumn, tableFromChunks } from './arrow.ts';
import { rowsFromTable } from './rows.ts';
import { quoteIdentifier } from './sql.ts';
import { duckdbType } from './types.ts';

export interface OpenOptions {
  /** A file; in memory where it is left out. */
  readonly path?: string;
  readonly threads?: number;
  /** DuckDB settings by name, such as `{ enable_external_access: 'false' }`. */
  readonly config?: Readonly<Record<string, string>>;
}

/** A DuckDB database and one connection to it. Its time zone is UTC, wherever the process runs. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  #closed = false;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(options: OpenOptions = {}): Promise<Database> {
    const { lock_configuration, ...config } = options.config ?? {};
    const threads = options.threads === undefined ? {} : { threads: String(options.threads) };
    const instance = await DuckDBInstance.create(options.path ?? ':memory:', { ...config, ...threads });
    const database = new Database(instance, await instance.connect());
    try {
      await database.run("SET TimeZone = 'UTC'");
      // Only now, because a locked configuration would refuse the line above.
      if (lock_configuration !== undefined)
        await database.run(`SET lock_configuration = ${lock_configuration}`);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  }

  /** Runs one or more statements. */
  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  /** Runs one or more statements; the result of the last one. Columns that share a name become `a`, `a:1`, … */
  async query(sql: string): Promise<Table> {
    const result = await this.#connection.run(sql);
    const chunks = await result.fetchAllChunks();
    return tableFromChunks({ names: result.deduplicatedColumnNames(), types: result.columnTypes() }, chunks);
  }

  /** As `query`, as objects of canonical cells: integers up to 32 bits are numbers, BIGINT and HUGEINT are bigints. */
  async rows<T = Record<string, unknown>>(sql: string): Promise<T[]> {
    return rowsFromTable(await this.query(sql)) as T[];
  }

  /** Creates a table with the columns and rows of an Arrow table. Where a row cannot be written there is no table. */
  async createTable(name: string, table: Table): Promise<void> {
    if (table.schema.fields.length === 0) {
      throw new Error(
        `Table "${name}" cannot be created: the data has no columns, and DuckDB has no such tables.`,
      );
    }
    await this.run(`CREATE TABLE ${quoteIdentifier(name)} (${columnDefinitions(table).join(', ')})`);
    try {
      await this.append(name, table);
    } catch (error) {
      await this.run(`DROP TABLE ${quoteIdentifier(name)}`);
      throw error;
    }
  }

  /**
   * Adds rows to a table. Columns are matched by name, letter case aside, and converted where types differ; columns of
   * the table that the data does not have are NULL. Throws where the data has a column that the table has not.
   */
  async append(name: string, table: Table): Promise<void> {
    const columns = await this.#targetColumns(name, table);
    const appender = await this.#connection.createAppender(name);
    try {
      for (const chunk of chunksFromTable(table, columns)) appender.appendDataChunk(chunk);
    } catch (error) {
      appender.clear();
      throw explained(error, name, columns);
    } finally {
      appender.closeSync();
    }
  }

  async #targetColumns(name: string, table: Table): Promise<NamedColumn[]> {
    const result = await this.#connection.run(`FROM ${quoteIdentifier(name)} LIMIT 0`);
    const { fields } = table.schema;
    const positions = new Map(fields.map((field, i) => [field.name.toLowerCase(), i]));
    const targets = result.columnNames().map((column, i) => {
      const from = positions.get(column.toLowerCase());
      positions.delete(column.toLowerCase());
      const isEmpty = from === undefined || DataType.isNull(fields[from]!.type);
      if (isEmpty) return { name: column, type: result.columnType(i), from: null };
      return { name: column, type: duckdbType(fields[from]!), from };
    });
    for (const position of positions.values()) {
      const column = fields[position]!.name;
      throw new Error(`Table "${name}" has no column "${column}", which the rows to append have.`);
    }
    return targets;
  }

  /** How far the statement that runs now is: percent (−1 where nobody knows) and rows. Needs the setting `enable_progress_bar`. */
  get progress(): { readonly percentage: number; readonly rows: number; readonly total: number } {
    const { percentage, rows_processed, total_rows_to_process } = this.#connection.progress;
    return { percentage, rows: Number(rows_processed), total: Number(total_rows_to_process) };
  }

  /** Ends the statement that runs now, if one does: its promise is rejected. */
  interrupt(): void {
    this.#connection.interrupt();
  }

  /** Closes the connection and the database. Safe to call twice. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

interface NamedColumn extends TargetColumn {
  readonly name: string;
}

/** DuckDB's own message counts columns and leaves the reader to find the name. */
function explained(error: unknown, table: string, columns: readonly NamedColumn[]): unknown {
  const match = /type mismatch in AppendDataChunk, expected (.+), got (.+) for column (\d+)/.exec(
    String(error),
  );
  if (match === null) return error;
  const [, expected, given, position] = match;
  return new Error(
    `Rows cannot be added to table "${table}": column "${columns[Number(position)]?.name}" is ${expected} there, ` +
      `and not every value given as ${given} fits.`,
    { cause: error },
  );
}
