import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { loadAuditReporter } from '../../reporters/audit/index.ts';
import { ALL_AUDIT_CHECKS } from '../audit/applicable.ts';
import { audit } from '../audit/audit.ts';
import { dryRun } from '../audit/dry-run.ts';
import { type Gates, readGates } from '../audit/gate.ts';
import { type Layout, layOut, requireInstantTypes, sameCase } from '../audit/layout.ts';
import type { AuditOptions } from '../audit/options.ts';
import { requireNew, writeDigest } from '../audit/previous.ts';
import { printSql } from '../audit/print-sql.ts';
import { connect, isDatabaseUrl } from '../audit/remote/client.ts';
import { commandClient } from '../audit/remote/command.ts';
import { lookRemotely } from '../audit/remote/look.ts';
import type { AuditReport } from '../audit/report.ts';
import { type AuditTable, openTable } from '../audit/table.ts';
import { storeFailures, violationIds } from '../audit/violations.ts';
import type { LoadedConfig } from '../config/load.ts';
import { loadConfig } from '../config/load.ts';
import { parseColumns } from '../contract/column-text.ts';
import { STRICT } from '../contract/presets.ts';
import { printContract } from '../contract/print.ts';
import type { Database } from '../duckdb/connection.ts';
import { withoutPassword } from '../plugins/sql/engine-name.ts';
import { type Arguments, wholeFlag } from './arguments.ts';
import { showProgress } from './audit-progress.ts';
import { type AuditTarget, auditTargets } from './audit-targets.ts';
import { writeWhole } from './output.ts';
import { type DeclaredTable, declaredTable, layoutOf } from './table-layout.ts';
import { withTables } from './table-session.ts';
import { openTextOutput } from './text-output.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** `scd2check audit <table>`: the table checks on a dimension that exists. Exit codes as those of a run. */
export async function auditCommand(args: Arguments, argv: readonly string[]): Promise<number> {
  const cwd = process.cwd();
  const loaded = await loadConfig(args.value('config'), cwd);
  const codes: number[] = [];
  for (const target of auditTargets(args, loaded, cwd)) {
    const code = await auditTarget(target, argv, cwd, loaded);
    if (code === 130) return code;
    codes.push(code);
  }
  return [1, 3].find((code) => codes.includes(code)) ?? 0;
}

async function auditTarget(
  { name, args, contract }: AuditTarget,
  argv: readonly string[],
  cwd: string,
  loaded: LoadedConfig,
): Promise<number> {
  const gates = readGates(
    ALL_AUDIT_CHECKS.map(({ id }) => id),
    [...selection(args), ...args.values('severity')],
    args.values('threshold'),
  );
  const report = await openTextOutput(args, [], cwd, loadAuditReporter);
  for (const flag of ['write-digest', 'store-failures'] as const) {
    const file = args.value(flag);
    if (file !== null) requireNew(resolve(cwd, file), `--${flag}`);
  }
  return withTables(args, name, (db, signal) =>
    auditIn(db, {
      signal,
      name,
      args,
      argv,
      cwd,
      gates,
      report,
      declared: declaredTable(args, loaded, cwd, contract),
    }),
  );
}

interface Invocation {
  readonly name: string;
  readonly args: Arguments;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly declared: DeclaredTable;
  readonly signal: AbortSignal;
  readonly gates: Gates;
  readonly report: (report: AuditReport) => void;
}

