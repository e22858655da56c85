import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { UsageError } from '../cli/usage-error.ts';
import { FINITE_DOUBLES } from '../contract/declare.ts';
import type { EngineSource, Host, ScriptSource, SqlCalls } from './host/calls.ts';
import { HostProcess } from './host/client.ts';
import { HostedImplementation } from './host/hosted.ts';
import { startSweeper } from './host/sweeper.ts';
import { type CallLimits, DEFAULT_LIMITS, ImplementationFailure } from './implementation.ts';
import type { Isolation } from './isolation/isolation.ts';
import type { Declared, OpenedImplementation } from './opened.ts';
import { LOCAL_SPARK, type SparkOptions, usualRemote } from './spark.ts';
import { dialectOf, type EngineChoice, parseEngine } from './sql/engine-name.ts';
import { parseTableName, type TableName } from './sql/names.ts';
import { type Directive, parseScript } from './sql/script.ts';
import { leavesInConnection, splitStatements } from './sql/statements.ts';

export interface SqlOptions {
  /** What `--engine` says; it wins over the script's head. */
  readonly engine?: string | null;
  readonly spark?: SparkOptions | null;
  /** Keeps the script from files, the network and DuckDB's settings. */
  readonly sandbox?: boolean;
  readonly isolation?: Isolation | null;
}

/**
 * Opens a SQL script, which runs once for each batch, in a process of its own, in DuckDB or the engine that `-- scd2check:engine` names.
 *
 * It finds the rows in the table `batch`, the dimension in `dimension` (or what `-- scd2check:batch` and
 * `-- scd2check:dimension` name), the history of type 4 in a table that `-- scd2check:history` names, and the instant in `:as_of`, `$as_of`, `${as_of}`, `{{ as_of }}` and
 * `getvariable('as_of')`. A batch is refused by `SELECT error('rejected: …')`.
 *
 * @param path absolute path of the script
 * @throws ImplementationFailure of kind `start` where the engine cannot parse it or there is nothing to run
 * @throws UsageError where there is no such engine, its driver is not installed, or its server lets nobody in
 */
export function openSql(
  path: string,
  limits: CallLimits,
  options: SqlOptions = {},
): Promise<OpenedImplementation> {
  return openSqlIn(
    () => new HostProcess<SqlCalls>('sql', basename(path), options.isolation ?? null),
    path,
    limits,
    options,
  );
}

/** As `openSql`, in hosts that the caller makes. */
export async function openSqlIn(
  startHost: () => Host<SqlCalls>,
  path: string,
  given: CallLimits,
  options: SqlOptions = {},
): Promise<OpenedImplementation> {
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const choice = engineOf(text, path, options);
  const script = parseScript(text, path, dialectOf(choice.kind));
  const dimensionTable = tableName('dimension', script.directives, path);
  const tables = {
    batchTable: tableName('batch', script.directives, path),
    dimensionTable,
    historyTable: tableName('history', script.directives, path, {
      ...dimensionTable,
      table: `${dimensionTable.table}_history`,
    }),
  };
  // Last, because it makes a folder, which the sweeper takes away.
  const engine = engineSource(choice, options.spark ?? LOCAL_SPARK);
  const source: ScriptSource = {
    path,
    setup: script.setup ?? '',
    load: script.load,
    ...tables,
    sandbox: options.sandbox ?? false,
    engine,
  };
  const isServer = engine.url !== null || engine.kind === 'spark';
  const sweeper = isServer ? startSweeper(engine) : null;
  const limits = engine.kind === 'spark' && given === DEFAULT_LIMITS ? SPARK_LIMITS : given;
  let clockRefusal: string | null = null;
  const open = async () => {
    const host = startHost();
    try {
      const opened = await host.call('open', source, { doing: 'loading', limitMs: limits.startMs });
      clockRefusal = opened.clockRefusal;
      return host;
    } catch (error) {
      host.close();
      throw asUsage(error);
    }
  };
  return new HostedImplementation({
    name: basename(path),
    kind: 'sql',
    anyColumns: false,
    interruptible:
      engine.spark?.remote == null &&
      !leavesInConnection(splitStatements(source.setup, dialectOf(engine.kind))),
    // One that makes no table of its own has nothing but the dimension.
    beginsFromTable: script.setup === null && !/\bcreate\b/i.test(script.load),
    // One PostgreSQL in a process serves one session, and SQLite keeps its process from all else.
    concurrency: engine.kind === 'duckdb' || engine.url !== null ? 2 : 1,
    declared: [
      ...(engine.kind === 'sqlite' || engine.kind === 'mysql'
        ? [{ name: FINITE_DOUBLES, value: true, where: 'engine' }]
        : []),
      ...typeOfTwoTables(script.directives, path),
      ...script.directives.filter(({ name }) => !OWN.has(name)).map((line) => declared(line, path)),
    ],
    refusesClock: () => clockRefusal,
    limits,
    host: await open().catch(async (error) => {
      await sweeper?.end();
      throw error;
    }),
    reopen: open,
    ...(sweeper === null ? {} : { afterClose: () => sweeper.end() }),
  });
}

