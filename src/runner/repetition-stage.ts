import { CHECK_IDS } from '../checks/index.ts';
import type { Contract } from '../contract/contract.ts';
import { runClock } from '../repetition/clock.ts';
import { notRepeated, type RepetitionOutcome, runRepetition } from '../repetition/run.ts';
import type { GroupVerdict } from './judge-group.ts';
import { SHRINK_MS } from './packed-run.ts';
import { INTERRUPTED } from './problems.ts';
import type { Finding } from './report.ts';
import type { RunState } from './run-state.ts';
import { contractWith } from './taken.ts';

export interface RepetitionVerdict {
  readonly verdict: GroupVerdict;
  /** What was not tried of the clock, and why. */
  readonly clockNote: string | null;
}

const CLOCK = 'clock-injected';
const NO_CLOCK = { tallies: [], findings: [], note: null };

/** The checks by repetition. They are part of a whole run only, after all else, because what they find may follow from other defects. */
export async function runRepetitionStage(
  state: RunState,
  verdicts: readonly GroupVerdict[],
): Promise<RepetitionVerdict> {
  const { cases, feed, histories, bail } = state.options;
  const isWhole = feed === null && (cases === null || cases.length === 0) && histories > 0;
  const isUsable = state.problems.every(({ kind }) => ['unstable', 'not-reached'].includes(kind));
  if (!isWhole || !isUsable || (bail && state.fails(verdicts))) return notDone();
  const outcome = await state.orUnreadable(
    repeat(state, state.contract, state.selectedChecks() ?? CHECK_IDS),
  );
  if (outcome === null) return notDone();
  state.noteEnd(outcome);
  const findings = await explained(state, outcome.findings, verdicts);
  const clock = outcome.completed ? await tryClock(state, verdicts) : NO_CLOCK;
  return {
    verdict: {
      tallies: [...outcome.tallies, ...clock.tallies],
      findings: [...findings, ...clock.findings],
      taken: [],
      feeds: [],
      masks: [],
    },
    clockNote: clock.note,
  };
}

function notDone(): RepetitionVerdict {
  return { verdict: notRepeated(), clockNote: null };
}

function repeat(state: RunState, contract: Contract, checks: readonly string[]): Promise<RepetitionOutcome> {
  const { onEvent } = state.options;
  return state.time('repetition', () =>
    runRepetition({
      ...common(state),
      contract,
      checks,
      progress: (done, total) => onEvent({ type: 'progress', part: 'repetition', done, total }),
    }),
  );
}

/** What repetition finds follows from a decision where nothing is found under the contract with all decisions that stand. */
async function explained(
  state: RunState,
  findings: readonly Finding[],
  verdicts: readonly GroupVerdict[],
): Promise<readonly Finding[]> {
  const taken = verdicts.map((one) => one.taken).filter((decisions) => decisions.length > 0);
  const [first] = taken.flat();
  if (findings.length === 0 || first === undefined) return findings;
  const checks = findings.map(({ check }) => check);
  const again = await repeat(state, contractWith(state.contract, taken), checks).catch(() => null);
  if (again === null || !again.completed || again.failure !== null) return findings;
  const still = new Set(again.findings.map(({ check }) => check));
  return findings.map((finding) => (still.has(finding.check) ? finding : { ...finding, decision: first }));
}

/** Where stamps of the clock were found, it is known that the clock is read. */
async function tryClock(
  state: RunState,
  verdicts: readonly GroupVerdict[],
): Promise<Pick<GroupVerdict, 'tallies' | 'findings'> & { readonly note: string | null }> {
  const isFound = verdicts
    .flatMap(({ tallies }) => tallies)
    .some(({ id, count }) => id === CLOCK && count > 0);
  if (isFound || !(state.selectedChecks()?.includes(CLOCK) ?? true)) return NO_CLOCK;
  const outcome = await state.time('repetition', () =>
    state.orUnreadable(runClock({ ...common(state), contract: state.contract })),
  );
  if (outcome === null) return NO_CLOCK;
  if (state.options.signal.aborted) state.problems.push(INTERRUPTED);
  return {
    tallies: outcome.tally === null ? [] : [outcome.tally],
    findings: outcome.findings,
    note: outcome.whyNot === null ? null : `\`${CLOCK}\`: ${outcome.whyNot}.`,
  };
}

function common({ options, deadline, stop }: RunState) {
  const { implementation, seed, replay } = options;
  return { implementation, seed, deadline, shrinkMs: SHRINK_MS, stop, replay };
}
