import { CHECKS } from '../checks/index.ts';
import type { CheckTally, Violation } from '../checks/judge.ts';

/** A violation that does not follow from another one of its key, and the checks that follow from it. */
export interface Root {
  readonly violation: Violation;
  /** Checks that fail for the same key and follow from this one, in the order of reports. */
  readonly implies: readonly string[];
}

/**
 * Leads with what went wrong and folds what follows. For each key of each feed: of the checks that fail, those that no other failing one
 * implies are the roots; of several, those that fail first. A violation that concerns no single key counts for all keys of its feed.
 */
export function findRoots(tallies: readonly CheckTally[]): readonly Root[] {
  const byFeed = new Map<number, Violation[]>();
  for (const violation of tallies.flatMap(({ violations }) => violations)) {
    byFeed.set(violation.feed, [...(byFeed.get(violation.feed) ?? []), violation]);
  }
  return [...byFeed.values()].flatMap(rootsOfFeed);
}

function rootsOfFeed(violations: readonly Violation[]): readonly Root[] {
  const keys = new Set(violations.map(({ key }) => key));
  if (keys.size > 1) keys.delete(null);
  const roots = [...keys].flatMap((key) =>
    rootsOfKey(violations.filter((one) => one.key === key || one.key === null)),
  );
  // What concerns the whole feed is found once, not once for each of its keys.
  const seen = new Set<Violation>();
  return roots.filter(({ violation }) => !seen.has(violation) && seen.add(violation));
}

const AS_OF = new Set(CHECKS.filter(({ group }) => group === 'as-of').map(({ id }) => id));

function rootsOfKey(violations: readonly Violation[]): readonly Root[] {
  const first = new Map<string, Violation>();
  for (const violation of violations) {
    const known = first.get(violation.check);
    if (known === undefined || violation.step < known.step) first.set(violation.check, violation);
  }
  const failing = [...first.keys()];
  const candidates = failing.filter((check) => !failing.some((other) => consequences(other).has(check)));
  const earliest = Math.min(...candidates.map((check) => first.get(check)!.step));
  // Where the dimension is right and only the join over it is not, each way in which it fails is worth its own finding.
  const onlyJoin = candidates.every((check) => AS_OF.has(check));
  const roots = candidates.filter((check) => onlyJoin || first.get(check)!.step === earliest);
  return roots.map((check) => ({
    violation: first.get(check)!,
    implies: CHECKS.map(({ id }) => id).filter((id) => failing.includes(id) && !roots.includes(id)),
  }));
}

const closures = new Map<string, ReadonlySet<string>>();

/** Everything that a check implies, directly or through others. */
export function consequences(check: string): ReadonlySet<string> {
  const known = closures.get(check);
  if (known !== undefined) return known;
  const all = new Set<string>();
  const waiting = [...(CHECKS.find(({ id }) => id === check)?.implies ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (all.has(next)) continue;
    all.add(next);
    waiting.push(...(CHECKS.find(({ id }) => id === next)?.implies ?? []));
  }
  closures.set(check, all);
  return all;
}
