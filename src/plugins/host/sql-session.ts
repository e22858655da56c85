import type { Table } from 'apache-arrow';
import { type Column, dimensionColumns, twoTables } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import { formatDate, formatInstant } from '../../contract/instant.ts';
import { ImplementationFailure, type Interruptible, type Outcome, type SetClock } from '../implementation.ts';
import { timeOf } from '../set-clock.ts';
import { quoteTableName } from '../sql/names.ts';
import { type InstantTexts, renderTemplate } from '../sql/script.ts';
import type { Statement } from '../sql/statements.ts';
import type { SessionSetup } from './calls.ts';
import type { Engine, Instant, SqlDatabase } from './engines/engine.ts';
import { noSql, type PreparedScript } from './sql.ts';
import { oneLine, outcomeOf, StatementError } from './sql-errors.ts';
import { asOneRelation, TypesDiffer } from './two-tables.ts';

/** One run of a script through a feed, in a database of its own. */
export class SqlSession {
  readonly #script: PreparedScript;
  readonly #engine: Engine;
  readonly #database: SqlDatabase;
  readonly #contract: Contract;
  readonly #batchColumns: readonly Column[];
  /** Null where the script reads the machine's own. */
  readonly #clock: SetClock | null;
  #batches = 0;

  constructor(
    script: PreparedScript,
    engine: Engine,
    database: SqlDatabase,
    { contract, batchColumns, clock }: SessionSetup,
  ) {
    this.#script = script;
    this.#engine = engine;
    this.#database = database;
    this.#contract = contract;
    this.#batchColumns = batchColumns;
    this.#clock = clock;
  }

