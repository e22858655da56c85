import type { Contract } from '../contract/contract.ts';
import type { SituationCounts } from '../feed/coverage.ts';
import { situations } from '../feed/situations.ts';
import type { Instability } from '../search/find.ts';
import type { CaseResult, CheckResult, Problem } from './report.ts';
import type { FeedFailure } from './session.ts';

/** Why a run could not judge, in sentences. */

export const INTERRUPTED: Problem = { kind: 'interrupted', message: 'Interrupted before all was run.' };

export function timeLimit(milliseconds: number): Problem {
  return {
    kind: 'time-limit',
    message: `The time limit of ${milliseconds / 1000} s was reached before all was run. Raise it with --time-limit, or run less.`,
  };
}

export function unstable({ feed, answers }: Instability): Problem {
  const seen = answers.map((roots) => roots.join(', ') || 'nothing wrong').join('; then ');
  return {
    kind: 'unstable',
    message: `The implementation answers differently to the same feed (${seen}), so what fails is not certain. Look for an order that SQL does not promise, a clock, or state that outlives a session.`,
    feed: feed.id,
  };
}

export function notReached(contract: Contract, counts: SituationCounts): Problem[] {
  const missed = situations(contract).filter(({ id, allowed }) => allowed && counts[id] === 0);
  if (missed.length === 0) return [];
  const words = missed.map(({ id, words }) => `${id} (${words})`).join(', ');
  return [
    {
      kind: 'not-reached',
      message: `No feed reached ${words}, which the contract allows. Run more histories: --histories.`,
    },
  ];
}

export function problemOf({ feed, batch, failure }: FeedFailure): Problem {
  const where = batch < 0 ? 'before the first batch' : `at batch ${batch + 1} of ${feed.batches.length}`;
  return {
    kind: failure.kind,
    message: `${failure.message} (${feed.id}, ${where}; the session was repeated once and failed alike, so the run ends here.)`,
    feed: feed.id,
    ...(failure.stderr === '' ? {} : { stderr: failure.stderr }),
  };
}

export function notExercised(checks: readonly CheckResult[]): Problem[] {
  const ids = checks.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
  if (ids.length === 0) return [];
  return [
    {
      kind: 'not-exercised',
      message: `No feed put ${ids.join(', ')} to the test, so a pass would mean nothing for ${ids.length === 1 ? 'it' : 'them'}.`,
    },
  ];
}

/** Of what was asked for by name: a run in which none of it applies has judged nothing. */
export function noneApplies(
  named: { readonly checks: readonly string[] | null; readonly cases: readonly string[] | null },
  checks: readonly CheckResult[],
  cases: readonly CaseResult[],
): Problem[] {
  const why = (kind: string, results: readonly (CheckResult | CaseResult)[]): Problem[] => {
    const skipped = results.filter(({ verdict }) => verdict === 'skipped');
    if (skipped.length === 0 || skipped.length < results.length) return [];
    const reasons = skipped
      .map(({ id, skipReason }) => `${id} (${skipReason?.replace(/\.$/, '')})`)
      .join(', ');
    return [{ kind: 'not-exercised', message: `No ${kind} that was asked for applies here: ${reasons}.` }];
  };
  return [
    ...(named.checks === null ? [] : why('check', checks)),
    ...(named.cases === null ? [] : why('case', cases)),
  ];
}
