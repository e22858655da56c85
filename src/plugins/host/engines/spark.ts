import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Table } from 'apache-arrow';
import type { Column, ColumnType } from '../../../contract/columns.ts';
import { PYTHON_KIT, programEnvironment } from '../../command/package.ts';
import { rowsToWire } from '../../command/wire.ts';
import { ImplementationFailure } from '../../implementation.ts';
import { interpreter } from '../../interpreter.ts';
import { type SparkOptions, sparkEnvironment, type TableFormat } from '../../spark.ts';
import type { TableName } from '../../sql/names.ts';
import { firstWord, type Statement, splitStatements } from '../../sql/statements.ts';
import { tokenize } from '../../sql/tokens.ts';
import { type Engine, EngineError, type Instant, type Preparation, type SqlDatabase } from './engine.ts';
import { moveClockIn, ScratchNames } from './spark-text.ts';
import { type TextColumn, tableFromTexts } from './texts.ts';

/**
 * Spark, in one session for the whole run, which Python holds. Each session of the harness finds the scratch schema empty, and the script's
 * names of the batch, the dimension and the history mean tables of it. Spark has no transactions of several statements.
 */
export async function spark(options: SparkOptions, format: TableFormat): Promise<Engine> {
  const link = new Link(options, format);
  const version = await link.ask({ op: 'start' });
  return {
    label: `Spark ${version}`,
    clockRefusal: null,
    hasSandbox: false,
    literal: (kind, text) => `${kind} '${text}'`,
    statements: async (sql) => splitStatements(sql, 'spark').map(staying),
    expect() {},
    async open() {
      await link.ask({ op: 'begin' });
      return new SparkDatabase(link);
    },
    failed() {},
  };
}

/** Takes away what a run has left: the schema on a cluster, or the folder here. */
export async function sweepSpark(options: SparkOptions, format: TableFormat): Promise<void> {
  if (options.folder !== undefined) await rm(options.folder, { recursive: true, force: true });
  if (options.remote === null && options.master === null) return;
  const child = start('sweep', options, format);
  await new Promise((resolve) => child.once('close', resolve));
}

class SparkDatabase implements SqlDatabase {
  readonly #link: Link;
  #names = new ScratchNames([]);
  #batch: TableName | null = null;
  /** Where the clock is moved: what time it is. */
  #clock: string | null = null;

  constructor(link: Link) {
    this.#link = link;
  }

  async prepare({ movesClock, tables }: Preparation): Promise<void> {
    this.#names = new ScratchNames(Object.values(tables));
    this.#batch = tables.batch;
    if (movesClock) this.#clock = '1970-01-01 00:00:00.000000';
  }

  async run(sql: string): Promise<void> {
    const named = this.#names.putInto(sql);
    const text = this.#clock === null ? named : moveClockIn(named, this.#clock);
    await this.#link.ask({ op: 'sql', text, query: QUERIES.has(firstWord(sql)) });
  }

  async begin(): Promise<void> {
    throw new ImplementationFailure(
      'usage',
      'Spark has no transaction that several statements belong to, so `transaction: caller` cannot be kept there. Declare `transaction: script`.',
    );
  }

  async commit(): Promise<void> {}

  async rollBack(): Promise<boolean> {
    return false;
  }

