import type { CaseFeed } from '../../cases/packing.ts';
import { contractToJson } from '../contract/print.ts';
import { busyTime } from './busy.ts';
import { currentEnvironment } from './environment.ts';
import type { HistoriesVerdict } from './histories-stage.ts';
import type { GroupVerdict } from './judge-group.ts';
import { knownResults } from './known.ts';
import type { PlannedCase } from './planned-cases.ts';
import { noneApplies, notExercised } from './problems.ts';
import type { IllegalResult, Report, StoredResult, Verdict } from './report.ts';
import { caseResult, checkResults, idsOf } from './results.ts';
import type { RunState } from './run-state.ts';
import { sortFindings } from './sort-findings.ts';
import { type PlannedFailure, storedResults } from './stored-part.ts';
import { unsaidDecisions, withOneGrain } from './taken.ts';

/** What the stages of a run came to. */
export interface RunResults {
  readonly started: { readonly at: string; readonly ms: number };
  readonly planned: readonly PlannedCase[];
  readonly stored: readonly PlannedFailure[];
  readonly verdicts: readonly GroupVerdict[];
  /** The feeds in which each case was judged. */
  readonly feeds: readonly CaseFeed[];
  readonly outcome: HistoriesVerdict['outcome'];
  readonly illegal: readonly IllegalResult[] | null;
  readonly clockNote: string | null;
}

const WALL_NOTE =
  'Stamps come from the wall clock (`clock: wall`): each was judged as the instant of the batch in whose load it lies. A rerun gives other stamps. No load was late and no two had one instant, because nobody can set that clock back.';

/** The report of a run that has ended, after those who follow it were told of each of its results. */
export function reportOf(state: RunState, results: RunResults): Report {
  const { implementation, declared, version, command, runId, cases: ids, feed, known, notes } = state.options;
  const { verdicts, outcome, illegal, clockNote } = results;
  const { contract, problems } = state;
  const whole = ids === null && feed === null && problems.length === 0;
  const checks = checkResults(verdicts, whole, state.selectedChecks());
  const findings = sortFindings(withOneGrain(verdicts.flatMap((one) => one.findings)));
  const cases = results.planned.map((one) => caseResult(one, verdicts, results.feeds));
  if (whole) problems.push(...notExercised(checks));
  if (!state.ended)
    problems.push(...noneApplies({ checks: state.options.checks, cases: ids }, checks, cases));
  tell(state, { cases, findings });
  const fails = state.fails(verdicts) || (illegal ?? []).some(({ outcome }) => outcome === 'broken');
  const stored = storedResults(results.stored, verdicts);
  const verdict: Verdict = fails ? 'fail' : problems.length > 0 ? 'inconclusive' : 'pass';
  const taken = verdicts.flatMap((one) => one.taken);
  return {
    schema: 1,
    tool: { name: 'scd2check', version },
    run: { id: runId, command, started: results.started.at },
    environment: currentEnvironment(process.env),
    implementation: { name: implementation.name, kind: implementation.kind },
    contract: contractToJson(contract),
    contractAssumed: !declared.decided,
    notes: [
      ...notes,
      ...state.guessed,
      ...(contract.clock === 'wall' ? [WALL_NOTE] : []),
      ...declared.notes,
      ...unsaidDecisions(taken, findings),
      ...(clockNote === null ? [] : [clockNote]),
    ],
    verdict,
    problems,
    stored,
    cases,
    scope: outcome?.scope ? { ...outcome.scope, findings: idsOf(findings, 'scope') } : null,
    random: outcome?.random ? { ...outcome.random, findings: idsOf(findings, 'random') } : null,
    illegal,
    coverage: outcome?.situations ?? {},
    checks,
    findings,
    known: knownResults(known, findings, isGone(state, stored, fails)),
    timings: {
      totalMs: Math.round(performance.now() - results.started.ms),
      implementationMs: Math.round(busyTime(implementation).ms),
      loads: busyTime(implementation).loads,
      parts: state.timings,
    },
  };
}

function tell(
  { options, problems }: RunState,
  { cases, findings }: Pick<Report, 'cases' | 'findings'>,
): void {
  for (const result of cases) options.onEvent({ type: 'case-end', result });
  for (const finding of findings) options.onEvent({ type: 'finding', finding });
  for (const problem of problems) options.onEvent({ type: 'problem', problem });
}

/**
 * What is accepted and was not found is gone if its counterexample was tried and is right now, or if a whole run found nothing else:
 * another defect can stand before it.
 */
function isGone(
  { options, problems }: RunState,
  stored: readonly StoredResult[],
  fails: boolean,
): (id: string) => boolean {
  const whole = !fails && problems.length === 0 && options.feed === null;
  return (id) =>
    stored.some((one) => one.id === id && one.outcome === 'fixed') || (whole && options.mayBeGone(id));
}
