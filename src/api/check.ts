import type { NamedCase } from '../../cases/project.ts';
import type { ContractConfig, KnownFinding } from '../config/config.ts';
import type { ApplyContext, ApplyFunction } from '../plugins/host/module.ts';
import type { CallLimits, Implementation } from '../plugins/implementation.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import type { Report, RunEvent } from '../runner/report.ts';

/**
 * What can be checked: the path of a script, module, Python file, program or folder, as on the command line; a program with its arguments; a
 * function `apply(state, rows, { asOf, contract })`, which runs in this process; or a plug-in of your own.
 */
export type Checked = string | { readonly command: readonly string[] } | Apply | Implementation;

/** Its rows and its state are the caller's types, which no type of ours can name. */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would refuse a function that says what its rows are.
export type Apply = (state: any, rows: any, context: ApplyContext) => unknown;

/** As the flags of the same names, with their defaults. A configuration file is not read: what is judged is written here. */
export interface CheckOptions {
  /** A preset, or fields and columns. It wins over what the implementation declares. */
  readonly contract?: ContractConfig;
  /** Case ids, of which `boundary` stands for the seven; all unless given, none where empty. */
  readonly cases?: readonly string[];
  readonly checks?: readonly string[];
  readonly skip?: readonly string[];
  /** The as-of join under test, over `f` and `v`. */
  readonly join?: string;
  /** Every history of up to so many batches. */
  readonly scope?: number;
  /** Random histories. */
  readonly histories?: number;
  readonly seed?: number;
  readonly maxFailures?: number;
  /** Findings that are accepted. */
  readonly known?: readonly KnownFinding[];
  /** For the whole run, such as `5m`. */
  readonly timeLimit?: string;
  /** For each call, such as `10s`. */
  readonly timeout?: string;
  /** Where a SQL script runs. */
  readonly engine?: string;
  readonly sandbox?: boolean;
  /** Folder that a relative path starts from, and below which `.scd2check/runs` keeps what was sent; the process's own unless given. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

/**
 * Checks an implementation, as `scd2check run` does, and gives its report. A violation is in the report, and not thrown.
 *
 * @throws UsageError where the options or the path cannot be used as they are
 * @throws ImplementationFailure of kind `start` where the implementation cannot be loaded
 */
export async function check(implementation: Checked, options: CheckOptions = {}): Promise<Report> {
  // Loaded when used: a configuration file imports `defineConfig` from the same place.
  const { checkOpened } = await import('./run.ts');
  const opened = await open(implementation, options);
  try {
    return await checkOpened(opened, commandOf(implementation), options);
  } finally {
    await opened.close();
  }
}

/** The cases that a contract admits, before anything is run. An implementation is loaded for what it declares, and closed. */
export async function plannedCases(
  implementation: Checked,
  options: CheckOptions,
): Promise<readonly NamedCase[]> {
  const { admittedCases } = await import('./run.ts');
  if (typeof implementation === 'function')
    return admittedCases({ anyColumns: false, declared: [] }, options);
  const opened = await open(implementation, options);
  try {
    return admittedCases(opened, options);
  } finally {
    // A plug-in of the caller's own is closed once, after the run.
    if (typeof implementation === 'string' || 'command' in implementation) await opened.close();
  }
}

async function open(implementation: Checked, options: CheckOptions): Promise<OpenedImplementation> {
  const cwd = options.cwd ?? process.cwd();
  const limits = await limitsOf(options);
  if (typeof implementation === 'function') {
    const { openApplyFunction } = await import('../plugins/in-process.ts');
    return openApplyFunction(implementation satisfies ApplyFunction, limits);
  }
  if (typeof implementation === 'string') {
    const { openImplementation } = await import('../plugins/open.ts');
    const { engine = null, sandbox = false } = options;
    return openImplementation(implementation, { limits, engine, sandbox, cwd });
  }
  if ('command' in implementation) {
    const { openCommand } = await import('../plugins/command.ts');
    return openCommand(implementation.command, limits, { cwd });
  }
  return withoutDeclaration(implementation);
}

async function limitsOf({ timeout }: CheckOptions): Promise<CallLimits> {
  const { DEFAULT_LIMITS } = await import('../plugins/implementation.ts');
  if (timeout === undefined) return DEFAULT_LIMITS;
  const { parseDuration } = await import('../cli/arguments.ts');
  const milliseconds = parseDuration(timeout, 'timeout');
  return { startMs: milliseconds, callMs: milliseconds };
}

/** A plug-in of the caller's own says nothing of its contract; the options do. */
function withoutDeclaration(implementation: Implementation): OpenedImplementation {
  const { name, kind, anyColumns, concurrency, interruptible, beginsFromTable, refusesClock } =
    implementation;
  return {
    name,
    kind,
    anyColumns,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(interruptible === undefined ? {} : { interruptible }),
    ...(beginsFromTable === undefined ? {} : { beginsFromTable }),
    ...(refusesClock === undefined ? {} : { refusesClock: refusesClock.bind(implementation) }),
    declared: [],
    start: (setup) => implementation.start(setup),
    close: () => implementation.close(),
  };
}

/** The words of the command line that stand for it; null where there are none. */
function commandOf(implementation: Checked): string | null {
  if (typeof implementation === 'string') return implementation;
  if (typeof implementation === 'function' || !('command' in implementation)) return null;
  return `-- ${implementation.command.join(' ')}`;
}
