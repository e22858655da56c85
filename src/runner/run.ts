import { contractToJson } from '../contract/print.ts';
import type { Feed } from '../feed/feed.ts';
import { requireClock } from '../plugins/set-clock.ts';
import { guessForm } from '../probe/form.ts';
import { failuresFolder, moveFailure, storeFailures } from '../search/store.ts';
import { type CasesVerdict, runCases } from './cases-stage.ts';
import { runHistories } from './histories-stage.ts';
import { runIllegal } from './illegal-part.ts';
import type { GroupVerdict } from './judge-group.ts';
import { planCases } from './planned-cases.ts';
import { runRepetitionStage } from './repetition-stage.ts';
import type { Report } from './report.ts';
import type { RunOptions } from './run-options.ts';
import { reportOf } from './run-report.ts';
import { RunState } from './run-state.ts';
import { isKept, type PlannedFailure, planStored } from './stored-part.ts';
import { notStored, RunFolder } from './trace-store.ts';

/**
 * Runs an implementation through the named cases (or one feed), histories and repetitions: sends, keeps the trace, judges, finds the roots and explains them.
 *
 * Nothing is judged before its trace is written, so that a fault of the judge loses nothing.
 * @throws UsageError where the contract says `clock: moved` of a clock that nobody can set
 */
export async function run(given: RunOptions): Promise<Report> {
  requireClock(given.implementation, given.declared.contract);
  const { declared, notes } = await guessForm(given.implementation, given.declared);
  const options = { ...given, declared, notes: [...given.notes, ...notes] };
  const started = { at: new Date().toISOString(), ms: performance.now() };
  const folder = await RunFolder.create(options.root, options.runId);
  try {
    return await runIn(folder, options, started);
  } finally {
    await folder.close();
  }
}

async function runIn(
  folder: RunFolder,
  options: RunOptions,
  started: { readonly at: string; readonly ms: number },
): Promise<Report> {
  const state = new RunState(options, folder, started.ms);
  const { feed } = options;
  const stored = planStored(state.contract, options.stored);
  const planned = feed === null ? planCases(state.contract, options) : [];
  await announce(state, started.at, planned.length);
  const { verdicts, feeds } =
    feed === null ? await runCases(state, planned, stored) : await runOne(state, feed);
  const histories = await runHistories(state, verdicts, stored);
  const repeated = await runRepetitionStage(state, [...verdicts, ...histories.verdicts]);
  const all = [...verdicts, ...histories.verdicts, repeated.verdict];
  const illegal =
    options.illegal && !state.ended
      ? await state.time('illegal', () =>
          runIllegal(options.implementation, state.contract, options.seed, () => state.mayNotStart()),
        )
      : null;
  if (options.signal.aborted) state.interrupted();
  const judged = reportOf(state, {
    started,
    planned,
    stored,
    verdicts: all,
    feeds,
    outcome: histories.outcome,
    illegal,
    clockNote: repeated.clockNote,
  });
  const notKept = folder.notKept ?? keepOrSay(state, judged, stored, all);
  const report = notKept === null ? judged : { ...judged, notes: [...judged.notes, notKept] };
  await folder.write('report.json', `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

/** Says what begins: in the folder of the run, and to those who follow it. */
async function announce(
  { options, folder, contract }: RunState,
  started: string,
  cases: number,
): Promise<void> {
  const { version, command, onEvent } = options;
  const implementation = { name: options.implementation.name, kind: options.implementation.kind };
  await folder.writeRun({
    tool: { name: 'scd2check', version },
    command,
    implementation,
    contract: contractToJson(contract),
    started,
  });
  onEvent({ type: 'run-start', implementation, contract, cases });
}

async function runOne(state: RunState, feed: Feed): Promise<CasesVerdict> {
  await state.time('apply', () => state.send(feed, state.contract));
  return { verdicts: await state.time('judge', () => state.judge('feed', new Map())), feeds: [] };
}

/** Why what failed could not be kept; null where it was. A verdict is not lost to a folder that cannot be written. */
function keepOrSay(
  state: RunState,
  report: Report,
  planned: readonly PlannedFailure[],
  verdicts: readonly GroupVerdict[],
): string | null {
  try {
    keep(state, report, planned, verdicts);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return notStored(failuresFolder(state.options.root), error);
  }
}

/** Counterexamples are kept for later runs; those that are right again are put aside. */
function keep(
  { options, contract }: RunState,
  { findings, stored }: Report,
  planned: readonly PlannedFailure[],
  verdicts: readonly GroupVerdict[],
): void {
  const { root, origin, seed } = options;
  if (origin === null) return;
  const feeds = new Map(verdicts.flatMap((one) => one.feeds).map(({ feed }) => [feed.id, feed]));
  const kept = findings.filter(isKept).flatMap((finding) => {
    const feed = feeds.get(finding.feed);
    return feed === undefined ? [] : [{ finding, feed }];
  });
  storeFailures(root, contract, origin, seed, kept);
  for (const { failure } of planned) {
    const outcome = stored.find(({ id }) => id === failure.id)?.outcome;
    if (outcome === 'fixed') moveFailure(root, failure, 'fixed');
    if (outcome === 'fails') moveFailure(root, failure, 'failures');
  }
}