  async start(dimension: Table | null): Promise<void> {
    const { path, sandbox } = this.#script.source;
    const movesClock = this.#clock !== null;
    if (movesClock && this.#engine.clockRefusal !== null)
      throw new ImplementationFailure('start', `The clock cannot be set: ${this.#engine.clockRefusal}.`);
    const { batchTable, dimensionTable, historyTable } = this.#script;
    await this.#database.prepare({
      movesClock,
      sandbox,
      tables: { batch: batchTable, dimension: dimensionTable, history: historyTable },
    });
    const isTwo = this.#contract.type === '4';
    const tables = twoTables(this.#contract);
    const columns = isTwo ? tables.current : dimensionColumns(this.#contract);
    try {
      // Before the setup, whose views may read it.
      await this.#database.createTable(batchTable, this.#batchColumns);
      for (const statement of this.#script.setup) await this.#runStatement(statement, statement.text);
      if (!(await this.#database.exists(dimensionTable))) {
        await this.#database.createTable(dimensionTable, columns);
      }
      if (isTwo && !(await this.#database.exists(historyTable)))
        await this.#database.createTable(historyTable, tables.history);
      if (dimension !== null) await this.#database.fill(dimensionTable, columns, dimension);
    } catch (error) {
      throw new ImplementationFailure('start', `${path} failed before the first batch: ${oneLine(error)}`);
    }
  }

  async apply(index: number, asOf: bigint, rows: Table): Promise<Outcome> {
    this.#batches = index + 1;
    const instant = this.#instantTexts(asOf);
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
      await this.#load(instant, asOf);
    } catch (error) {
      await this.#database.rollBack();
      if (!(error instanceof StatementError)) throw error;
      this.#refuseFatal(error);
      return outcomeOf(error);
    }
    if (!this.#script.begins || !(await this.#database.rollBack())) return { status: 'applied' };
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
      const instant = this.#instantTexts(asOf);
      await this.#deliver(instant, asOf, rows);
      await this.#load(instant, asOf, point);
    } catch (error) {
      // Whatever it raises it will raise again when the batch comes again, and answer for it there.
      if (error instanceof StatementError) this.#refuseFatal(error);
    }
    await this.#database.rollBack();
    await this.#database.reconnect();
    return { points };
  }

  async read(): Promise<Table> {
    const { dimensionTable, historyTable } = this.#script;
    const { inHistory } = this.#contract.columns;
    const table = quoteTableName(dimensionTable);
    try {
      const dimension = await this.#database.read(dimensionTable);
      // A script may keep both tables in one, or show them in one view, and flag the rows itself.
      if (inHistory === null || dimension.schema.fields.some(({ name }) => name === inHistory.name))
        return dimension;
      return asOneRelation(
        dimension,
        await this.#database.read(historyTable),
        inHistory.name,
        dimensionColumns(this.#contract).map(({ name }) => name),
      );
    } catch (error) {
      const hint = ` If it has another name, say so in the script: "-- scd2check:dimension <table>"${inHistory === null ? '' : ', and "-- scd2check:history <table>" for the one of its history'}.`;
      const when = this.#batches === 0 ? 'before the first batch' : `after batch ${this.#batches}`;
      throw new ImplementationFailure(
        'unreadable',
        `The dimension ${table} of ${this.#script.source.path} cannot be read ${when}: ${oneLine(error)}.${error instanceof TypesDiffer ? '' : hint}`,
      );
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #deliver({ literal }: InstantTexts, asOf: bigint, rows: Table): Promise<void> {
    const clock = this.#clock === null ? null : this.#time(this.#clock, asOf, 0);
    const instant: Instant = { literal, clock };
    return this.#database.deliver(this.#script.batchTable, this.#columnsOf(rows), rows, instant);
  }

  /** In the order in which this batch delivers them; what it does not deliver is NULL. */
  #columnsOf(rows: Table): readonly Column[] {
    const names = rows.schema.fields.map((field) => field.name);
    const place = (column: Column) =>
      names.includes(column.name) ? names.indexOf(column.name) : names.length;
    return this.#batchColumns.toSorted((a, b) => place(a) - place(b));
  }

  /** The whole load, or its first statements; these are left uncommitted where the caller holds the transaction. */
  async #load(instant: InstantTexts, asOf: bigint, first = this.#script.load.length): Promise<void> {
    const caller = this.#contract.transaction === 'caller';
    if (caller) await this.#database.begin();
    for (const [at, statement] of this.#script.load.slice(0, first).entries()) {
      if (this.#clock?.ticks && at > 0) await this.#database.tick(this.#time(this.#clock, asOf, at));
      await this.#runStatement(statement, renderTemplate(statement.template, instant));
    }
    if (caller && first === this.#script.load.length) await this.#database.commit();
  }

  /** What the clock shows at a statement. */
  #time(clock: SetClock, asOf: bigint, at: number): string {
    return timestampText(timeOf(clock, asOf, this.#contract, at));
  }

  /** What is no outcome of the script's: it would say the same whatever it were sent, or there is no engine any more. */
  #refuseFatal(error: StatementError): void {
    const { path } = this.#script.source;
    if (error.kind === 'syntax' && this.#batches === 1) throw noSql(path, this.#engine, error);
    if (error.kind !== 'lost') return;
    throw new ImplementationFailure(
      'crash',
      `${this.#engine.label} itself failed in ${path}, so there is no dimension to judge: ${error.message}`,
    );
  }

  async #runStatement(statement: Statement, sql: string): Promise<void> {
    try {
      await this.#database.run(sql);
    } catch (error) {
      throw new StatementError(error, statement);
    }
  }

  #instantTexts(asOf: bigint): InstantTexts {
    const isDay = this.#contract.grain === 'day';
    const bare = isDay ? formatDate(asOf) : timestampText(asOf);
    return { bare, literal: this.#engine.literal(isDay ? 'DATE' : 'TIMESTAMP', bare) };
  }
}

/** ISO text as people write it in SQL: without `T` and `Z`. */
function timestampText(micros: bigint): string {
  return formatInstant(micros).replace('T', ' ').replace('Z', '');
}
