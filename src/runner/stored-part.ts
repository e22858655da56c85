import { feedUnder } from '../../cases/project.ts';
import type { Contract } from '../contract/contract.ts';
import type { Feed } from '../feed/feed.ts';
import type { StoredFailure } from '../search/store.ts';
import type { FeedVerdict, GroupVerdict } from './judge-group.ts';
import type { Finding, StoredResult } from './report.ts';

/** A counterexample of an earlier run, with its feed under the contract of this one, or why there is none. */
export type PlannedFailure = { readonly failure: StoredFailure } & (
  | { readonly feed: Feed }
  | { readonly skip: string }
);

export const ILLEGAL = 'The contract does not allow its feed.';

export function planStored(contract: Contract, failures: readonly StoredFailure[]): PlannedFailure[] {
  return failures.map((failure) => ({
    failure,
    ...feedUnder(contract, failure.feed, `stored/${failure.id}`),
  }));
}

/** What came of each. Those that the run did not come to are left out. */
export function storedResults(
  planned: readonly PlannedFailure[],
  verdicts: readonly GroupVerdict[],
): StoredResult[] {
  const judged = new Map(verdicts.flatMap(({ feeds }) => feeds).map((one) => [one.feed.id, one]));
  return planned.flatMap((one) => {
    const { id, check } = one.failure;
    if ('skip' in one)
      return [{ id, check, outcome: 'cannot-replay' as const, reason: one.skip, findings: [] }];
    const verdict = judged.get(one.feed.id);
    return verdict === undefined ? [] : [{ id, check, ...outcomeOf(verdict, one.feed) }];
  });
}

function outcomeOf(
  { illegal, failed, steps, findings }: FeedVerdict,
  feed: Feed,
): Pick<StoredResult, 'outcome' | 'reason' | 'findings'> {
  if (illegal) return { outcome: 'cannot-replay', reason: ILLEGAL, findings: [] };
  if (failed) return { outcome: 'fails', findings };
  if (steps === feed.batches.length) return { outcome: 'fixed', findings: [] };
  const reason = `The implementation raises an error on batch ${steps + 1}, whatever it holds.`;
  return { outcome: 'cannot-replay', reason, findings: [] };
}

/** A finding that is kept: any but those that a case shows again, or a check by repetition, which is more than one feed. */
export function isKept({ feed }: Finding): boolean {
  return !/^(case|project|stored|repetition)\//.test(feed);
}
