import { BOUNDARY_IDS, CASES } from '../../cases/index.ts';
import { CHECK_IDS, REPETITION_CHECKS } from '../checks/index.ts';
import type { Finding } from './report.ts';
import { consequences } from './roots.ts';

/** Checks from which most follows first: a defect often shows as its root in one feed and only as a consequence in another. */
const ROOT_ORDER: readonly string[] = CHECK_IDS.map((id, index) => ({
  id,
  index,
  above: CHECK_IDS.filter((other) => consequences(other).has(id)).length,
}))
  .sort((a, b) => a.above - b.above || a.index - b.index)
  .map(({ id }) => id);

const REPEATED: ReadonlySet<string> = new Set(REPETITION_CHECKS.map(({ id }) => id));

const CASE_ORDER = new Map(CASES.map(({ id }, index) => [id, index]));

/**
 * What fails in the boundary cases leads, roots first, because everybody knows those cases; then what failed in an earlier run and still
 * does; then what fails in most feeds, and last what only shows by repetition. Of one check, a boundary case comes first, then any other named case, and
 * then the smallest feed.
 */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const byCheck = new Map<string, Finding[]>();
  for (const finding of findings)
    byCheck.set(finding.check, [...(byCheck.get(finding.check) ?? []), finding]);
  const rank = (check: string, own: readonly Finding[]) => {
    // What is wrong in one run is wrong in two.
    if (REPEATED.has(check)) return [3, 0, ROOT_ORDER.indexOf(check)];
    const known = own.some(({ case: id }) => id !== undefined && BOUNDARY_IDS.includes(id));
    if (known) return [0, ROOT_ORDER.indexOf(check), 0];
    const again = own.some(({ feed }) => feed.startsWith('stored/'));
    return [again ? 1 : 2, -own.length, ROOT_ORDER.indexOf(check)];
  };
  return [...byCheck]
    .map(([check, own]) => ({ own, rank: rank(check, own) }))
    .sort((a, b) => compare(a.rank, b.rank))
    .flatMap(({ own }) => bestKnownFirst(own));
}

function bestKnownFirst(findings: readonly Finding[]): Finding[] {
  const rank = ({ counterexample, case: id }: Finding) => [
    id === undefined ? 2 : BOUNDARY_IDS.includes(id) ? 0 : 1,
    counterexample.batches.length,
    id === undefined ? 0 : (CASE_ORDER.get(id) ?? CASE_ORDER.size),
  ];
  return [...findings].sort((a, b) => compare(rank(a), rank(b)));
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}
