import type { Table } from 'apache-arrow';
import { type Column, dimensionColumns } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import { formatDate, formatInstant } from '../../contract/instant.ts';
import { quoteIdentifier } from '../../duckdb/sql.ts';
import { ImplementationFailure, type Interruptible, type Outcome } from '../implementation.ts';
import { quoteTableName, type TableName } from '../sql/names.ts';
import { type InstantTexts, renderTemplate } from '../sql/script.ts';
import type { Statement } from '../sql/statements.ts';
import type { PreparedScript } from './sql.ts';
import { moveClockSql, setClockSql } from './sql-clock.ts';
import { createTableSql, type SqlDatabase } from './sql-database.ts';
import { isFatal, oneLine, outcomeOf, StatementError } from './sql-errors.ts';

/** Where the rows of an initial dimension wait to be converted. */
const STAGE: TableName = { schema: [], table: 'scd2check_stage' };

/** One run of a script through a feed, in a database of its own. */
export class SqlSession {
  readonly #script: PreparedScript;
  readonly #database: SqlDatabase;
  readonly #contract: Contract;
  readonly #batchColumns: readonly Column[];
  #batches = 0;

  constructor(
    script: PreparedScript,
    database: SqlDatabase,
    contract: Contract,
    batchColumns: readonly Column[],
  ) {
    this.#script = script;
    this.#database = database;
    this.#contract = contract;
    this.#batchColumns = batchColumns;
  }

