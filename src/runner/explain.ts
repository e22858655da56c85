import type { Judge } from '../checks/judge.ts';
import type { Contract, Decision } from '../contract/contract.ts';
import { Agreement } from './agreement.ts';
import { type Candidate, candidates } from './candidates.ts';

/**
 * Finds the decisions that would explain what failed: options that the implementation follows wherever they make a difference, and under
 * which failing feeds are right.
 *
 * An implementation may differ in several decisions at once, so this is a greedy search: the option under which most of what is left agrees
 * is taken, and the search goes on from there. Then each option that was taken has to stand: on every feed where it changes the right answer
 * the implementation must agree with it, or it is no decision but a coincidence. `never` explains nothing: that the source does not send
 * something says nothing about what the implementation does with it. What no option explains is a defect under every contract that was tried.
 *
 * This asks the TypeScript oracle, which answers for a small feed in a fraction of a millisecond; that it says what the DuckDB one says
 * is proved elsewhere (test/verify/oracle-equality.ts).
 *
 * @param roots the leading check of each failing feed
 * @returns for each feed that is explained, the decision; and the contract with all decisions that stand
 */
export async function explainFailures(
  judge: Judge,
  contract: Contract,
  roots: ReadonlyMap<number, string>,
  deadline: number,
): Promise<Explained> {
  const failing = new Set(roots.keys());
  const agreement = await Agreement.load(judge, contract);
  // A feed that agrees in content fails for a reason that no decision touches, such as a flag.
  for (const feed of failing) if (agreement.agrees(contract, feed)) failing.delete(feed);
  const taken = search(agreement, contract, failing, await candidates(judge, contract), deadline);
  const kept = standing(agreement, contract, taken, roots);
  return {
    decisions: attribute(agreement, contract, failing, kept),
    contract: applyAll(contract, kept),
    taken: kept.map(({ decision }) => decision),
  };
}

export interface Explained {
  readonly decisions: ReadonlyMap<number, Decision>;
  readonly contract: Contract;
  /** All that stand, the one that explains most first. */
  readonly taken: readonly Decision[];
}

function search(
  agreement: Agreement,
  contract: Contract,
  failing: ReadonlySet<number>,
  all: readonly (readonly Candidate[])[],
  deadline: number,
): readonly Candidate[] {
  const taken: Candidate[] = [];
  let current = contract;
  let left = [...failing];
  while (left.length > 0) {
    let best: { unit: readonly Candidate[]; left: number[] } | null = null;
    for (const unit of all) {
      if (performance.now() > deadline) return taken;
      if (unit.some((candidate) => isTaken(candidate, taken))) continue;
      const next = applyAll(current, unit);
      const still = left.filter((feed) => !agreement.agrees(next, feed));
      if (still.length >= (best?.left ?? left).length) continue;
      if (
        agreement.feeds.some(
          (feed) => !left.includes(feed) && agreement.agrees(current, feed) && !agreement.agrees(next, feed),
        )
      )
        continue;
      best = { unit, left: still };
    }
    if (best === null) break;
    taken.push(...best.unit);
    current = applyAll(current, best.unit);
    left = best.left;
  }
  return taken;
}

/** One option of a field is enough. */
function isTaken({ decision }: Candidate, taken: readonly Candidate[]): boolean {
  return taken.some((other) => other.decision.field === decision.field);
}

/** The options of those taken that the implementation follows wherever they make a difference. */
function standing(
  agreement: Agreement,
  contract: Contract,
  taken: readonly Candidate[],
  roots: ReadonlyMap<number, string>,
): readonly Candidate[] {
  let kept = [...taken];
  for (let changed = true; changed; ) {
    const whole = applyAll(contract, kept);
    const fallen = kept.find((candidate) => {
      const without = applyAll(
        contract,
        kept.filter((other) => other !== candidate),
      );
      const touched = agreement.feeds.filter((feed) => agreement.differs(whole, without, feed));
      if (candidate.decision.field === 'lateEvidence') return !isLateApplied(agreement, whole, touched);
      const against = touched.filter((feed) => !agreement.agrees(whole, feed)).length;
      if (against > 0) return true;
      // A value that was lost looks like a folding of values on the one feed that has such a pair.
      if (candidate.decision.field !== 'compare' && candidate.decision.field !== 'keyCompare') return false;
      const checks = new Set(touched.map((feed) => roots.get(feed)));
      return [...roots].some(([feed, check]) => checks.has(check) && !agreement.agrees(whole, feed));
    });
    changed = fallen !== undefined;
    kept = kept.filter((candidate) => candidate !== fallen);
  }
  return kept;
}

/**
 * Evidence is only lost to an implementation that applies late data. Another defect may show in the same feeds, so this asks of most of
 * those that are late, and not of all.
 */
function isLateApplied(agreement: Agreement, contract: Contract, touched: readonly number[]): boolean {
  const late = agreement.feeds.filter((feed) => touched.includes(feed) || agreement.isLate(feed));
  return late.filter((feed) => agreement.agrees(contract, feed)).length * 2 > late.length;
}

function applyAll(contract: Contract, taken: readonly Candidate[]): Contract {
  return taken.reduce((current, candidate) => candidate.apply(current), contract);
}

/** Each feed that agrees under all of them gets an option without which it would not; of several, the one that is least often said so far. */
function attribute(
  agreement: Agreement,
  contract: Contract,
  failing: ReadonlySet<number>,
  kept: readonly Candidate[],
): ReadonlyMap<number, Decision> {
  const whole = applyAll(contract, kept);
  const without = (candidate: Candidate) =>
    applyAll(
      contract,
      kept.filter((other) => other !== candidate),
    );
  const explained = new Map<number, Decision>();
  const timesSaid = ({ decision }: Candidate) =>
    [...explained.values()].filter((said) => said === decision).length;
  for (const feed of failing) {
    if (!agreement.agrees(whole, feed)) continue;
    const needed = kept.filter((candidate) => !agreement.agrees(without(candidate), feed));
    const [least] = needed.sort((a, b) => timesSaid(a) - timesSaid(b));
    const decision = (least ?? kept[0])?.decision;
    if (decision !== undefined) explained.set(feed, decision);
  }
  return explained;
}
