import { join, relative, resolve } from 'node:path';
import { findingLines } from '../../reporters/terminal/finding.ts';
import { indented, inner, type Page } from '../../reporters/terminal/page.ts';
import { terminalStyle } from '../../reporters/terminal/style.ts';
import { disarmLine, visible } from '../../reporters/text/escape.ts';
import { wrap } from '../../reporters/text/wrap.ts';
import type { Config } from '../config/config.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { declareContract } from '../contract/declare.ts';
import { suggestion } from '../contract/nearest.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import type { Report, StoredResult } from '../runner/report.ts';
import { BARE_RUN } from '../runner/run-options.ts';
import { newRunId } from '../runner/trace-store.ts';
import { promote } from '../search/promote.ts';
import {
  failuresFolder,
  loadFailures,
  placeOf,
  readFailure,
  type StoredFailure,
  samePlace,
} from '../search/store.ts';
import { type Arguments, parseDuration } from './arguments.ts';
import { configLayer, flagLayer } from './contract-layers.ts';
import { listenForInterrupt } from './interrupt.ts';
import { run, selectChecks } from './judging.ts';
import { openTarget, type Target } from './open-target.ts';
import { isSelected } from './run-command.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** What a counterexample came to, with the report that its finding is in. */
interface Answer {
  readonly id: string;
  /** The implementation, as people name it. */
  readonly where: string;
  readonly result: Pick<StoredResult, 'outcome' | 'reason' | 'findings'>;
  readonly report: Report | null;
}

/**
 * `scd2check replay [id|file …]`: stored counterexamples again, all where none is named. 0 where all are fixed, 1 where some still fail, 3
 * where none fails and some cannot be replayed. With `--promote` they become cases of the project instead.
 */
export async function replayCommand(args: Arguments): Promise<number> {
  const loaded = await loadConfig(args.value('config'), process.cwd());
  const wanted = args.targets.map((target) => failureNamed(target, loaded.root));
  if (args.flag('promote')) return promoteAll(wanted, loaded.root);
  const { failures, damaged } = args.targets.length > 0 ? sorted(wanted) : loadFailures(loaded.root);
  if (failures.length + damaged.length === 0) {
    process.stdout.write(
      'There is no stored counterexample: no run has found one here, or all of them are fixed.\n',
    );
    return 0;
  }
  const page = pageOf(args);
  const outcomes: StoredResult['outcome'][] = [];
  const tell = (answers: readonly Answer[]) => {
    for (const answer of answers) print(answerLines(answer, page, args.flag('quiet')));
    outcomes.push(...answers.map(({ result }) => result.outcome));
  };
  for (const sentence of damaged) {
    print(wrap(`? cannot replay: ${visible(sentence)}`, page.width, '  '));
    outcomes.push('cannot-replay');
  }
  const interruption = listenForInterrupt();
  try {
    for (const group of groupsOf(failures)) {
      tell(await replayGroup(group, args, loaded, interruption.signal));
      if (interruption.signal.aborted) return 130;
    }
  } finally {
    interruption.stop();
  }
  const count = (outcome: StoredResult['outcome']) => outcomes.filter((one) => one === outcome).length;
  const [fixed, fails, cannot] = [count('fixed'), count('fails'), count('cannot-replay')];
  print([
    '',
    `${fixed} fixed, ${fails} still ${fails === 1 ? 'fails' : 'fail'}, ${cannot} cannot be replayed`,
  ]);
  return fails > 0 ? 1 : cannot > 0 ? 3 : 0;
}

/** By the id under which it is kept, also where it is fixed; or in a file. */
function failureNamed(target: string, root: string): StoredFailure | string {
  const folder = failuresFolder(root);
  const isFile = target.endsWith('.json') || target.includes('/');
  const places = isFile
    ? [resolve(target)]
    : [join(folder, `${target}.json`), join(folder, 'fixed', `${target}.json`)];
  for (const place of places) {
    const read = readFailure(place);
    if (read !== null) return read;
  }
  if (isFile) throw new UsageError(`There is no file \`${target}\`.`);
  const ids = loadFailures(root).failures.map(({ id }) => id);
  const instead = ids.length === 0 ? ` Nothing is stored in \`${folder}\`.` : suggestion(target, ids);
  throw new UsageError(`There is no stored counterexample \`${target}\`.${instead}`);
}

function sorted(wanted: readonly (StoredFailure | string)[]) {
  return {
    failures: wanted.filter((one) => typeof one !== 'string'),
    damaged: wanted.filter((one) => typeof one === 'string'),
  };
}

function promoteAll(wanted: readonly (StoredFailure | string)[], root: string): number {
  if (wanted.length === 0)
    throw new UsageError(
      '`--promote` needs the id of a stored counterexample: scd2check replay --promote <id>.',
    );
  const { failures, damaged } = sorted(wanted);
  if (damaged.length > 0) throw new UsageError(damaged.join('\n'));
  for (const failure of failures) {
    const file = relative(process.cwd(), promote(root, failure));
    print([
      `\`${file}\` is a case of the project now: \`project/${failure.id}\`. Every run sends it. Commit it.`,
    ]);
  }
  return 0;
}

/** Counterexamples that are run together: of one implementation, under one contract. */
function groupsOf(failures: readonly StoredFailure[]): readonly (readonly StoredFailure[])[] {
  const nameOf = ({ implementation, declared, join: predicate }: StoredFailure) =>
    JSON.stringify([implementation, declared, predicate]);
  const groups = new Map<string, StoredFailure[]>();
  for (const failure of failures) {
    const name = nameOf(failure);
    groups.set(name, [...(groups.get(name) ?? []), failure]);
  }
  return [...groups.values()];
}

