import { coveringFeed } from '../../src/feed/covering.ts';
import { batchFeeds } from '../../src/feed/random.ts';
import { runPart } from '../../src/runner/packed-part.ts';
import { randomFeeds } from '../../src/runner/packed-run.ts';
import { Examiner } from '../../src/search/examine.ts';
import { findDefects } from '../../src/search/find.ts';
import { STRICT } from './contracts.ts';
import type { RulesMutant } from './mutant.ts';
import { openMutant } from './open.ts';

/*
 * Two defects in one implementation: whatever is deleted stays open, which thousands of histories show; and texts of over 255 characters
 * count as equal if they begin alike, which few do. Plain shrinking would slide from the second into the first.
 */
export const TWO_DEFECTS: RulesMutant = {
  id: 'two-defects',
  title: 'Deleted keys stay open, and only the first 255 characters are compared',
  source: ['DEL-06', 'HSH-07'],
  contract: STRICT,
  leads: 'open-count',
  change: {
    take: (load) => ({ ...load, isWhole: false }),
    stateOf: (row) => JSON.stringify(String(row['customer_segment']).slice(0, 255)),
  },
};

/** The check by which each of the two is known. */
export const BOTH = ['open-count', 'version-count'] as const;

/** Which checks lead findings at a seed, without the small scope, where the rare one cannot be seen. */
export async function findBoth(seed: number, histories: number): Promise<readonly string[]> {
  const { implementation, contract } = await openMutant(TWO_DEFECTS);
  function* feeds() {
    yield coveringFeed(contract);
    yield* batchFeeds(contract, seed);
    yield* randomFeeds(contract, { seed, histories });
  }
  const { failing } = await runPart(feeds(), {
    implementation,
    contract,
  });
  const examiner = new Examiner(implementation, contract, null);
  const limits = { maxFailures: 5, deadline: Number.POSITIVE_INFINITY };
  const { defects } = await findDefects(examiner, contract, failing, [], limits);
  return defects.map(({ check }) => check);
}
