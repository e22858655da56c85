import type { CheckTally, Trace } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import { addSituations, countSituations, noSituations, type SituationCounts } from '../feed/coverage.ts';
import type { Feed } from '../feed/feed.ts';
import type { Implementation } from '../plugins/implementation.ts';
import { type FailingHistory, judgePack } from '../search/pack.ts';
import { ballastOf, keysOf } from '../search/project.ts';
import { type Errand, runAhead } from './ahead.ts';
import { busyTime } from './busy.ts';
import type { FeedFailure } from './session.ts';

/** What a part of packed feeds (the scope, the covering feed, random feeds) came to. */
export interface PartResult {
  readonly histories: number;
  readonly batches: number;
  readonly feeds: number;
  readonly facts: number;
  readonly forgiven: number;
  readonly situations: SituationCounts;
  readonly tallies: readonly (readonly CheckTally[])[];
  readonly failing: readonly FailingHistory[];
  /** False where the part ended early. */
  readonly completed: boolean;
  readonly failure: FeedFailure | null;
  readonly timings: {
    readonly generateMs: number;
    readonly implementationMs: number;
    readonly judgeMs: number;
    readonly totalMs: number;
  };
}

export interface PartOptions {
  readonly implementation: Implementation;
  readonly contract: Contract;
  /** Ids; all where null. */
  readonly checks?: readonly string[] | null;
  /** True when the part should end: interrupted, or out of time. */
  readonly stop?: () => boolean;
  readonly progress?: (feeds: number, histories: number) => void;
}

/** Rows of dimensions that are judged in one go: some hundred megabytes at the most. */
const ROWS_AT_ONCE = 150_000;

/** Sends feeds one after another, and judges them in chunks that fit into memory. */
export async function runPart(feeds: Iterable<Feed>, options: PartOptions): Promise<PartResult> {
  const started = performance.now();
  const total = { histories: 0, batches: 0, feeds: 0, facts: 0, forgiven: 0 };
  const time = { generateMs: 0, judgeMs: 0 };
  const busy = busyTime(options.implementation);
  const busyBefore = busy.ms;
  let situations = noSituations();
  const tallies: (readonly CheckTally[])[] = [];
  const failing: FailingHistory[] = [];
  let waiting: Trace[] = [];
  let failure: FeedFailure | null = null;
  let completed = true;
  const ballast = ballastOf(options.contract);

  const judge = async () => {
    if (waiting.length === 0) return;
    const begun = performance.now();
    const verdict = await judgePack(options.contract, waiting, options.checks ?? null, null);
    time.judgeMs += performance.now() - begun;
    tallies.push(verdict.tallies);
    failing.push(...verdict.failing);
    total.forgiven += verdict.forgiven;
    total.facts += verdict.facts;
    waiting = [];
  };

  function* supply(): Generator<Errand> {
    const iterator = feeds[Symbol.iterator]();
    for (;;) {
      const begun = performance.now();
      const next = iterator.next();
      if (next.done === true) return;
      situations = addSituations(situations, countSituations(options.contract, next.value));
      time.generateMs += performance.now() - begun;
      if (options.stop?.()) {
        completed = false;
        return;
      }
      yield { feed: next.value, contract: options.contract };
    }
  }

  for await (const { errand, outcome } of runAhead(options.implementation, supply())) {
    if (options.stop?.()) {
      completed = false;
      break;
    }
    if ('failed' in outcome) {
      failure = outcome.failed;
      completed = false;
      break;
    }
    const histories = keysOf(errand.feed, options.contract).filter((key) => !ballast.has(key)).length;
    total.histories += histories;
    total.batches += outcome.trace.steps.length;
    total.feeds++;
    waiting.push(outcome.trace);
    options.progress?.(total.feeds, total.histories);
    const rows = waiting.reduce(
      (sum, { steps }) => sum + steps.reduce((count, { dimension }) => count + dimension.numRows, 0),
      0,
    );
    if (rows > ROWS_AT_ONCE) await judge();
  }
  await judge();
  return {
    ...total,
    situations,
    tallies,
    failing,
    completed,
    failure,
    timings: {
      ...time,
      implementationMs: busy.ms - busyBefore,
      totalMs: performance.now() - started,
    },
  };
}
