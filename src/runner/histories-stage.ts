import { BOUNDARY_IDS, CASES } from '../../cases/index.ts';
import { mapCase } from '../../cases/mapping.ts';
import { CHECKS } from '../checks/index.ts';
import type { Trace } from '../checks/judge.ts';
import { shapeOf } from '../search/find.ts';
import type { GroupVerdict } from './judge-group.ts';
import { type PackedOutcome, runPacked } from './packed-run.ts';
import { notReached, unstable } from './problems.ts';
import type { RunState } from './run-state.ts';
import { runFeed } from './session.ts';
import type { PlannedFailure } from './stored-part.ts';
import { withoutFeeds } from './verdicts.ts';

export interface HistoriesVerdict {
  readonly outcome: PackedOutcome | null;
  readonly verdicts: readonly GroupVerdict[];
}

const NOTHING: HistoriesVerdict = { outcome: null, verdicts: [] };

/** The scope, the covering feed and the random ones; then what failed in them as findings, each by its smallest feed. */
export async function runHistories(
  state: RunState,
  cases: readonly GroupVerdict[],
  stored: readonly PlannedFailure[],
): Promise<HistoriesVerdict> {
  const { implementation, feed, scope, histories, seed, maxFailures, bail, onEvent } = state.options;
  const size = scope ?? (implementation.kind === 'sql' || implementation.kind === 'function' ? 4 : 3);
  if (feed !== null || state.ended || (bail && state.fails(cases))) return NOTHING;
  // What fails whatever it is given would do so in each of thousands of histories, and say nothing more.
  if (state.problems.some(({ kind }) => kind === 'errored' || kind === 'unreadable')) return NOTHING;
  if (!CHECKS.some(({ id }) => state.selectedChecks()?.includes(id) ?? true)) return NOTHING;
  const { contract } = state;
  // What the cases came to, under this contract.
  const shown = [...state.groups.values()]
    .filter((group) => group.contract.columns === contract.columns)
    .flatMap(({ traces }) => traces);
  const outcome = await state.time('packed', () =>
    state.orUnreadable(
      runPacked({
        implementation,
        contract,
        checks: state.selectedChecks(),
        scope: size,
        histories,
        seed,
        maxFailures,
        deadline: state.deadline,
        masks: cases.flatMap(({ masks }) => masks),
        shapes: stored.flatMap((one) =>
          'feed' in one ? [shapeOf(contract, one.failure.check, one.feed)] : [],
        ),
        stop: state.stop,
        progress: (part, done, total) => onEvent({ type: 'progress', part, done, total }),
      }),
    ),
  );
  if (outcome === null) return NOTHING;
  state.noteEnd(outcome);
  state.problems.push(...outcome.unstable.map(unstable));
  if (outcome.failure === null && outcome.completed && size > 0 && histories > 0) {
    state.problems.push(...notReached(contract, outcome.situations));
  }
  return { outcome, verdicts: await judgeDefects(state, outcome, shown) };
}

/** The smallest feeds are run once more, and judged like a case: with their rows, their money, and the decision that explains them. */
async function judgeDefects(
  state: RunState,
  { defects, tallies }: PackedOutcome,
  cases: readonly Trace[],
): Promise<readonly GroupVerdict[]> {
  const own = { tallies: tallies.flat(), findings: [], taken: [], feeds: [], masks: [] };
  if (defects.length === 0) return [own];
  state.groups.clear();
  for (const [index, { feed, check, part }] of defects.entries()) {
    await state.send({ id: `${part}/${index + 1}-${check}`, batches: feed.batches }, state.contract);
  }
  // What the cases showed is judged beside them: a decision must explain those too, or it is a coincidence.
  const shown = cases.length > 0 ? cases : await witnesses(state);
  for (const group of state.groups.values()) group.traces.push(...shown);
  // An error that some feeds raise and others do not is what was looked for.
  const verdicts = await state.judge('counterexamples', new Map(), () => true);
  // The tallies of all histories stand; those of the few that were run again would count them twice.
  const ids = new Set(shown.map(({ feed }) => feed.id));
  return [own, ...verdicts.map((verdict) => ({ ...withoutFeeds(verdict, ids), tallies: [] }))];
}

/** Where no case was run, the seven boundary cases speak against what only one small feed would show. */
async function witnesses(state: RunState): Promise<readonly Trace[]> {
  const traces: Trace[] = [];
  for (const theCase of CASES.filter(({ id }) => BOUNDARY_IDS.includes(id))) {
    const mapped = mapCase(theCase, state.contract);
    if ('skip' in mapped || state.options.signal.aborted) continue;
    const outcome = await runFeed(state.options.implementation, state.contract, mapped.feed);
    if ('trace' in outcome) traces.push(outcome.trace);
  }
  return traces;
}