async function replayGroup(
  group: readonly StoredFailure[],
  args: Arguments,
  loaded: LoadedConfig,
  signal: AbortSignal,
): Promise<readonly Answer[]> {
  const target = targetOf(group[0]!, loaded.root);
  const where =
    target.program.length > 0 ? target.path : relative(process.cwd(), resolve(target.cwd, target.path));
  const cannot = (failure: StoredFailure, reason: string): Answer => ({
    id: failure.id,
    where,
    result: { outcome: 'cannot-replay', reason, findings: [] },
    report: null,
  });
  const checks = selectChecks(args, loaded.config);
  const tried = group.filter(({ check }) => isSelected(check, checks));
  const left = group
    .filter((one) => !tried.includes(one))
    .map((one) => cannot(one, `Its check \`${one.check}\` is not among those that are selected.`));
  if (tried.length === 0) return left;
  let implementation: OpenedImplementation;
  try {
    implementation = await openTarget(target, args, loaded.config.timeout);
  } catch (error) {
    return [...left, ...tried.map((one) => cannot(one, (error as Error).message))];
  }
  const stop = () => void implementation.close();
  signal.addEventListener('abort', stop);
  try {
    const report = await runStored(implementation, tried, args, loaded, signal, checks);
    const answers = [...left];
    for (const one of tried) {
      const result = report.stored.find(({ id }) => id === one.id);
      if (result !== undefined) answers.push({ id: one.id, where, result, report });
      // What one feed does to the implementation says nothing of the others.
      else if (tried.length > 1 && !signal.aborted)
        answers.push(...(await replayGroup([one], args, loaded, signal)));
      else answers.push(cannot(one, report.problems.map(({ message }) => message).join(' ')));
    }
    return answers;
  } catch (error) {
    // The contract contradicts itself by now, or means nothing.
    if (error instanceof UsageError) return [...left, ...tried.map((one) => cannot(one, error.message))];
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await implementation.close();
  }
}

/** A run of nothing but what is stored, under the contract of today: what the implementation, the configuration and the flags say. */
async function runStored(
  implementation: OpenedImplementation,
  stored: readonly StoredFailure[],
  args: Arguments,
  { config, path, root }: LoadedConfig,
  signal: AbortSignal,
  checks: ReturnType<typeof selectChecks>,
): Promise<Report> {
  const [first] = stored;
  const declared = declareContract([
    implementation.declared,
    [
      ...configLayer(config.contract, path ?? 'configuration'),
      ...configLayer(configuredContract(first!, config, root), path ?? 'configuration'),
    ],
    first!.declared.map((line) => ({ ...line, where: first!.file })),
    flagLayer(args, process.cwd()),
  ]);
  return run({
    implementation,
    declared,
    ...BARE_RUN,
    stored,
    origin: first!,
    known: config.known ?? [],
    ...checks,
    join: args.value('join') ?? first!.join ?? config.join ?? null,
    timeLimitMs: parseDuration(args.value('time-limit') ?? config.timeLimit ?? '5m', '--time-limit'),
    maxFailures: 0,
    version: version(),
    command: `scd2check replay ${stored.map(({ id }) => id).join(' ')}`,
    replay: (feedId) => `npx scd2check replay ${feedId.slice('stored/'.length)}`,
    root,
    runId: newRunId(new Date(), Math.random),
    signal,
  });
}

function targetOf({ implementation: place }: StoredFailure, root: string): Target {
  return 'path' in place
    ? { path: place.path, program: [], cwd: root }
    : { path: place.command.join(' '), program: place.command, cwd: resolve(root, place.folder) };
}

/** What the configuration says of this implementation alone. */
function configuredContract(
  { implementation }: StoredFailure,
  { implementations = [] }: Config,
  root: string,
) {
  return implementations
    .filter((entry) => typeof entry !== 'string')
    .find(({ path }) => samePlace(implementation, placeOf({ path, program: [], cwd: root }, root)))?.contract;
}

function answerLines({ id, where, result, report }: Answer, page: Page, quiet: boolean): string[] {
  const { style } = page;
  const about = `${visible(id)} (${visible(where)})`;
  if (result.outcome === 'fixed') return [`${style.good('✓ fixed')}: ${about}`];
  if (result.outcome === 'cannot-replay')
    return wrap(`? cannot replay: ${about}: ${visible(result.reason ?? '')}`, page.width, '  ');
  const known = report?.known.find((one) => one.id === id);
  const accepted = known === undefined ? '' : `; known: ${visible(known.reason)}`;
  const line = `${style.bad('✗ still fails')}: ${about}${accepted}`;
  if (quiet || report === null) return [line];
  const findings = report.findings.filter((one) => result.findings.includes(one.id));
  return [line, ...findings.flatMap((one) => indented(findingLines(one, report, inner(page))))];
}

function pageOf(args: Arguments): Page {
  const isTerminal = process.stdout.isTTY === true;
  const color = isTerminal && !args.flag('no-color') && !process.env['NO_COLOR'];
  return {
    width: isTerminal ? process.stdout.columns : 80,
    style: terminalStyle(color),
    full: args.flag('full'),
  };
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.map(disarmLine).join('\n')}\n`);
}
