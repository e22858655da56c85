import { loadProjectCases, type NamedCase } from '../../cases/project.ts';
import { parseDuration, requireScope } from '../cli/arguments.ts';
import { configLayer } from '../cli/contract-layers.ts';
import { UsageError } from '../cli/usage-error.ts';
import { version } from '../cli/version.ts';
import { declareContract } from '../contract/declare.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import { planCases } from '../runner/planned-cases.ts';
import type { Report } from '../runner/report.ts';
import { run } from '../runner/run.ts';
import { BARE_RUN } from '../runner/run-options.ts';
import { casesNamed, refuseUnknownChecks } from '../runner/selection.ts';
import { newRunId } from '../runner/trace-store.ts';
import type { CheckOptions } from './check.ts';

const NEVER = new AbortController().signal;

/** A run of what the options say, of an implementation that is open. Counterexamples are in the report alone: a test suite keeps its own. */
export function checkOpened(
  implementation: OpenedImplementation,
  command: string | null,
  options: CheckOptions,
): Promise<Report> {
  const root = rootOf(options);
  const projectCases = loadProjectCases(root);
  const { checks = null, skip = [] } = options;
  for (const name of COUNTS) requireCount(name, options[name]);
  requireScope('scope', options.scope ?? 0);
  refuseUnknownChecks([...(checks ?? []), ...skip]);
  return run({
    ...BARE_RUN,
    implementation,
    declared: contractOf(implementation, options),
    cases: casesNamed(options.cases ?? null, projectCases),
    projectCases,
    known: options.known ?? [],
    checks,
    skipChecks: skip,
    join: options.join ?? null,
    timeLimitMs: parseDuration(options.timeLimit ?? '5m', 'timeLimit'),
    scope: options.scope ?? null,
    histories: options.histories ?? 1000,
    seed: options.seed ?? 1,
    maxFailures: options.maxFailures ?? 5,
    version: version(),
    command: command === null ? `check(${implementation.name})` : `scd2check ${command}`,
    replay: (feed) => replayCommand(command, feed),
    root,
    runId: newRunId(new Date(), Math.random),
    signal: options.signal ?? NEVER,
    onEvent: options.onEvent ?? (() => undefined),
  });
}

/** The cases that the contract of an implementation admits, of those that the options name. */
export function admittedCases(
  implementation: Pick<OpenedImplementation, 'anyColumns' | 'declared'>,
  options: CheckOptions,
): readonly NamedCase[] {
  const declared = contractOf(implementation, options);
  const projectCases = loadProjectCases(rootOf(options));
  const cases = casesNamed(options.cases ?? null, projectCases);
  return planCases(declared.contract, { cases, implementation, declared, projectCases })
    .filter((planned) => !('skip' in planned))
    .map(({ theCase }) => theCase);
}

function contractOf({ declared }: Pick<OpenedImplementation, 'declared'>, options: CheckOptions) {
  return declareContract([declared, configLayer(options.contract, 'the options')]);
}

function rootOf({ cwd }: CheckOptions): string {
  return cwd ?? process.cwd();
}

const COUNTS = ['scope', 'histories', 'seed', 'maxFailures'] as const;

function requireCount(name: string, value: number | undefined): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
    throw new UsageError(`\`${name}\` cannot be \`${value}\`. Give a whole number, 0 or more.`);
}

/** What has a case and a path is shown again by the command line; all else by the same call, whose seed is fixed. */
function replayCommand(command: string | null, feed: string): string {
  const shown = command !== null && !command.startsWith('-- ') && /^(case|project)\//.test(feed);
  if (!shown) return 'the same call of check() again: its seed is fixed';
  return `npx scd2check ${command} --case ${feed.startsWith('case/') ? feed.slice(5) : feed}`;
}
