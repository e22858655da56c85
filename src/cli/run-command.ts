import type { ContractConfig } from '../config/config.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { declareContract } from '../contract/declare.ts';
import { STRICT } from '../contract/presets.ts';
import { printContract } from '../contract/print.ts';
import type { Report } from '../runner/report.ts';
import { newRunId } from '../runner/trace-store.ts';
import { type Arguments, parseDuration } from './arguments.ts';
import { configLayer, flagLayer } from './contract-layers.ts';
import { endNow, listenForInterrupt } from './interrupt.ts';
import { openTarget, type Target } from './open-target.ts';
import { openOutput } from './output.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** `scd2check [run] <impl>`. The exit code is the worst of all that was run: 130 > 70 > 2 > 1 > 3 > 0. */
export async function runCommand(args: Arguments, argv: readonly string[]): Promise<number> {
  const cwd = process.cwd();
  const loaded = await loadConfig(args.value('config'), cwd);
  const interruption = listenForInterrupt();
  try {
    const codes: number[] = [];
    for (const target of targets(args, loaded)) {
      codes.push(await runTarget(target, args, argv, loaded, interruption.signal));
      if (interruption.signal.aborted) return 130;
    }
    return codes.includes(1) ? 1 : Math.max(...codes);
  } finally {
    interruption.stop();
  }
}

interface RunTarget extends Target {
  readonly contract?: ContractConfig;
}

function targets(args: Arguments, { config, root }: LoadedConfig): readonly RunTarget[] {
  const cwd = process.cwd();
  if (args.program.length > 0) return [{ path: args.program.join(' '), program: args.program, cwd }];
  if (args.targets.length > 1)
    throw new UsageError(
      `One implementation at a time: ${args.targets.map((path) => `\`${path}\``).join(', ')}.`,
    );
  const [path] = args.targets;
  if (path !== undefined) return [{ path, program: [], cwd }];
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

async function runTarget(
  target: RunTarget,
  args: Arguments,
  argv: readonly string[],
  { config, path: configPath, root }: LoadedConfig,
  signal: AbortSignal,
): Promise<number> {
  // The implementation comes up in its own process while this one loads what judges it.
  const opening = openTarget(target, args, config.timeout);
  const judging = import('./judging.ts');
  const stopOpening = () => endNow('Interrupted before the implementation had come up.');
  signal.addEventListener('abort', stopOpening);
  const [opened] = await Promise.allSettled([opening, judging]);
  signal.removeEventListener('abort', stopOpening);
  if (opened.status === 'rejected') throw opened.reason;
  const implementation = opened.value;
  const { inferTypes, readFeedFile, toFeed, run, selectCases, selectChecks } = await judging;
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
      return 0;
    }
    const output = await openOutput(args, config.reporters ?? [], process.cwd());
    const report = await run({
      implementation,
      declared: { ...declared, contract },
      cases: selectCases(args, config),
      feed: file === null ? null : toFeed(contract, file),
      ...selectChecks(args, config),
      join: args.value('join') ?? config.join ?? null,
      timeLimitMs: parseDuration(args.value('time-limit') ?? config.timeLimit ?? '5m', '--time-limit'),
      bail: args.flag('bail'),
      scope: countFlag(args, 'scope'),
      histories: countFlag(args, 'histories') ?? 1000,
      seed: seedFlag(args),
      maxFailures: countFlag(args, 'max-failures') ?? 5,
      version: version(),
      command: `scd2check ${argv.map(quoteArgument).join(' ')}`,
      replay: replayCommand(target, args),
      root,
      runId: newRunId(new Date(), Math.random),
      signal,
      onEvent: (event) => output.onEvent(event),
    });
    await output.end(report);
    return exitCode(report, signal);
  } finally {
    signal.removeEventListener('abort', stop);
    await implementation.close();
  }
}

function countFlag(args: Arguments, name: 'scope' | 'histories' | 'max-failures'): number | null {
  const text = args.value(name);
  if (text === null) return null;
  if (!/^\d+$/.test(text)) throw new UsageError(`\`--${name}\` cannot be \`${text}\`. Write a whole number.`);
  return Number(text);
}

/** Fixed unless asked otherwise, so that CI and grades repeat. */
function seedFlag(args: Arguments): number {
  const text = args.value('seed') ?? '1';
  if (text === 'random') return Math.floor(Math.random() * 2 ** 31);
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`\`--seed\` cannot be \`${text}\`. Write a whole number, or \`random\`.`);
  return Number(text);
}

/** The command that shows a finding again, on a line of its own. */
function replayCommand(target: Target, args: Arguments): (feedId: string) => string {
  const flags = ['contract', 'set', 'join', 'config'] as const;
  const kept = flags.flatMap((name) => args.values(name).map((value) => `--${name} ${quoteArgument(value)}`));
  const impl =
    target.program.length > 0
      ? `-- ${target.program.map(quoteArgument).join(' ')}`
      : quoteArgument(target.path);
  return (feedId) => {
    const feed = feedId.startsWith('case/') ? `--case ${feedId.slice(5)}` : `--feed ${quoteArgument(feedId)}`;
    const parts = target.program.length > 0 ? [feed, ...kept, impl] : [impl, feed, ...kept];
    return `npx scd2check ${parts.join(' ')}`;
  };
}

function quoteArgument(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function exitCode({ verdict }: Report, signal: AbortSignal): number {
  if (signal.aborted) return 130;
  return verdict === 'fail' ? 1 : verdict === 'inconclusive' ? 3 : 0;
}
