import type { Table } from 'apache-arrow';
import type { Cell, Column, ColumnType } from '../../../contract/columns.ts';
import { quoteIdentifier, quoteText } from '../../../duckdb/sql.ts';
import { quoteTableName, type TableName } from '../../sql/names.ts';
import { splitBodies } from '../../sql/statements.ts';
import type { Engine, SqlDatabase } from './engine.ts';
import { embeddedPostgres } from './postgres-embedded.ts';
import type { Link, LinkPool } from './postgres-link.ts';
import { postgresServer } from './postgres-server.ts';
import { cellRows, tableFromTexts } from './texts.ts';

/**
 * PostgreSQL, embedded (PGlite, which is PostgreSQL compiled to WebAssembly) or a server under a URL. A session has a database of its own,
 * which is emptied and used again.
 *
 * The clock cannot be moved: `current_date` and `current_timestamp` are keywords here, and a function of the same name does not take
 * their place.
 */
export async function postgres(url: string | null, prefix: string): Promise<Engine> {
  const pool: LinkPool = await (url === null ? embeddedPostgres() : postgresServer(url, prefix));
  let text = '';
  return {
    label: 'PostgreSQL',
    clockRefusal:
      'current_date and current_timestamp are no functions on PostgreSQL, so nothing can take their place',
    hasSandbox: false,
    literal: (kind, instant) => `${kind} '${instant}'`,
    statements: async (sql) => splitBodies(sql),
    expect(statements) {
      text = statements.map((one) => one.text).join(';');
    },
    open: async () => PostgresDatabase.open(pool, (name) => spelled(name, text)),
    failed() {},
  };
}

/** PostgreSQL folds names that are not quoted to lower case, and so do we, unless the script quotes them. */
function spelled(name: string, script: string): string {
  return /^[A-Za-z_][\w$]*$/.test(name) && !script.includes(quoteIdentifier(name))
    ? name.toLowerCase()
    : name;
}

class PostgresDatabase implements SqlDatabase {
  readonly #pool: LinkPool;
  readonly #spelled: (name: string) => string;
  #link: Link;
  /** What the batch table was created with. */
  #columns = '';

  private constructor(pool: LinkPool, link: Link, spelling: (name: string) => string) {
    this.#pool = pool;
    this.#link = link;
    this.#spelled = spelling;
  }

  static async open(pool: LinkPool, spelling: (name: string) => string): Promise<PostgresDatabase> {
    const link = await pool.take();
    await link.run(SESSION);
    return new PostgresDatabase(pool, link, spelling);
  }

  async prepare(): Promise<void> {}

  async run(sql: string): Promise<void> {
    await this.#link.run(sql);
  }

  begin(): Promise<void> {
    return this.run('BEGIN');
  }

  commit(): Promise<void> {
    return this.run('COMMIT');
  }

  async rollBack(): Promise<boolean> {
    const { notices } = await this.#link.run('ROLLBACK');
    return !notices.includes(NO_TRANSACTION);
  }

  async createTable(table: TableName, columns: readonly Column[]): Promise<void> {
    const schema = table.schema.map((name) => `CREATE SCHEMA IF NOT EXISTS ${this.#quoted(name)};`).join('');
    const list = this.#definitions(columns);
    await this.run(
      `${schema} DROP TABLE IF EXISTS ${this.#named(table)}; CREATE TABLE ${this.#named(table)} (${list})`,
    );
  }

  async exists(table: TableName): Promise<boolean> {
    const found = await this.#link.run(`SELECT to_regclass(${quoteText(this.#named(table))})`);
    return found.rows[0]![0] !== null;
  }

  async fill(table: TableName, columns: readonly Column[], rows: Table): Promise<void> {
    const { fields } = await this.#link.run(`SELECT * FROM ${this.#named(table)} LIMIT 0`);
    const own = new Set(fields.map(({ name }) => name));
    await this.#insert(
      table,
      columns.filter(({ name }) => own.has(this.#spelled(name))),
      rows,
    );
  }

  async deliver(table: TableName, columns: readonly Column[], rows: Table): Promise<void> {
    const definitions = this.#definitions(columns);
    const empty = async () => this.run(`DELETE FROM ${this.#named(table)}`);
    // A view over it would be in the way of another table, and finds its columns by name.
    const recreate = async () => this.createTable(table, columns).catch(empty);
    await (definitions === this.#columns ? empty().catch(recreate) : recreate());
    this.#columns = definitions;
    await this.#insert(table, columns, rows);
  }

  async tick(): Promise<void> {}

  /** In UTC and in the usual forms, whatever the script has set. */
  async read(table: TableName): Promise<Table> {
    try {
      await this.run(`BEGIN; ${READING}`);
      const { fields, rows } = await this.#link.run(`SELECT * FROM ${this.#named(table)}`);
      await this.run('COMMIT');
      return tableFromTexts(
        fields.map(({ name, oid }) => ({ name, type: TYPES[oid] ?? 'text' })),
        rows,
      );
    } catch (error) {
      await this.rollBack();
      throw error;
    }
  }

  async reconnect(): Promise<void> {
    this.#link = await this.#pool.reconnect(this.#link);
    await this.#link.run(SESSION);
  }

  close(): Promise<void> {
    return this.#pool.giveBack(this.#link);
  }

  async #insert(table: TableName, columns: readonly Column[], rows: Table): Promise<void> {
    if (rows.numRows === 0 || columns.length === 0) return;
    const list = columns.map(({ name }) => this.#quoted(name)).join(', ');
    // The rows as one JSON text, whose values PostgreSQL reads as it reads literals of the column's type.
    const data = cellRows(columns, rows).map((cells) =>
      Object.fromEntries(columns.map(({ name }, at) => [this.#spelled(name), jsonCell(cells[at]!)])),
    );
    await this.#link.query(
      `INSERT INTO ${this.#named(table)} (${list}) SELECT ${list} FROM json_to_recordset($1::json) AS r(${this.#definitions(columns)})`,
      [JSON.stringify(data)],
    );
  }

  #definitions(columns: readonly Column[]): string {
    return columns.map((column) => `${this.#quoted(column.name)} ${typeName(column)}`).join(', ');
  }

  #named({ schema, table }: TableName): string {
    return quoteTableName({ schema: schema.map(this.#spelled), table: this.#spelled(table) });
  }

  #quoted(name: string): string {
    return quoteIdentifier(this.#spelled(name));
  }
}

const SESSION = "SET TimeZone = 'UTC'; SET client_min_messages = warning";
const READING =
  "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'";
/** "There is no transaction in progress". */
const NO_TRANSACTION = '25P01';

function typeName({ type, maxLength }: Column): string {
  if (type === 'double') return 'DOUBLE PRECISION';
  if (type === 'text') return maxLength === undefined ? 'TEXT' : `VARCHAR(${maxLength})`;
  return type.startsWith('decimal') ? type.replace('decimal', 'NUMERIC') : type.toUpperCase();
}

/** Texts for all that JSON has no exact form for. */
function jsonCell(cell: Cell): string | boolean | null {
  if (cell === null || typeof cell === 'boolean') return cell;
  return Object.is(cell, -0) ? '-0' : String(cell);
}

/** By object id, which never changes. Numerics stay texts: they are exact, and longer than any other engine's. */
const TYPES: Readonly<Record<number, ColumnType>> = {
  16: 'boolean',
  20: 'bigint',
  21: 'integer',
  23: 'integer',
  700: 'double',
  701: 'double',
  1082: 'date',
  1114: 'timestamp',
  1184: 'timestamp',
};
