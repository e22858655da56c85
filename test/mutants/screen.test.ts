import { afterAll, describe, expect, it } from 'vitest';
import { Judge, type JudgeOptions, type Trace } from '../../src/checks/judge.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { coveringFeed } from '../../src/feed/covering.ts';
import { batchFeeds, randomFeed } from '../../src/feed/random.ts';
import { scopeFeeds } from '../../src/feed/scope.ts';
import { runFeed } from '../../src/runner/session.ts';
import { keyNames } from '../../src/search/pack.ts';
import { MUTANTS } from './index.ts';
import { byContract, openMutant } from './open.ts';

const opened = await Promise.all(MUTANTS.map(openMutant));
const groups = byContract(opened);
afterAll(() => Promise.all(opened.map(({ implementation }) => implementation.close())));

/** Numbers of keys differ from one judgement to the next. */
async function found(judge: Judge, contract: Contract, options: JudgeOptions) {
  const tallies = await judge.judge(contract, options);
  const names = await keyNames(judge, contract);
  return tallies.map(({ violations, ...tally }) => ({
    ...tally,
    where: violations
      .map(
        ({ feed, step, key }) => `${feed} ${step} ${key === null ? 'all' : (names.get(key) ?? 'invented')}`,
      )
      .sort(),
  }));
}

describe('asking only suspects', () => {
  // What a mutant does wrong is found or missed alike, whichever keys the checks are put to.
  it.each(groups.map((group) => [group.map(({ mutant }) => mutant.id).join(', '), group] as const))(
    'finds what asking every key finds: %s',
    async (_, group) => {
      const { contract, join } = group[0]!;
      const feeds = [
        ...scopeFeeds(contract, 2),
        coveringFeed(contract),
        ...batchFeeds(contract, 1),
        randomFeed(contract, { seed: 5, index: 1, keys: 60 }),
      ];
      const traces: Trace[] = [];
      for (const { implementation } of group) {
        for (const feed of feeds) {
          const run = await runFeed(implementation, contract, feed);
          if ('trace' in run) traces.push(run.trace);
        }
      }
      const judge = await Judge.open(contract, traces);
      try {
        const every = await found(judge, contract, { checks: null, join, everyKey: true });
        const suspects = await found(judge, contract, { checks: null, join });
        expect(suspects).toEqual(every);
        expect(every.some(({ count }) => count > 0)).toBe(true);
      } finally {
        judge.close();
      }
    },
  );
});
