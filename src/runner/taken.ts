import { type Contract, type Decision, FOLDINGS, OPTIONS } from '../contract/contract.ts';
import type { Finding } from './report.ts';

/** The contract with the decisions that were found in several groups of feeds. Of those of one field, the one found most often; of grains, the finest. */
export function contractWith(contract: Contract, found: readonly (readonly Decision[])[]): Contract {
  const counts = new Map<string, { decision: Decision; count: number }>();
  for (const decision of found.flat()) {
    const name = `${decision.field} ${decision.option}`;
    counts.set(name, { decision, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  const ordered = [...counts.values()].sort(
    (a, b) => fineness(a.decision) - fineness(b.decision) || a.count - b.count,
  );
  return ordered.reduce((current, { decision }) => withDecision(current, decision), contract);
}

/** What a few instants show of a grain, a coarser one would often show too. The search takes the coarsest that stands, so the finest is right. */
export function withOneGrain(findings: readonly Finding[]): readonly Finding[] {
  const grains = findings.flatMap(({ decision }) => (decision?.field === 'grain' ? [decision] : []));
  const finest = [...grains].sort((a, b) => fineness(b) - fineness(a))[0];
  if (finest === undefined) return findings;
  return findings.map((finding) =>
    finding.decision?.field === 'grain' ? { ...finding, decision: finest } : finding,
  );
}

/** Higher for a finer grain. */
function fineness({ field, option }: Decision): number {
  return field === 'grain' ? -(OPTIONS.grain.options as readonly string[]).indexOf(option) : 0;
}

function withDecision(contract: Contract, { field, option }: Decision): Contract {
  if (field !== 'compare' && field !== 'keyCompare') return { ...contract, [field]: option };
  return {
    ...contract,
    [field]: FOLDINGS.filter((folding) => folding === option || contract[field].includes(folding)),
  };
}

/** Decisions that stand and that no finding names, since each names one: a sentence on what is to be declared beside those. */
export function unsaidDecisions(taken: readonly Decision[], findings: readonly Finding[]): readonly string[] {
  const name = ({ field, option }: Decision) => `\`${field}: ${option}\``;
  const said = findings.flatMap(({ decision }) => (decision === null ? [] : [decision]));
  const fields = new Set(said.map(({ field }) => field));
  const unsaid = [...new Set(taken.filter(({ field }) => !fields.has(field)).map(name))];
  if (said.length === 0 || unsaid.length === 0) return [];
  const whole = [...new Set(said.map(name))].join(', ');
  return [`It follows ${unsaid.join(', ')} too: beside ${whole}, declare that as well.`];
}
