import { relative, resolve } from 'node:path';
import { isDatabaseUrl } from '../audit/remote/client.ts';
import type { AuditConfig } from '../config/audits.ts';
import type { ContractConfig } from '../config/config.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Arguments } from './arguments.ts';
import type { FlagName } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** A table to audit, with the flags as the configuration completes them. */
export interface AuditTarget {
  readonly name: string;
  readonly args: Arguments;
  readonly contract?: ContractConfig;
}

/**
 * The table that was named, or those of the configuration. What the configuration says of a table holds where it is named, too.
 * @throws UsageError where there is none, or more than one was named
 */
export function auditTargets(args: Arguments, { config, root }: LoadedConfig, cwd: string): AuditTarget[] {
  const [name, ...more] = args.targets;
  const configured = config.audits ?? [];
  if (more.length > 0 || args.program.length > 0 || (name === undefined && configured.length === 0))
    throw new UsageError(
      '`scd2check audit` needs one table: scd2check audit dim_customer.parquet (a file, a "pattern/*.parquet", a folder, or file.duckdb#table).',
    );
  const wanted = configured.filter(
    (audit) =>
      name === undefined || fromHere(audit.table, audit, root, cwd) === fromHere(name, audit, cwd, cwd),
  );
  const targets = wanted.map((audit) => ({
    name: fromHere(audit.table, audit, root, cwd),
    args: completed(args, audit, (path) => fromHere(path, audit, root, cwd)),
    ...(audit.contract === undefined ? {} : { contract: audit.contract }),
  }));
  return targets.length > 0 ? targets : [{ name: name!, args }];
}

/** A path of the configuration, which starts at the configuration's folder. Tables in other engines are no paths. */
function fromHere(path: string, { engine }: AuditConfig, root: string, cwd: string): string {
  return engine !== undefined || isDatabaseUrl(path) ? path : relative(cwd, resolve(root, path)) || '.';
}

/** The flags, and what the configuration says where they say nothing. Of a check, the flag that names it wins. */
function completed(args: Arguments, audit: AuditConfig, path: (path: string) => string): Arguments {
  const settings = flagsOf(audit, path);
  const isSet = (name: FlagName) => args.flag(name) || (settings[name]?.length ?? 0) > 0;
  const values = (name: FlagName) => {
    const own = args.values(name);
    const configured = settings[name] ?? [];
    if (name === 'severity' || name === 'threshold') return [...configured, ...own];
    return args.flag(name) ? own : configured;
  };
  return { ...args, flag: isSet, values, value: (name) => values(name).at(-1) ?? null };
}

function flagsOf(
  audit: AuditConfig,
  path: (path: string) => string,
): Partial<Record<FlagName, readonly string[]>> {
  const list = (value: string | readonly string[] | undefined) =>
    value === undefined ? [] : [typeof value === 'string' ? value : value.join(', ')];
  const one = (value: string | number | undefined) => (value === undefined ? [] : [String(value)]);
  const file = (value: string | undefined) => (value === undefined ? [] : [path(value)]);
  const flag = (value: boolean | undefined) => (value === true ? [''] : []);
  const byCheck = (values: Readonly<Record<string, string | number>> | undefined) =>
    Object.entries(values ?? {}).map(([check, value]) => `${check}=${value}`);
  return {
    key: list(audit.key),
    tracked: list(audit.tracked),
    source: file(audit.source),
    previous: file(audit.previous),
    facts: file(audit.facts),
    'fact-key': list(audit.factKey),
    'fact-time': one(audit.factTime),
    amount: one(audit.amount),
    join: one(audit.join),
    check: audit.checks ?? [],
    skip: audit.skip ?? [],
    severity: byCheck(audit.severity),
    threshold: byCheck(audit.threshold),
    'warn-error': flag(audit.warnError),
    baseline: file(audit.baseline),
    'keys-where': one(audit.keysWhere),
    'min-age': one(audit.minAge),
    sample: one(audit.sample),
    examples: one(audit.examples),
    'show-values': flag(audit.showValues),
    sensitive: list(audit.sensitive),
    exact: flag(audit.exact),
    'memory-limit': one(audit.memoryLimit),
    threads: one(audit.threads),
    engine: one(audit.engine),
    dialect: one(audit.dialect),
    reporter: audit.reporters ?? [],
  };
}
