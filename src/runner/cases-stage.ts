import { alone, type CaseFeed, packCases, type SendableCase } from '../../cases/packing.ts';
import { runAhead } from './ahead.ts';
import type { GroupVerdict } from './judge-group.ts';
import type { PlannedCase } from './planned-cases.ts';
import type { RunState } from './run-state.ts';
import type { PlannedFailure } from './stored-part.ts';
import { decidedAgain, memberKeys, withoutFeeds } from './verdicts.ts';

export interface CasesVerdict {
  readonly verdicts: readonly GroupVerdict[];
  /** The feeds in which each case was judged. */
  readonly feeds: readonly CaseFeed[];
}

/**
 * What failed in earlier runs is sent first. Cases are sent packed. Those of a pack in which something fails are then sent one by one, and judged by that;
 * where all of them are right alone, keys leak into each other, and the pack's own finding stands.
 */
export async function runCases(
  state: RunState,
  planned: readonly PlannedCase[],
  stored: readonly PlannedFailure[],
): Promise<CasesVerdict> {
  const feeds = feedsOf(state, planned, stored);
  await state.time('apply', () => send(state, feeds));
  const packed = await state.time('judge', () => state.judge('cases', memberKeys(feeds)));
  const failed = failedOf(packed);
  const again = feeds.filter(({ feed, members }) => members.length > 1 && failed.has(feed.id));
  if (again.length === 0 || state.ended) return { verdicts: packed, feeds };
  if (state.options.bail) return runUntilFirst(state, packed, feeds, failed);
  return runApart(state, packed, feeds, again);
}

function feedsOf(
  state: RunState,
  planned: readonly PlannedCase[],
  stored: readonly PlannedFailure[],
): readonly CaseFeed[] {
  const sendable = planned.filter((one) => 'feed' in one);
  const isOwn = ({ feed }: SendableCase) => feed.id.startsWith('project/');
  const first = stored.flatMap((one) =>
    'feed' in one ? [{ contract: state.contract, feed: one.feed, members: [] }] : [],
  );
  return [
    ...first,
    ...packCases(sendable.filter((one) => !isOwn(one))),
    ...sendable.filter(isOwn).map(alone),
  ];
}

/** The cases of the feeds that fail, each alone. */
async function runApart(
  state: RunState,
  packed: readonly GroupVerdict[],
  feeds: readonly CaseFeed[],
  again: readonly CaseFeed[],
): Promise<CasesVerdict> {
  const packedGroups = [...state.groups];
  state.groups.clear();
  const single = again.flatMap(({ members }) => members.map(({ sent }) => alone(sent)));
  await state.time('apply alone', () => send(state, single));
  // The other cases are judged beside them: a decision must explain those too, or it is a coincidence.
  const others = new Set(feeds.filter((one) => !again.includes(one)).map(({ feed }) => feed.id));
  for (const [name, { traces }] of packedGroups) {
    state.groups.get(name)?.traces.push(...traces.filter(({ feed }) => others.has(feed.id)));
  }
  const judged = await state.time('judge alone', () => state.judge('cases-alone', memberKeys(single)));
  const apart = judged.map((verdict) => withoutFeeds(verdict, others));
  const failedAlone = failedOf(apart);
  const explained = again.filter(({ members }) => members.some(({ sent }) => failedAlone.has(sent.feed.id)));
  const replaced = new Set(explained.map(({ feed }) => feed.id));
  return {
    verdicts: [...packed.map((one) => decidedAgain(withoutFeeds(one, replaced), judged)), ...apart],
    feeds: [
      ...feeds.filter(({ feed }) => !replaced.has(feed.id)),
      ...single.filter(({ members }) =>
        explained.some((pack) => pack.members.some(({ sent }) => sent === members[0]!.sent)),
      ),
    ],
  };
}

/** Of the feeds that fail packed, the cases one by one until one fails alone; where none does, the packs' findings stand. */
async function runUntilFirst(
  state: RunState,
  packed: readonly GroupVerdict[],
  feeds: readonly CaseFeed[],
  failed: ReadonlySet<string>,
): Promise<CasesVerdict> {
  const suspects = feeds.filter(({ feed }) => failed.has(feed.id));
  const single = suspects.flatMap((one) =>
    one.members.length > 1 ? one.members.map(({ sent }) => alone(sent)) : [one],
  );
  const verdicts: GroupVerdict[] = [];
  for (const [index, one] of single.entries()) {
    if (state.ended) break;
    state.groups.clear();
    await state.time('apply', () => state.send(one.feed, one.contract));
    const judged = await state.time('judge', () => state.judge(`case-${index}`, memberKeys([one])));
    verdicts.push(...judged);
    if (state.fails(verdicts)) {
      const left = single.length - index - 1;
      state.end({
        kind: 'bailed',
        message: `Stopped at the first case that fails (--bail); ${left} more of those that fail packed were not looked at alone.`,
      });
    }
  }
  if (!verdicts.some(({ findings }) => findings.length > 0)) return { verdicts: packed, feeds };
  return {
    verdicts: [...packed.map((one) => withoutFeeds(one, failed)), ...verdicts],
    feeds: [...feeds.filter((one) => !suspects.includes(one)), ...single],
  };
}

async function send(state: RunState, feeds: readonly CaseFeed[]): Promise<void> {
  const { implementation, onEvent } = state.options;
  let done = 0;
  for await (const { errand, outcome } of runAhead(implementation, whileRunning(state, feeds))) {
    state.collect(errand.contract, outcome);
    onEvent({ type: 'progress', part: 'cases', done: ++done, total: feeds.length });
  }
}

/** Ends the supply when the run has ended, was interrupted, or is out of time. */
function* whileRunning<E>(state: RunState, errands: Iterable<E>): Generator<E> {
  for (const errand of errands) {
    if (state.ended || state.mayNotStart()) return;
    yield errand;
  }
}

/** Ids of feeds. */
function failedOf(verdicts: readonly GroupVerdict[]): ReadonlySet<string> {
  return new Set(
    verdicts
      .flatMap(({ feeds }) => feeds)
      .filter((one) => one.failed)
      .map(({ feed }) => feed.id),
  );
}