  async start(dimension: Table | null): Promise<void> {
    const { path, sandbox } = this.#script.source;
    const clock = this.#contract.clock === 'moved' ? moveClockSql() : '';
    const lock = sandbox ? 'SET enable_external_access = false; SET lock_configuration = true;' : '';
    if (clock + lock !== '') await this.#database.run(clock + lock);
    try {
      // Before the setup, whose views may read it.
      await this.#database.run(createTableSql(this.#script.batchTable, this.#batchColumns));
      for (const statement of this.#script.setup) await this.#runStatement(statement, statement.text);
      if (!(await this.#exists(this.#script.dimensionTable))) {
        await this.#database.run(
          createTableSql(this.#script.dimensionTable, dimensionColumns(this.#contract.columns)),
        );
      }
      if (dimension !== null) await this.#fillDimension(dimension);
    } catch (error) {
      throw new ImplementationFailure('start', `${path} failed before the first batch: ${oneLine(error)}`);
    }
  }

  async apply(index: number, asOf: bigint, rows: Table): Promise<Outcome> {
    this.#batches = index + 1;
    const instant = instantTexts(asOf, this.#contract);
    try {
      await this.#deliver(instant, asOf, rows);
    } catch (error) {
      const table = quoteTableName(this.#script.batchTable);
      return {
        status: 'errored',
        reason: `The rows could not be put into the table ${table}: ${oneLine(error)}`,
      };
    }
    try {
      await this.#load(instant);
    } catch (error) {
      await this.#rollBack();
      if (!(error instanceof StatementError)) throw error;
      this.#refuseFatal(error);
      return outcomeOf(error);
    }
    if (!this.#script.begins || !(await this.#rollBack())) return { status: 'applied' };
    const reason =
      'The script left a transaction open (BEGIN without COMMIT), so all that it did was rolled back.';
    return { status: 'errored', reason };
  }

  /** Between two statements: what the last one left open is rolled back, and another connection goes on. */
  async interrupt(index: number, asOf: bigint, rows: Table, point: number): Promise<Interruptible> {
    const points = this.#script.load.length - 1;
    if (point > points) return { points };
    this.#batches = index + 1;
    try {
      const instant = instantTexts(asOf, this.#contract);
      await this.#deliver(instant, asOf, rows);
      await this.#load(instant, point);
    } catch (error) {
      // Whatever it raises it will raise again when the batch comes again, and answer for it there.
      if (error instanceof StatementError) this.#refuseFatal(error);
    }
    await this.#rollBack();
    await this.#database.reconnect();
    return { points };
  }

  async read(): Promise<Table> {
    const table = quoteTableName(this.#script.dimensionTable);
    try {
      return await this.#database.query(`SELECT * FROM ${table}`);
    } catch (error) {
      const when = this.#batches === 0 ? 'before the first batch' : `after batch ${this.#batches}`;
      throw new ImplementationFailure(
        'unreadable',
        `The dimension ${table} of ${this.#script.source.path} cannot be read ${when}: ${oneLine(error)}. ` +
          'If it has another name, say so in the script: "-- scd2check:dimension <table>".',
      );
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #deliver(instant: InstantTexts, asOf: bigint, rows: Table): Promise<void> {
    const { batchTable } = this.#script;
    const statements = [`SET VARIABLE as_of = ${instant.literal};`];
    if (this.#contract.clock === 'moved') statements.push(setClockSql(timestampText(asOf)));
    const columns = this.#columnsOf(rows);
    statements.push(createTableSql(batchTable, columns));
    await this.#database.run(statements.join('\n'));
    await this.#database.append(batchTable, columns, rows);
  }

  /** In the order in which this batch delivers them; what it does not deliver is NULL. */
  #columnsOf(rows: Table): readonly Column[] {
    const names = rows.schema.fields.map((field) => field.name);
    const place = (column: Column) =>
      names.includes(column.name) ? names.indexOf(column.name) : names.length;
    return this.#batchColumns.toSorted((a, b) => place(a) - place(b));
  }

  /** The whole load, or its first statements; these are left uncommitted where the caller holds the transaction. */
  async #load(instant: InstantTexts, first = this.#script.load.length): Promise<void> {
    const caller = this.#contract.transaction === 'caller';
    if (caller) await this.#database.run('BEGIN');
    for (const statement of this.#script.load.slice(0, first)) {
      await this.#runStatement(statement, renderTemplate(statement.template, instant));
    }
    if (caller && first === this.#script.load.length) await this.#database.run('COMMIT');
  }

  #refuseFatal(error: StatementError): void {
    if (!isFatal(error)) return;
    throw new ImplementationFailure(
      'crash',
      `DuckDB itself failed in ${this.#script.source.path}, so there is no dimension to judge: ${error.message}`,
    );
  }

  async #runStatement(statement: Statement, sql: string): Promise<void> {
    try {
      await this.#database.run(sql);
    } catch (error) {
      throw new StatementError(error, statement);
    }
  }

  /** Whether there was a transaction to roll back. */
  async #rollBack(): Promise<boolean> {
    try {
      await this.#database.run('ROLLBACK');
      return true;
    } catch {
      return false;
    }
  }

  async #exists(table: TableName): Promise<boolean> {
    try {
      await this.#database.run(`FROM ${quoteTableName(table)} LIMIT 0`);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Columns that the dimension has not stay out: they are of an implementation that keeps more. By way of a table, so
   * that DuckDB converts what the script's own dimension declares otherwise.
   */
  async #fillDimension(rows: Table): Promise<void> {
    const target = quoteTableName(this.#script.dimensionTable);
    const own = (await this.#database.query(`FROM ${target} LIMIT 0`)).schema.fields;
    const names = new Set(own.map((field) => field.name.toLowerCase()));
    const common = rows.schema.fields.map(({ name }) => name).filter((name) => names.has(name.toLowerCase()));
    await this.#database.createTable(STAGE, rows);
    const stage = quoteTableName(STAGE);
    const list = common.map(quoteIdentifier).join(', ');
    await this.#database.run(
      `INSERT INTO ${target} BY NAME SELECT ${list} FROM ${stage}; DROP TABLE ${stage};`,
    );
  }
}

function instantTexts(asOf: bigint, { grain }: Contract): InstantTexts {
  const bare = grain === 'day' ? formatDate(asOf) : timestampText(asOf);
  return { bare, literal: `${grain === 'day' ? 'DATE' : 'TIMESTAMP'} '${bare}'` };
}

/** ISO text as people write it in SQL: without `T` and `Z`. */
function timestampText(micros: bigint): string {
  return formatInstant(micros).replace('T', ' ').replace('Z', '');
}
