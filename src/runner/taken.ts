import { type Contract, type Decision, FOLDINGS, OPTIONS } from '../contract/contract.ts';

/** The contract with the decisions that were found in several groups of feeds. Of those of one field, the one found most often; of grains, the coarsest. */
export function contractWith(contract: Contract, found: readonly (readonly Decision[])[]): Contract {
  const counts = new Map<string, { decision: Decision; count: number }>();
  for (const decision of found.flat()) {
    const name = `${decision.field} ${decision.option}`;
    counts.set(name, { decision, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  const coarseness = ({ field, option }: Decision) =>
    field === 'grain' ? (OPTIONS.grain.options as readonly string[]).indexOf(option) : 0;
  const ordered = [...counts.values()].sort(
    (a, b) => coarseness(a.decision) - coarseness(b.decision) || a.count - b.count,
  );
  return ordered.reduce((current, { decision }) => withDecision(current, decision), contract);
}

function withDecision(contract: Contract, { field, option }: Decision): Contract {
  if (field !== 'compare' && field !== 'keyCompare') return { ...contract, [field]: option };
  return {
    ...contract,
    [field]: FOLDINGS.filter((folding) => folding === option || contract[field].includes(folding)),
  };
}
