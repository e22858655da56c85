import type { Contract } from '../contract/contract.ts';
import type { Feed } from '../feed/feed.ts';
import type { Implementation } from '../plugins/implementation.ts';
import { type FeedRun, runFeed, runOnce } from './session.ts';

/** A feed, and the contract that it is run under. */
export interface Errand {
  readonly feed: Feed;
  readonly contract: Contract;
}

/**
 * Runs feeds and gives their outcomes in order. Where an implementation keeps its sessions apart (`concurrency`), the next feeds run already
 * while one is waited for: on two cores that nearly halves the time.
 *
 * A process that is stopped takes all sessions in it along, so what fails beside others says nothing yet: it is run again when nothing
 * else runs, with the one repetition that every feed has.
 */
export async function* runAhead<E extends Errand>(
  implementation: Implementation,
  errands: Iterable<E>,
): AsyncGenerator<{ readonly errand: E; readonly outcome: FeedRun }, void> {
  const width = implementation.concurrency ?? 1;
  const running: { readonly errand: E; readonly attempt: Promise<FeedRun> }[] = [];
  const iterator = errands[Symbol.iterator]();
  const fill = () => {
    while (running.length < width) {
      const next = iterator.next();
      if (next.done === true) return;
      const { feed, contract } = next.value;
      const attempt =
        width === 1 ? runFeed(implementation, contract, feed) : runOnce(implementation, contract, feed, null);
      // What is thrown is thrown where it is waited for.
      attempt.catch(() => undefined);
      running.push({ errand: next.value, attempt });
    }
  };
  for (fill(); running.length > 0; fill()) {
    const { errand, attempt } = running.shift()!;
    let outcome = await attempt;
    if ('failed' in outcome && width > 1) {
      await Promise.allSettled(running.map((one) => one.attempt));
      outcome = await runFeed(implementation, errand.contract, errand.feed);
    }
    yield { errand, outcome };
  }
}
