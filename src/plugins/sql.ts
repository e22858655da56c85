import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from '../cli/usage-error.ts';
import type { Host, ScriptSource, SqlCalls } from './host/calls.ts';
import { HostProcess } from './host/client.ts';
import { HostedImplementation } from './host/hosted.ts';
import type { CallLimits } from './implementation.ts';
import type { Declared, OpenedImplementation } from './opened.ts';
import { parseTableName, type TableName } from './sql/names.ts';
import { type Directive, parseScript } from './sql/script.ts';
import { leavesInConnection, splitStatements } from './sql/statements.ts';

export interface SqlOptions {
  /** Keeps the script from files, the network and DuckDB's settings. */
  readonly sandbox?: boolean;
}

/**
 * Opens a SQL script, which runs once for each batch, in DuckDB, in a process of its own.
 *
 * It finds the rows in the table `batch`, the dimension in `dimension` (or what `-- scd2check:batch` and
 * `-- scd2check:dimension` name), and the instant in `:as_of`, `$as_of`, `${as_of}`, `{{ as_of }}` and
 * `getvariable('as_of')`. A batch is refused by `SELECT error('rejected: …')`.
 *
 * @param path absolute path of the script
 * @throws ImplementationFailure of kind `start` where DuckDB cannot parse it or there is nothing to run
 */
export function openSql(
  path: string,
  limits: CallLimits,
  options: SqlOptions = {},
): Promise<OpenedImplementation> {
  return openSqlIn(() => new HostProcess<SqlCalls>('sql', basename(path)), path, limits, options);
}

/** As `openSql`, in hosts that the caller makes. */
export async function openSqlIn(
  startHost: () => Host<SqlCalls>,
  path: string,
  limits: CallLimits,
  options: SqlOptions = {},
): Promise<OpenedImplementation> {
  const text = await readFile(path, 'utf8');
  const script = parseScript(text.replace(/^\uFEFF/, ''), path);
  requireDuckDb(script.directives, path);
  const source: ScriptSource = {
    path,
    setup: script.setup ?? '',
    load: script.load,
    batchTable: tableName('batch', script.directives, path),
    dimensionTable: tableName('dimension', script.directives, path),
    sandbox: options.sandbox ?? false,
  };
  const open = async () => {
    const host = startHost();
    try {
      await host.call('open', source, { doing: 'loading', limitMs: limits.startMs });
      return host;
    } catch (error) {
      host.close();
      throw error;
    }
  };
  return new HostedImplementation({
    name: basename(path),
    kind: 'sql',
    anyColumns: false,
    interruptible: !leavesInConnection(splitStatements(source.setup)),
    concurrency: 2,
    declared: script.directives.filter(({ name }) => !OWN.has(name)).map((line) => declared(line, path)),
    limits,
    host: await open(),
    reopen: open,
  });
}

/** Directives that say how to run the script; all others are the contract's. */
const OWN = new Set(['batch', 'dimension', 'engine']);

function declared({ name, value, line }: Directive, path: string): Declared {
  return { name, value, where: `${basename(path)}:${line}` };
}

function tableName(role: 'batch' | 'dimension', directives: readonly Directive[], path: string): TableName {
  const directive = directives.findLast(({ name }) => name === role);
  if (directive === undefined) return { schema: [], table: role };
  const name = parseTableName(directive.value);
  if (name !== null) return name;
  throw new UsageError(
    `${basename(path)}:${directive.line}: "${directive.value}" is not the name of a table. ` +
      `Write it as in SQL: "-- scd2check:${role} my_table", or "my_schema.my_table".`,
  );
}

function requireDuckDb(directives: readonly Directive[], path: string): void {
  const engine = directives.findLast(({ name }) => name === 'engine');
  if (engine === undefined || engine.value.toLowerCase() === 'duckdb') return;
  throw new UsageError(
    `${basename(path)}:${engine.line}: there is no engine "${engine.value}" yet; scripts run on duckdb. ` +
      'Port the script, or wrap its engine in a command.',
  );
}
