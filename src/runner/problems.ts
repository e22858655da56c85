import type { Contract } from '../contract/contract.ts';
import type { SituationCounts } from '../feed/coverage.ts';
import { situations } from '../feed/situations.ts';
import type { Instability } from '../search/find.ts';
import type { CheckResult, Problem } from './report.ts';
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