  async createTable(table: TableName, columns: readonly Column[]): Promise<void> {
    // A view of the setup that reads the batch goes on to do so if it is a view from the first; Spark binds others for good.
    if (table === this.#batch) await this.#link.ask({ op: 'view', ...this.#rowsOf(table, columns, []) });
    else await this.#link.ask({ op: 'create', table: this.#names.of(table), types: typesOf(columns) });
  }

  async exists(table: TableName): Promise<boolean> {
    return (await this.#link.ask({ op: 'exists', table: this.#names.of(table) })) === true;
  }

  async fill(table: TableName, columns: readonly Column[], rows: Table): Promise<void> {
    const own = (await this.#link.ask({ op: 'columns', table: this.#names.of(table) })) as string[];
    const names = new Set(own.map((name) => name.toLowerCase()));
    const known = columns.filter(({ name }) => names.has(name.toLowerCase()));
    await this.#link.ask({ op: 'fill', ...this.#rowsOf(table, known, rowsToWire(rows, known)) });
  }

  async deliver(
    table: TableName,
    columns: readonly Column[],
    rows: Table,
    { clock }: Instant,
  ): Promise<void> {
    this.#clock = clock;
    await this.#link.ask({ op: 'view', ...this.#rowsOf(table, columns, rowsToWire(rows, columns)) });
  }

  async tick(clock: string): Promise<void> {
    this.#clock = clock;
  }

  async read(table: TableName): Promise<Table> {
    const { columns, rows } = (await this.#link.ask({ op: 'read', table: this.#names.of(table) })) as Answer;
    return tableFromTexts(columns, rows);
  }

  async reconnect(): Promise<void> {
    await this.#link.ask({ op: 'reconnect' });
  }

  async close(): Promise<void> {}

  #rowsOf(table: TableName, columns: readonly Column[], rows: unknown) {
    return { table: this.#names.of(table), types: typesOf(columns), rows };
  }
}

/**
 * Whatever follows a `USE` would be meant for tables of somebody's warehouse, and be done there.
 * @throws ImplementationFailure `usage`
 */
function staying(statement: Statement): Statement {
  const [first, second] = tokenize(statement.text, 'spark')
    .filter(({ kind }) => kind === 'word')
    .map(({ text }) => text.toLowerCase());
  if (first !== 'use' && !(first === 'set' && second === 'catalog')) return statement;
  const words = statement.text.split('\n').slice(statement.line - statement.firstLine);
  throw new ImplementationFailure(
    'usage',
    `Line ${statement.line}, \`${words.join(' ').trim()}\`, leaves the scratch schema that a script is tested in. Take it out, and name the tables in full, as in "-- scd2check:dimension catalog.schema.table".`,
  );
}

/** Spark is lazy: these have to be run to their end. */
const QUERIES = new Set(['select', 'with', 'values', 'from', 'table']);

interface Answer {
  readonly columns: readonly TextColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
}

function typesOf(columns: readonly Column[]): Record<string, ColumnType> {
  return Object.fromEntries(columns.map(({ name, type }) => [name, type]));
}

function start(module: 'link' | 'sweep', options: SparkOptions, format: TableFormat): ChildProcess {
  const env = { ...programEnvironment(), ...sparkEnvironment(options) };
  const file = join(PYTHON_KIT, 'scd2check', 'spark', `${module}.py`);
  const stdio =
    module === 'link' ? (['pipe', 'pipe', 'inherit'] as const) : (['ignore', 'ignore', 'ignore'] as const);
  return spawn(interpreter(env), [file, format], { env, stdio: [...stdio] });
}

/** Asks one thing after the other. */
class Link {
  readonly #child: ChildProcess;
  readonly #waiting: ((line: string | null) => void)[] = [];

  constructor(options: SparkOptions, format: TableFormat) {
    this.#child = start('link', options, format);
    this.#child.on('error', () => this.#end());
    this.#child.on('close', () => this.#end());
    this.#child.stdin!.on('error', () => {});
    createInterface({ input: this.#child.stdout! }).on('line', (line) => this.#waiting.shift()?.(line));
  }

  /** @throws EngineError what Spark says; ImplementationFailure `usage` what this machine lacks */
  async ask(message: Readonly<Record<string, unknown>>): Promise<unknown> {
    const line = await new Promise<string | null>((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        resolve(null);
        return;
      }
      this.#waiting.push(resolve);
      this.#child.stdin!.write(`${JSON.stringify(message)}\n`);
    });
    if (line === null) throw new EngineError('Python, which holds the session, has ended', null, 'lost');
    const answer = JSON.parse(line);
    if (!('error' in answer)) return answer.ok;
    if (answer.kind === 'usage') throw new ImplementationFailure('usage', answer.error);
    throw new EngineError(answer.error, answer.line ?? null, answer.kind);
  }

  #end(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(null);
  }
}
