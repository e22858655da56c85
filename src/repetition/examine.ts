import { Judge, type Trace } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import type { FeedBatch } from '../feed/feed.ts';
import type { Implementation } from '../plugins/implementation.ts';
import { withClock } from '../plugins/set-clock.ts';
import { busyTime } from '../runner/busy.ts';
import { type FeedFailure, runFeed } from '../runner/session.ts';
import type { Deliveries, Repetition } from './deliveries.ts';
import { type Examined, findDifferences } from './differences.ts';
import { withHandovers } from './handed-over.ts';

/** Thrown where repetitions end before they are done: time is up, or the implementation gave no usable answer. */
export class RepetitionEnded extends Error {
  override readonly name = 'RepetitionEnded';
  readonly failure: FeedFailure | null;

  constructor(failure: FeedFailure | null) {
    super('The repetitions ended early.');
    this.failure = failure;
  }
}

/** Runs repetitions, each of their runs in a session of its own, and compares all of them in one go. */
export class Repeater {
  readonly #implementation: Implementation;
  readonly #contract: Contract;
  readonly #stop: () => boolean;
  readonly #busyBefore: number;
  #batches = 0;

  constructor(implementation: Implementation, contract: Contract, stop: () => boolean) {
    this.#implementation = implementation;
    this.#contract = contract;
    this.#stop = stop;
    this.#busyBefore = busyTime(implementation).ms;
  }

  get msPerBatch(): number {
    return (busyTime(this.#implementation).ms - this.#busyBefore) / Math.max(1, this.#batches);
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
    if (runs.length === 0) return [];
    const traces: Trace[] = [];
    for (const [index, run] of runs.entries()) {
      traces.push(await this.#perform(run, `repetition/${index + 1}`));
      progress(index + 1, runs.length);
    }
    const judge = await Judge.open(this.#contract, traces);
    try {
      // No check of a single run: what the relations say is enough.
      await judge.judge(this.#contract, { checks: [], join: null });
      return await findDifferences(judge, this.#contract, runs, repetitions);
    } finally {
      judge.close();
    }
  }

  /**
   * How many points there are at which a load can be broken off. Loads a batch, because a session may begin with one.
   * @throws RepetitionEnded
   */
  async points(batch: FeedBatch): Promise<number> {
    let points = 0;
    const feed = { id: 'repetition/points', batches: [batch] };
    const outcome = await runFeed(this.#implementation, this.#contract, feed, async (session, first) => {
      const beyond = await session.interrupt?.(first, Number.MAX_SAFE_INTEGER);
      points = beyond?.points ?? 0;
    });
    if ('failed' in outcome) throw new RepetitionEnded(outcome.failed);
    return points;
  }

  async #perform(run: Deliveries, id: string): Promise<Trace> {
    if (this.#stop()) throw new RepetitionEnded(null);
    const feed = { id, batches: run.map(({ batch }) => batch) };
    const clock = run[0]?.clock;
    const handovers = run.flatMap(({ isHandedOver }, at) => (isHandedOver === true && at > 0 ? [at] : []));
    const own = clock === undefined ? this.#implementation : withClock(this.#implementation, clock);
    const implementation = handovers.length === 0 ? own : withHandovers(own, new Set(handovers));
    const outcome = await runFeed(implementation, this.#contract, feed, async (session, batch) => {
      const { breakAt } = run[batch.index]!;
      if (breakAt !== undefined) await session.interrupt?.(batch, breakAt);
    });
    if (this.#stop()) throw new RepetitionEnded(null);
    if ('failed' in outcome) throw new RepetitionEnded(outcome.failed);
    this.#batches += outcome.trace.steps.length;
    return outcome.trace;
  }
}