/** A session comes up in ten seconds, jars that have to be brought first take longer; a load takes one, on a cluster ten. */
const SPARK_LIMITS: CallLimits = { startMs: 300_000, callMs: 120_000 };

function engineSource(choice: EngineChoice, spark: SparkOptions): EngineSource {
  if (choice.kind !== 'spark') return { ...choice, prefix: `scd2check_${randomBytes(5).toString('hex')}` };
  // As the Python kit names them, which drops those that are more than a day old.
  const now = Math.floor(Date.now() / 1000).toString(16);
  const schema = `scd2check_${now}_${randomBytes(4).toString('hex')}`;
  const remote = spark.remote ?? (spark.master === null ? usualRemote() : null);
  const folder = remote === null ? { folder: mkdtempSync(join(tmpdir(), 'scd2check-spark-')) } : {};
  return { ...choice, prefix: schema, spark: { ...spark, remote, ...folder, schema } };
}

/** Directives that say how to run the script; all others are the contract's. */
const OWN = new Set(['batch', 'dimension', 'history', 'engine']);

/** Who names a history table has a dimension of type 4. */
function typeOfTwoTables(directives: readonly Directive[], path: string): readonly Declared[] {
  const history = directives.findLast(({ name }) => name === 'history');
  if (history === undefined) return [];
  const other = directives.find(({ name, value }) => name === 'type' && value !== '4');
  if (other !== undefined)
    throw new UsageError(
      `${basename(path)}:${history.line}: a history table is named, which only \`type: 4\` has; line ${other.line} declares \`type: ${other.value}\`. Leave out one of the two.`,
    );
  return [{ name: 'type', value: '4', where: `${basename(path)}:${history.line}` }];
}

function declared({ name, value, line }: Directive, path: string): Declared {
  return { name, value, where: `${basename(path)}:${line}` };
}

function tableName(
  role: 'batch' | 'dimension' | 'history',
  directives: readonly Directive[],
  path: string,
  otherwise: TableName = { schema: [], table: role },
): TableName {
  const directive = directives.findLast(({ name }) => name === role);
  if (directive === undefined) return otherwise;
  const name = parseTableName(directive.value);
  if (name !== null) return name;
  throw new UsageError(
    `${basename(path)}:${directive.line}: "${directive.value}" is not the name of a table. ` +
      `Write it as in SQL: "-- scd2check:${role} my_table", or "my_schema.my_table".`,
  );
}

/** The dialect is not known before the engine is, so that the line that names it is looked for in the plain text. */
function engineOf(text: string, path: string, { engine, sandbox, spark }: SqlOptions): EngineChoice {
  const lines = text.split('\n');
  const at = lines.findLastIndex((line) => ENGINE_LINE.test(line));
  const own = at < 0 ? 'duckdb' : ENGINE_LINE.exec(lines[at]!)![1]!;
  const choice =
    engine == null ? parseEngine(own, `${basename(path)}:${at + 1}`) : parseEngine(engine, '--engine');
  if (spark != null && choice.kind !== 'spark')
    throw new UsageError(
      `Flags of Spark say where Spark runs, and ${basename(path)} runs on ${choice.kind}. Leave them out, or say \`--engine spark\`.`,
    );
  if (sandbox !== true || choice.kind === 'duckdb') return choice;
  throw new UsageError(
    `\`--sandbox\` is for DuckDB scripts; ${basename(path)} runs on ${choice.kind}. Leave it out, and run only scripts that you trust.`,
  );
}

const ENGINE_LINE = /^\s*--\s*scd2check:\s*engine[ \t]+(.*?)\s*$/;

function asUsage(error: unknown): unknown {
  return error instanceof ImplementationFailure && error.kind === 'usage'
    ? new UsageError(error.message)
    : error;
}
