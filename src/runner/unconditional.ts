import type { Trace } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import type { Problem } from './report.ts';

/**
 * Tells an error that depends on the data from one that does not.
 *
 * An implementation that raises on a legal batch violates `accepts-legal-input` if others of its feeds got past the same batch. Where every
 * feed that came so far ended there, whatever it held, nothing can be said about the data: the implementation (or its surroundings) is
 * broken, and the run is inconclusive. A feed that was run alone counts as data-dependent from its second batch on; so does any of which
 * that is known already (`isCertain`).
 */
export function dropUnconditionalErrors(
  groups: readonly (readonly Trace[])[],
  contract: Contract,
  alone: boolean,
  isCertain: (feedId: string) => boolean = () => false,
): { readonly kept: readonly (readonly Trace[])[]; readonly problem: Problem | null } {
  const traces = groups.flat();
  const refuses = [
    contract.late,
    contract.sameInstant,
    contract.duplicates,
    contract.nullKey,
    contract.emptySnapshot,
  ].includes('reject');
  const reached = Math.max(
    -1,
    ...traces.map(({ steps }) => steps.findLastIndex(({ outcome }) => outcome.status === 'applied')),
  );
  const isUnconditional = ({ feed, steps }: Trace) => {
    if (isCertain(feed.id)) return false;
    const last = steps.at(-1);
    if (refuses || last?.outcome.status !== 'errored') return false;
    return alone ? steps.length === 1 : reached < steps.length - 1;
  };
  const bad = traces.filter(isUnconditional);
  if (bad.length === 0) return { kept: groups, problem: null };
  const { steps, feed } = bad[0]!;
  const outcome = steps.at(-1)!.outcome;
  const reason = outcome.status === 'applied' ? '' : outcome.reason;
  return {
    kept: groups.map((group) =>
      group.map((trace) => (isUnconditional(trace) ? { ...trace, steps: trace.steps.slice(0, -1) } : trace)),
    ),
    problem: {
      kind: 'errored',
      message: `The implementation raised an error on batch ${steps.length} of every feed that has one, whatever the batch held, so later batches could not be judged. The error: ${reason}`,
      feed: feed.id,
    },
  };
}