async function auditIn(db: Database, invocation: Invocation): Promise<number> {
  const { name, args, argv, cwd, gates, report } = invocation;
  const engine = args.value('engine');
  if (engine !== null || isDatabaseUrl(name)) return auditRemotely(db, invocation, engine);
  const given = await openTable(db, name, cwd, 'audited');
  const { table, layout } = await layoutOf(db, given, invocation.declared);
  const { contract } = layout;
  if (args.flag('print-contract')) return say(printContract(contract, STRICT));
  if (args.flag('print-sql')) return say(printedFor(args.value('dialect') ?? 'duckdb', name, table, layout));
  const other = async (flag: 'source' | 'previous' | 'facts') => {
    const file = args.value(flag);
    return file === null ? null : openTable(db, file, cwd, flag);
  };
  const facts = await other('facts');
  const progress = await showProgress(db, args.flag('quiet'));
  const options: AuditOptions = {
    table,
    layout,
    source: await other('source'),
    previous: await other('previous'),
    facts:
      facts === null ? null : { table: facts, columns: factColumns(args, layout), join: args.value('join') },
    scope: {
      keysWhere: args.value('keys-where'),
      changedSince: args.value('changed-since'),
      minAge: args.value('min-age'),
      sample: args.value('sample'),
    },
    ...shared(invocation, gates),
    command: `scd2check ${argv.join(' ')}`,
    onPart: progress.part,
  };
  if (args.flag('dry-run')) return say(dryRunText(options, await estimate(db, options)));
  try {
    const found = await audit(db, options);
    progress.clear();
    await keep(db, invocation, layout, table);
    report(found);
    return found.verdict === 'fail' ? 1 : found.verdict === 'inconclusive' ? 3 : 0;
  } finally {
    progress.clear();
  }
}

/** What needs the rows here, and not where the table is. */
const LOCAL = [
  'source',
  'previous',
  'facts',
  'write-digest',
  'keys-where',
  'changed-since',
  'min-age',
  'sample',
  'dry-run',
] as const;

async function auditRemotely(db: Database, invocation: Invocation, engine: string | null): Promise<number> {
  const { name, args, argv, gates, report, signal } = invocation;
  const local = LOCAL.find((flag) => args.flag(flag));
  if (local !== undefined)
    throw new UsageError(
      `\`--${local}\` works on files and DuckDB tables in this version, not on a table in another engine. Export the table as Parquet, or leave the flag out.`,
    );
  const { client, table } =
    engine === null
      ? await connect(name)
      : { client: commandClient(db, engine, args.value('dialect') ?? 'duckdb'), table: name };
  const interrupt = () => client.interrupt();
  signal.addEventListener('abort', interrupt);
  try {
    const columns = await client.columns(table).catch((error: Error) => {
      throw new UsageError(`The table ${table} cannot be read: ${error.message.split('\n')[0]}`);
    });
    if (columns.length === 0)
      throw new UsageError(`There is no table ${table}, or no row in it that would show its columns.`);
    const given: AuditTable = { name: withoutPassword(name), from: table, columns };
    const layout = layOut(invocation.declared.contract, given);
    requireInstantTypes(given, layout.contract, client.dialect);
    const { contract } = layout;
    if (args.flag('print-contract')) return say(printContract(contract, STRICT));
    if (args.flag('print-sql'))
      return say(
        printSql(contract, table, args.value('dialect') ?? client.dialect.id, layout.trackedDeclared),
      );
    const notes = [
      ...layout.notes,
      `The checks run in the engine, as ${client.dialect.id}; open marker and ends are not guessed there.`,
    ];
    const found = await audit(db, {
      table: given,
      layout: { ...layout, notes },
      source: null,
      previous: null,
      facts: null,
      scope: { keysWhere: null, changedSince: null, minAge: null, sample: null },
      ...shared(invocation, gates),
      command: withoutPassword(`scd2check ${argv.join(' ')}`),
      look: (own, judged, checks, shown) => lookRemotely(own, client, judged, table, checks, shown),
      onPart: () => undefined,
    });
    await keep(db, invocation, layout, given);
    report(found);
    return found.verdict === 'fail' ? 1 : found.verdict === 'inconclusive' ? 3 : 0;
  } finally {
    signal.removeEventListener('abort', interrupt);
    await client.close();
  }
}

/** Options that mean the same wherever the table is. */
function shared({ args, cwd }: Invocation, gates: Gates) {
  return {
    gates,
    warnError: args.flag('warn-error'),
    baseline: readBaseline(args, cwd),
    examples: wholeFlag(args, 'examples', 5),
    showValues: args.flag('show-values'),
    sensitive: (args.value('sensitive') ?? '').split(',').map((column) => column.trim()),
    exact: args.flag('exact'),
    now: BigInt(Date.now()) * 1000n,
    version: version(),
  };
}

