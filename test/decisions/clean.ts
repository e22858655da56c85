import { type DeclaredContract, declareContract } from '../../src/contract/declare.ts';
import { coveringFeed } from '../../src/feed/covering.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { batchFeeds, randomFeed } from '../../src/feed/random.ts';
import { scopeFeeds } from '../../src/feed/scope.ts';
import { runPart } from '../../src/runner/packed-part.ts';
import { keysOf } from '../../src/search/project.ts';
import { linesOf } from '../mutants/open.ts';
import { deciding } from './implementation.ts';
import type { OneOption } from './options.ts';

export interface Cleanliness {
  readonly histories: number;
  readonly forgiven: number;
  /** The first check that fails, and where; null where none does. */
  readonly finding: string | null;
}

/** The contract that an implementation of one option holds. */
export function ownContract({ decisions, roles }: OneOption): DeclaredContract {
  return declareContract([[...linesOf(roles), ...linesOf(decisions)]]);
}

/** Runs it under its own contract: every history of up to `scope` batches, the covering feed, and at least so many random histories. */
export async function cleanUnderOwn(one: OneOption, scope: number, wanted: number): Promise<Cleanliness> {
  const { contract } = ownContract(one);
  let histories = 0;
  function* feeds(): Generator<Feed> {
    yield* scopeFeeds(contract, scope);
    yield coveringFeed(contract);
    yield* batchFeeds(contract, 1);
    // A feed holds fewer where the key columns have room for fewer, so this counts what came.
    for (let index = 0; histories < wanted; index++) {
      const feed = randomFeed(contract, { seed: 1, index, keys: Math.min(2000, wanted) });
      histories += keysOf(feed, contract).length;
      yield feed;
    }
  }
  const part = await runPart(feeds(), {
    implementation: deciding(one),
    contract,
  });
  const [first] = part.failing;
  const finding =
    part.failure !== null
      ? part.failure.failure.message
      : first === undefined
        ? null
        : `${first.check} for ${first.key} at batch ${first.step + 1} of ${first.feed.id}`;
  return { histories: part.histories, forgiven: part.forgiven, finding };
}
