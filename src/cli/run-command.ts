import type { Config, ContractConfig } from '../config/config.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { ownContract } from '../config/own-contract.ts';
import { declareContract } from '../contract/declare.ts';
import { STRICT } from '../contract/presets.ts';
import { printContract } from '../contract/print.ts';
import { withoutPassword } from '../plugins/sql/engine-name.ts';
import type { Report } from '../runner/report.ts';
import { newRunId } from '../runner/trace-store.ts';
import { type Arguments, countFlag, parseDuration } from './arguments.ts';
import { configLayer, flagLayer } from './contract-layers.ts';
import { wordsApart } from './files-apart.ts';
import { endNow, listenForInterrupt } from './interrupt.ts';
import { openTarget, type Target } from './open-target.ts';
import { type Output, openOutput } from './output.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** `scd2check [run] <impl>`. The exit code is the worst of all that was run: 130 > 70 > 2 > 1 > 3 > 0. */
export async function runCommand(args: Arguments, argv: readonly string[]): Promise<number> {
  const cwd = process.cwd();
  const loaded = await loadConfig(args.value('config'), cwd);
  const interruption = listenForInterrupt();
  try {
    const codes: number[] = [];
    const found = new Set<string>();
    const all = apart(targets(args, loaded));
    for (const [index, target] of all.entries()) {
      const mayBeGone = (id: string) =>
        isWhole(args, loaded.config) && index === all.length - 1 && !found.has(id);
      const { code, report } = await runTarget(target, args, argv, loaded, interruption.signal, mayBeGone);
      codes.push(code);
      for (const { id } of report?.findings ?? []) found.add(id);
      if (interruption.signal.aborted) return 130;
    }
    return worst(codes);
  } finally {
    interruption.stop();
  }
}

/** Runs one implementation and prints nothing. What fails is not kept. */
export async function runCases(args: Arguments): Promise<Report> {
  const loaded = await loadConfig(args.value('config'), process.cwd());
  const interruption = listenForInterrupt();
  try {
    const [target] = targets(args, loaded);
    const { report } = await runTarget(target!, args, [], loaded, interruption.signal, () => false, true);
    return report!;
  } finally {
    interruption.stop();
  }
}

const SILENT: Output = { onEvent: () => undefined, end: async () => null };

interface RunTarget extends Target {
  readonly contract?: ContractConfig;
  /** A word in the names of its report's files, where there are several. */
  readonly apart?: string;
}

/** Each of several has files of its own: a later one would overwrite those of the one before. */
function apart(all: readonly RunTarget[]): readonly RunTarget[] {
  if (all.length < 2) return all;
  const words = wordsApart(all.map(({ path }) => path));
  return all.map((target, index) => ({ ...target, apart: words[index]! }));
}

