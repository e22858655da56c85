import { Judge, type Trace } from '../checks/judge.ts';
import type { Cell } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Feed } from '../feed/feed.ts';
import { illegalFeeds } from '../oracle/duckdb/legality.ts';
import type { Implementation } from '../plugins/implementation.ts';
import { type KeyEvidence, readTwoSides } from '../runner/evidence-rows.ts';
import { type FeedFailure, runFeed } from '../runner/session.ts';
import { keyNames } from '../search/pack.ts';
import { comparePairs } from './compare.ts';
import type { Deliveries, Moment, Pair, Repetition } from './deliveries.ts';

/** What came of a repetition. */
export interface Examined {
  readonly repetition: Repetition;
  /** How many keys were compared, over all pairs. */
  readonly exercised: number;
  /** Of each key that differs somewhere the first pair, in the order of pairs; a key is named as the contract compares it. */
  readonly differences: readonly Difference[];
  /** The contract does not allow one of its runs. */
  readonly illegal: boolean;
}

export interface Difference {
  readonly pair: Pair;
  /** Null where a run ended early, or the key is one that nobody delivered. */
  readonly key: string | null;
  readonly found: Readonly<Record<string, Cell>>;
  /** The rows of the first key of a repetition. */
  readonly evidence: KeyEvidence | null;
}

/** Thrown where repetitions end before they are done: time is up, or the implementation gave no usable answer. */
export class RepetitionEnded extends Error {
  override readonly name = 'RepetitionEnded';
  readonly failure: FeedFailure | null;

  constructor(failure: FeedFailure | null) {
    super('The repetitions ended early.');
    this.failure = failure;
  }
}

/** Runs repetitions, each run in a session of its own, and compares in one go. */
export class Repeater {
  readonly #implementation: Implementation;
  readonly #contract: Contract;
  readonly #stop: () => boolean;
  #implementationMs = 0;

  constructor(implementation: Implementation, contract: Contract, stop: () => boolean) {
    this.#implementation = implementation;
    this.#contract = contract;
    this.#stop = stop;
  }

  get implementationMs(): number {
    return this.#implementationMs;
  }

  /**
   * Where repetitions share a run (the same list), it is run once.
   * @throws RepetitionEnded
   */
  async examine(
    repetitions: readonly Repetition[],
    progress: (done: number, total: number) => void = () => undefined,
  ): Promise<readonly Examined[]> {
    const runs = [...new Set(repetitions.flatMap((one) => one.runs))];
    const traces: Trace[] = [];
    for (const [index, run] of runs.entries()) {
      traces.push(await this.#perform(run, `repetition/${index}`));
      progress(index + 1, runs.length);
    }
    if (traces.length === 0) return [];
    const judge = await Judge.open(this.#contract, traces);
    try {
      await judge.judge(this.#contract, { checks: [], join: null });
      return await this.#compare(judge, repetitions, runs);
    } finally {
      judge.close();
    }
  }

  /** How many points there are at which a load can be broken off. Loads a first batch to find out. */
  async points(batch: Feed['batches'][number]): Promise<number> {
    let points = 0;
    const outcome = await runFeed(
      this.#implementation,
      this.#contract,
      { id: 'repetition/points', batches: [batch] },
      async (session, first) => {
        points = (await session.interrupt?.(first, Number.MAX_SAFE_INTEGER))?.points ?? 0;
      },
    );
    if ('failed' in outcome) throw new RepetitionEnded(outcome.failed);
    return points;
  }

  async #perform(run: Deliveries, id: string): Promise<Trace> {
    if (this.#stop()) throw new RepetitionEnded(null);
    const feed = { id, batches: run.map(({ batch }) => batch) };
    const outcome = await runFeed(this.#implementation, this.#contract, feed, async (session, batch) => {
      const { breakAt } = run[batch.index]!;
      if (breakAt !== undefined) await session.interrupt?.(batch, breakAt);
    });
    if (this.#stop()) throw new RepetitionEnded(null);
    if ('failed' in outcome) throw new RepetitionEnded(outcome.failed);
    this.#implementationMs += outcome.trace.steps.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
    return outcome.trace;
  }

  async #compare(
    judge: Judge,
    repetitions: readonly Repetition[],
    runs: readonly Deliveries[],
  ): Promise<readonly Examined[]> {
    const illegal = await illegalFeeds(judge.db, this.#contract);
    const placed = repetitions.flatMap((repetition) =>
      repetition.pairs.map((pair) => {
        const at = ({ run, step }: Moment) => ({ feed: runs.indexOf(repetition.runs[run]!), step });
        return { repetition, pair, expected: at(pair.expected), actual: at(pair.actual) };
      }),
    );
    const legal = placed.filter(({ expected, actual }) => !illegal.has(expected.feed) && !illegal.has(actual.feed));
    const reached = ({ feed, step }: { feed: number; step: number }) => judge.traces[feed]!.steps.length > step;
    const whole = legal.filter(({ expected, actual }) => reached(expected) && reached(actual));
    const compared = await comparePairs(judge, whole);
    const differs = compared.some(({ differing }) => differing.length > 0);
    const names = differs ? await keyNames(judge, this.#contract) : new Map<number, string>();
    const examined: Examined[] = [];
    for (const repetition of repetitions) {
      const byKey = new Map<number, { at: number; key: number }>();
      for (const [at, { differing }] of compared.entries()) {
        if (whole[at]!.repetition !== repetition) continue;
        for (const key of differing) if (!byKey.has(key)) byKey.set(key, { at, key });
      }
      const ended = legal.find(
        (one) => one.repetition === repetition && reached(one.expected) && !reached(one.actual),
      );
      // Keys are numbered anew each time; by their names the first one is always the same.
      const first = [...byKey.values()].sort(
        (a, b) => a.at - b.at || compareTexts(names.get(a.key) ?? '', names.get(b.key) ?? ''),
      );
      const differences: Difference[] = [];
      for (const [index, { at, key }] of first.entries()) {
        const { pair, expected, actual } = whole[at]!;
        const evidence =
          index > 0 ? null : await readTwoSides(judge, this.#contract, { ...expected, key }, { ...actual, key });
        differences.push({ pair, key: names.get(key) ?? null, found: pair.found, evidence });
      }
      if (ended !== undefined) {
        const outcome = judge.traces[ended.actual.feed]!.steps.at(-1)!.outcome;
        const reason = outcome.status === 'applied' ? 'it gave no dimension' : outcome.reason;
        differences.push({ pair: ended.pair, key: null, found: { ...ended.pair.found, reason }, evidence: null });
      }
      examined.push({
        repetition,
        exercised: compared.reduce(
          (sum, { exercised }, at) => sum + (whole[at]!.repetition === repetition ? exercised : 0),
          0,
        ),
        differences,
        illegal: placed.some((one) => one.repetition === repetition && !legal.includes(one)),
      });
    }
    return examined;
  }
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
