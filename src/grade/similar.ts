import type { Graded, SimilarFailure } from './gradebook.ts';

/** Failures that more than one submission has, the most frequent first: what is worth a word in the lecture. */
export function similarFailures(submissions: readonly Graded[]): readonly SimilarFailure[] {
  const groups = new Map<
    string,
    { readonly failure: Omit<SimilarFailure, 'submissions'>; readonly ids: Set<string> }
  >();
  const of = submissions.filter(({ status }) => status === 'graded').length;
  for (const { id, items, findings } of submissions) {
    for (const unit of items.flatMap(({ units }) => units)) {
      if (unit.status !== 'failed' || unit.check === null) continue;
      const decision = findings.find((one) => one.id === unit.findings[0])?.decision ?? null;
      const words = decision === null ? null : `${decision.field}: ${decision.option}`;
      const key = JSON.stringify([unit.id, unit.check, words]);
      const failure = { unit: unit.id, title: unit.title, check: unit.check, decision: words, of };
      const group = groups.get(key) ?? { failure, ids: new Set() };
      groups.set(key, group);
      group.ids.add(id);
    }
  }
  return [...groups]
    .filter(([, { ids }]) => ids.size > 1)
    .sort(([a, one], [b, other]) => other.ids.size - one.ids.size || (a < b ? -1 : 1))
    .map(([, { failure, ids }]) => ({ ...failure, submissions: [...ids] }));
}