function factColumns(args: Arguments, { contract }: Layout) {
  const time = args.value('fact-time');
  if (time === null)
    throw new UsageError('`--facts` needs the column that says when a fact happened: --fact-time <column>.');
  const keys = args.value('fact-key');
  return {
    key:
      keys === null
        ? contract.columns.key.map(({ name }) => name)
        : parseColumns(keys, '--fact-key').map(({ name }) => name),
    time,
    amount: args.value('amount'),
  };
}

/** `--check` and `--skip` switch checks off. */
function selection(args: Arguments): string[] {
  const only = args.values('check');
  const off = args.values('skip').map((id) => `${id}=off`);
  return only.length === 0 ? off : ['all=off', ...only.map((id) => `${id}=error`), ...off];
}

function readBaseline(args: Arguments, cwd: string): readonly string[] | null {
  const file = args.value('baseline');
  if (file === null) return null;
  const path = resolve(cwd, file);
  if (!existsSync(path)) {
    // The first run of a pipeline writes the baseline that the later ones read.
    if (args.value('write-baseline') === file) return [];
    throw new UsageError(`There is no baseline \`${file}\`. Make one: --write-baseline ${file}`);
  }
  const lines = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));
  const strange = lines.find((line) => !/^[0-9a-f]{16}$/.test(line));
  if (strange !== undefined)
    throw new UsageError(
      `\`${file}\` is no baseline: it has the line \`${strange.slice(0, 60)}\`. Write it again: --write-baseline ${file}`,
    );
  return lines;
}

/** Files beside the report: the baseline, the digest, the offending rows. */
async function keep(
  db: Database,
  { args, cwd }: Invocation,
  layout: Layout,
  table: AuditTable,
): Promise<void> {
  const baseline = args.value('write-baseline');
  if (baseline !== null) {
    const head =
      '# Violations that were there when this was written, one a line. Made by scd2check audit --write-baseline.';
    writeWhole(resolve(cwd, baseline), [head, ...(await violationIds(db)), ''].join('\n'));
  }
  const digest = args.value('write-digest');
  if (digest !== null) await writeDigest(db, layout.contract, table.from, resolve(cwd, digest));
  const failures = args.value('store-failures');
  if (failures !== null) {
    const { stored, all } = await storeFailures(
      db,
      resolve(cwd, failures),
      wholeFlag(args, 'store-limit', 10_000),
    );
    process.stderr.write(`${stored} of ${all} offending rows are in ${failures}.\n`);
  }
}

async function estimate(db: Database, { table }: AuditOptions): Promise<string> {
  const [row] = await db.rows<{ rows: bigint }>(`SELECT count(*) AS rows FROM ${table.from}`);
  const path = resolve(table.name);
  const size =
    existsSync(path) && statSync(path).isFile()
      ? `, ${(statSync(path).size / 2 ** 20).toFixed(1)} MiB with all columns`
      : '';
  return `${row!.rows} rows${size}`;
}

function dryRunText(options: AuditOptions, size: string): string {
  const { sql, columns } = dryRun(options);
  return `${options.layout.notes.map((note) => `-- ${note}\n`).join('')}-- Reads ${columns.join(', ')} of ${size}. One pass:\n${sql}\n`;
}

/** A name as Snowflake keeps it where it was written without quotes. */
const unquoted = (name: string) => (/^[a-z_][a-z0-9_$]*$/.test(name) ? name.toUpperCase() : name);

/** The checks as SQL over the table in a DuckDB file, over the file itself, or over a table that another engine has of it. */
function printedFor(dialect: string, name: string, { from, columns }: AuditTable, layout: Layout): string {
  const { contract, trackedDeclared } = layout;
  const names = columns.map((column) => (dialect === 'snowflake' ? unquoted(column.name) : column.name));
  const spelled = { ...contract, columns: sameCase(contract.columns, names) };
  const sql = (table: string) => printSql(spelled, table, dialect, trackedDeclared);
  const at = name.lastIndexOf('#');
  if (at >= 1) return sql(name.slice(at + 1));
  if (dialect === 'duckdb') return sql(from);
  const [stem] = basename(name).split('.');
  const table = /^[a-z_]\w*$/i.test(stem!) ? stem! : 'dimension';
  return `-- The table is called ${table} here. Write the name that it has in the engine.\n${sql(table)}`;
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}