function targets(args: Arguments, loaded: LoadedConfig): readonly RunTarget[] {
  const { config, root } = loaded;
  const cwd = process.cwd();
  if (args.program.length > 0) return [{ path: args.program.join(' '), program: args.program, cwd }];
  if (args.targets.length > 1)
    throw new UsageError(
      `One implementation at a time: ${args.targets.map((path) => `\`${path}\``).join(', ')}.`,
    );
  const [path] = args.targets;
  if (path !== undefined) {
    const contract = ownContract(loaded, path, cwd);
    return [{ path, program: [], cwd, ...(contract === undefined ? {} : { contract }) }];
  }
  const configured = config.implementations ?? [];
  if (configured.length === 0) {
    throw new UsageError(
      'What is to be checked? Name an implementation: scd2check ./my-impl.sql (or `--help`).',
    );
  }
  return configured.map((entry) => ({
    ...(typeof entry === 'string' ? { path: entry } : entry),
    program: [],
    cwd: root,
  }));
}

/** Flags with which a run looks at a part only, so that what it does not find may still be there. */
const NARROWING = [
  'case',
  'no-cases',
  'feed',
  'check',
  'skip',
  'scope',
  'histories',
  'seed',
  'max-failures',
  'bail',
] as const;

/** Whether a command runs all there is, of every implementation that `known` may concern. */
function isWhole(args: Arguments, { implementations = [] }: Config): boolean {
  const one = args.targets.length > 0 || args.program.length > 0;
  return NARROWING.every((name) => !args.flag(name)) && (!one || implementations.length < 2);
}

async function runTarget(
  target: RunTarget,
  args: Arguments,
  argv: readonly string[],
  { config, path: configPath, root }: LoadedConfig,
  signal: AbortSignal,
  mayBeGone: (id: string) => boolean,
  isSilent = false,
): Promise<{ readonly code: number; readonly report: Report | null }> {
  // The implementation comes up in its own process while this one loads what judges it.
  const opening = openTarget(target, args, config.timeout);
  const judging = import('./judging.ts');
  const stopOpening = () => endNow('Interrupted before the implementation had come up.');
  signal.addEventListener('abort', stopOpening);
  const [opened, loadedJudge] = await Promise.allSettled([opening, judging]);
  signal.removeEventListener('abort', stopOpening);
  if (opened.status === 'rejected') throw opened.reason;
  const implementation = opened.value;
  if (loadedJudge.status === 'rejected') {
    await implementation.close();
    throw loadedJudge.reason;
  }
  const { inferTypes, readFeedFile, toFeed, run, selectCases, selectChecks, ...kept } = loadedJudge.value;
  const stop = () => void implementation.close();
  signal.addEventListener('abort', stop);
  try {
    const where = configPath ?? 'configuration';
    const feedPath = args.value('feed');
    const file = feedPath === null ? null : await readFeedFile(feedPath);
    const declared = declareContract([
      implementation.declared,
      [...configLayer(config.contract, where), ...configLayer(target.contract, where)],
      file?.declared ?? [],
      flagLayer(args, process.cwd()),
    ]);
    const contract = file === null ? declared.contract : inferTypes(declared.contract, file);
    if (args.flag('print-contract')) {
      process.stdout.write(printContract(contract, STRICT));
      return { code: 0, report: null };
    }
    const place = kept.placeOf(target, root);
    const projectCases = kept.loadProjectCases(root);
    const checks = selectChecks(args, config);
    const { failures, damaged } = kept.loadFailures(root);
    // A narrow run leaves aside what would not be judged by the check that failed.
    const stored = args.flag('case') ? [] : failures.filter(({ check }) => isSelected(check, checks));
    const output = isSilent
      ? SILENT
      : await openOutput(args, {
          configured: config.reporters ?? [],
          automatic: true,
          apart: target.apart ?? null,
          cwd: process.cwd(),
        });
    const report = await run({
      implementation,
      declared: { ...declared, contract },
      cases: selectCases(args, config, projectCases),
      projectCases,
      feed: file === null ? null : toFeed(contract, file),
      stored: file === null ? stored.filter(({ implementation: own }) => kept.samePlace(own, place)) : [],
      origin:
        file === null && !isSilent
          ? {
              implementation: { name: implementation.name, kind: implementation.kind, ...place },
              declared: flagLayer(args, process.cwd()).map(({ name, value }) => ({ name, value })),
              join: args.value('join'),
            }
          : null,
      known: config.known ?? [],
      mayBeGone,
      notes: damaged,
      ...checks,
      join: args.value('join') ?? config.join ?? null,
      timeLimitMs: parseDuration(args.value('time-limit') ?? config.timeLimit ?? '5m', '--time-limit'),
      bail: args.flag('bail'),
      scope: countFlag(args, 'scope') ?? (args.flag('case') ? 0 : null),
      histories: countFlag(args, 'histories') ?? (args.flag('case') ? 0 : 1000),
      seed: seedFlag(args),
      illegal: args.flag('illegal'),
      maxFailures: countFlag(args, 'max-failures') ?? 5,
      version: version(),
      command: withoutPassword(`scd2check ${argv.map(quoteArgument).join(' ')}`),
      replay: replayCommand(target, args),
      root,
      runId: newRunId(new Date(), Math.random),
      signal,
      onEvent: (event) => output.onEvent(event),
    });
    const failed = await output.end(report);
    const code = exitCode(report, signal);
    return { code: failed === null ? code : worst([failed, code]), report };
  } finally {
    signal.removeEventListener('abort', stop);
    await implementation.close();
  }
}

/** Fixed unless asked otherwise, so that CI and grades repeat. */
function seedFlag(args: Arguments): number {
  const text = args.value('seed') ?? '1';
  if (text === 'random') return Math.floor(Math.random() * 2 ** 31);
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`\`--seed\` cannot be \`${text}\`. Write a whole number, or \`random\`.`);
  return Number(text);
}

/** Whether a check is among those that a run is limited to. */
export function isSelected(
  check: string,
  {
    checks,
    skipChecks,
  }: { readonly checks: readonly string[] | null; readonly skipChecks: readonly string[] },
): boolean {
  return (checks === null || checks.includes(check)) && !skipChecks.includes(check);
}

/** The command that shows a finding again, on a line of its own: by its case, by the user's feed, or by what was kept of it. */
function replayCommand(target: Target, args: Arguments): (feedId: string, findingId: string) => string {
  const flags = ['contract', 'set', 'join', 'engine', 'config'] as const;
  const kept = flags.flatMap((name) =>
    args.values(name).map((value) => `--${name} ${quoteArgument(withoutPassword(value))}`),
  );
  const impl =
    target.program.length > 0
      ? `-- ${target.program.map(quoteArgument).join(' ')}`
      : quoteArgument(target.path);
  const config = kept
    .filter((flag) => /^--(engine|config) /.test(flag))
    .map((flag) => ` ${flag}`)
    .join('');
  return (feedId, findingId) => {
    const feed = feedSelection(feedId, args);
    if (feed === null)
      return `npx scd2check replay ${feedId.startsWith('stored/') ? feedId.slice(7) : findingId}${config}`;
    const parts = target.program.length > 0 ? [feed, ...kept, impl] : [impl, feed, ...kept];
    return `npx scd2check ${parts.join(' ')}`;
  };
}

/** The flags that select a feed; null where it is none that flags can name, but one that is kept. */
function feedSelection(feedId: string, args: Arguments): string | null {
  if (args.flag('feed')) return `--feed ${quoteArgument(feedId)}`;
  if (feedId.startsWith('case/')) return `--case ${feedId.slice(5)}`;
  if (feedId.startsWith('repetition/'))
    return `--check ${feedId.slice('repetition/'.length)} --no-cases --scope 0`;
  return feedId.startsWith('project/') ? `--case ${quoteArgument(feedId)}` : null;
}

function quoteArgument(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Of several exit codes the one that counts. */
function worst(codes: readonly number[]): number {
  return [130, 70, 2, 1, 3].find((code) => codes.includes(code)) ?? 0;
}

function exitCode({ verdict }: Report, signal: AbortSignal): number {
  if (signal.aborted) return 130;
  return verdict === 'fail' ? 1 : verdict === 'inconclusive' ? 3 : 0;
}
