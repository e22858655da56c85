import { CASES } from '../../cases/index.ts';
import { CHECK_IDS } from '../checks/index.ts';
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

const CASE_ORDER = new Map(CASES.map(({ id }, index) => [id, index]));

/** Roots first, then the smallest feeds, then the order of the cases. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const rank = ({ check, counterexample, case: id }: Finding) => [
    ROOT_ORDER.indexOf(check),
    counterexample.batches.length,
    id === undefined ? 0 : (CASE_ORDER.get(id) ?? 0),
  ];
  const ranked = findings.map((finding) => ({ finding, rank: rank(finding) }));
  ranked.sort((a, b) => a.rank[0]! - b.rank[0]! || a.rank[1]! - b.rank[1]! || a.rank[2]! - b.rank[2]!);
  return ranked.map(({ finding }) => finding);
}
