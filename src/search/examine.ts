import { Judge, type Trace } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import type { Feed } from '../feed/feed.ts';
import { illegalFeeds } from '../oracle/duckdb/legality.ts';
import type { Implementation, ImplementationFailure } from '../plugins/implementation.ts';
import { findRoots } from '../runner/roots.ts';
import { runFeed } from '../runner/session.ts';

/** What came of one feed. */
export interface Examined {
  readonly feed: Feed;
  readonly trace: Trace | null;
  /** The checks that lead, over all keys of the feed; empty where all is right. */
  readonly roots: readonly string[];
  /** The earliest batch at which one of them fails. */
  readonly step: number;
  /** The contract does not allow this feed. */
  readonly illegal: boolean;
  readonly failure: ImplementationFailure | null;
}

/** Runs small feeds, each in a session of its own, and judges all of them in one go: judging costs the same for one as for thirty. */
export class Examiner {
  readonly #implementation: Implementation;
  readonly #contract: Contract;
  readonly #checks: readonly string[] | null;

  constructor(implementation: Implementation, contract: Contract, checks: readonly string[] | null) {
    this.#implementation = implementation;
    this.#contract = contract;
    this.#checks = checks;
  }

  async examine(feeds: readonly Feed[]): Promise<readonly Examined[]> {
    const traces: Trace[] = [];
    const failed = new Map<Feed, ImplementationFailure>();
    for (const feed of feeds) {
      const outcome = await runFeed(this.#implementation, this.#contract, feed);
      if ('trace' in outcome) traces.push(outcome.trace);
      else failed.set(feed, outcome.failed.failure);
    }
    const judged = traces.length === 0 ? new Map<Trace, Verdict>() : await this.#judge(traces);
    return feeds.map((feed) => {
      const trace = traces.find((one) => one.feed === feed) ?? null;
      const verdict = trace === null ? undefined : judged.get(trace);
      return {
        feed,
        trace,
        roots: [],
        step: -1,
        illegal: false,
        ...verdict,
        failure: failed.get(feed) ?? null,
      };
    });
  }

  async #judge(traces: readonly Trace[]): Promise<ReadonlyMap<Trace, Verdict>> {
    const judge = await Judge.open(this.#contract, traces);
    try {
      const roots = findRoots(await judge.judge(this.#contract, { checks: this.#checks, join: null }));
      const illegal = await illegalFeeds(judge.db, this.#contract);
      return new Map(
        traces.map((trace, index) => {
          const own = roots.filter(({ violation }) => violation.feed === index);
          return [
            trace,
            {
              roots: [...new Set(own.map(({ violation }) => violation.check))],
              step: Math.min(...own.map(({ violation }) => violation.step)),
              illegal: illegal.has(index),
            },
          ];
        }),
      );
    } finally {
      judge.close();
    }
  }
}

type Verdict = Pick<Examined, 'roots' | 'step' | 'illegal'>;
