import type { Contract } from '../src/contract/contract.ts';
import { declareContract } from '../src/contract/declare.ts';
import type { Feed } from '../src/feed/feed.ts';
import { randomFeed } from '../src/feed/random.ts';
import { openImplementation } from '../src/plugins/open.ts';
import { type PartResult, runPart } from '../src/runner/packed-part.ts';
import { randomSizes } from '../src/runner/packed-run.ts';
import { keysOf, project } from '../src/search/project.ts';

/** One row of the tables: what was run, and what it took. */
export interface Measured {
  readonly name: string;
  readonly histories: number;
  readonly result: PartResult;
  /** Resident memory of this process after it, in MiB. */
  readonly memoryMiB: number;
}

/** Runs feeds against an implementation that is opened for this alone. */
export async function measure(
  name: string,
  path: string,
  feeds: (contract: Contract) => Iterable<Feed>,
): Promise<Measured> {
  const implementation = await openImplementation(path);
  try {
    const { contract } = declareContract([implementation.declared]);
    const result = await runPart(feeds(contract), {
      implementation,
      contract,
      checks: null,
      stop: () => false,
      progress: () => undefined,
    });
    return {
      name,
      histories: result.histories,
      result,
      memoryMiB: Math.round(process.memoryUsage.rss() / 2 ** 20),
    };
  } finally {
    await implementation.close();
  }
}

/** The random feeds of a run of so many histories. */
export function* randomFeeds(contract: Contract, histories: number, seed = 1): Generator<Feed> {
  for (const [index, keys] of randomSizes(histories).entries())
    yield randomFeed(contract, { seed, index, keys });
}

/** The first histories of a packed feed, each in a feed of its own. */
export function* oneAtATime(contract: Contract, histories: number): Generator<Feed> {
  const feed = randomFeed(contract, { seed: 1, index: 3, keys: histories });
  for (const key of keysOf(feed, contract).slice(0, histories)) yield project(feed, contract, new Set([key]));
}
