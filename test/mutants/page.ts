import { CHECKS } from '../../src/checks/index.ts';
import { code, page, table } from '../../src/docs/markdown.ts';
import { ALWAYS_FOLLOW, MUTANTS } from './index.ts';
import type { Mutant } from './mutant.ts';
import type { Proof, ProofOptions } from './prove.ts';

/** Those by repetition run a feed twice, and are proved in `src/repetition/`. */
const CHECK_IDS = CHECKS.map(({ id }) => id);

/** `docs/mutants.md`: which mutants there are, what catches them, and every check that fails for each. */
export function mutantsPage(
  proofs: readonly Proof[],
  options: ProofOptions,
  extra: readonly string[],
): string {
  return page(
    '<!-- Made by `npm run mutants`. Do not edit here. -->',
    '# Mutants',
    `Each of these ${proofs.length} implementations is wrong on purpose, in one thing. A check is worth what it catches, so each check has at least one mutant for which it is the finding that a report leads with, and no mutant goes uncaught. They are defined in \`test/mutants/list/\`; the correct implementation that they are made from has no finding under any of their contracts.`,
    listed([...summary(proofs, options), ...extra]),
    `${ALWAYS_FOLLOW.map(code).join(', ')} never leads, and need not. It compares totals of the very facts that \`no-fan-out\`, \`coverage\` and \`as-of-value\` look at one by one: a total that differs has a fact that meets two versions, none, one too many, or the wrong one. It says how much money it was, always behind the check that says why.`,
    '## What catches them',
    '*Scope*: the number of batches of the smallest scope in which it is caught, every history and order tried; “–” where only random histories catch it. *Random*: after how many random histories at each seed, 0 being the covering feed. *Smallest*: batches and keys of the counterexample, after shrinking.',
    table(
      ['mutant', 'what it does', 'stands for', 'led by', 'scope', 'random', 'smallest'],
      proofs.map(lineOf),
    ),
    '## Every check that fails',
    `● leads, ○ fails too and is folded, anywhere among the histories that were tried. The checks by number: ${CHECK_IDS.map((id, at) => `${at + 1} [${id}](checks/${id}.md)`).join(', ')}.`,
    table(['mutant', ...CHECK_IDS.map((_, at) => String(at + 1))], proofs.map(rowOf)),
  );
}

function lineOf({ mutant, scope, random, smallest }: Proof): readonly string[] {
  return [
    ...named(mutant),
    code(smallest?.check ?? 'nothing'),
    scope === null ? '–' : String(scope),
    random.map((histories) => histories ?? 'not').join(', '),
    smallest === null
      ? ''
      : `${count(smallest.batches, 'batch', 'batches')}, ${count(smallest.keys, 'key', 'keys')}`,
  ];
}

/** What the page says of a mutant whatever came of it: the part that a test holds fresh. */
export function named({ id, title, source }: Mutant): readonly string[] {
  return [code(id), title, source.join('; ')];
}

function rowOf({ mutant, smallest, failing }: Proof): readonly string[] {
  const mark = (id: string) => (id === smallest?.check ? '●' : failing.includes(id) ? '○' : '');
  return [code(mutant.id), ...CHECK_IDS.map(mark)];
}

export function summary(
  proofs: readonly Proof[],
  { histories, seeds, scope }: ProofOptions,
): readonly string[] {
  const caught = proofs.filter((proof) => proof.smallest !== null);
  const asDeclared = proofs.filter(({ smallest, mutant }) => isDeclared(mutant, smallest?.check));
  const byScope = proofs.filter((proof) => proof.scope !== null);
  const bySeed = seeds.map((seed, at) => {
    const some = proofs.filter((proof) => proof.random[at] !== null).length;
    return `${some} at seed ${seed}`;
  });
  const small = caught.flatMap(({ smallest, mutant }) => (mutant.isLarge ? [] : [smallest!]));
  const leads = new Set(asDeclared.map(({ smallest }) => smallest!.check));
  const able = CHECK_IDS.filter((id) => !ALWAYS_FOLLOW.includes(id));
  const large = proofs.filter(
    ({ smallest, mutant: { keys = 1, isLarge } }) => !isLarge && (smallest?.keys ?? 0) > keys,
  );
  const two = small.filter(({ roots }) => roots.length > 1).length;
  return [
    `${caught.length} of ${proofs.length} are caught, ${asDeclared.length} led by the check that they declare.`,
    `${byScope.length} (${Math.round((100 * byScope.length) / proofs.length)} %) fall to the small scope alone, up to ${scope} batches.`,
    `Of up to ${histories} random histories alone: ${bySeed.join(', ')}.`,
    `Counterexamples: median ${median(small.map(({ batches }) => batches))} batches, at most ${Math.max(...small.map(({ batches }) => batches))}, and at most ${Math.max(...small.map(({ keys }) => keys))} keys; isolated and shrunk in ${seconds(median(small.map(({ shrinkMs }) => shrinkMs)))} (median), ${seconds(Math.max(...small.map(({ shrinkMs }) => shrinkMs)))} at most.`,
    `${large.length} counterexamples have more keys than their defect needs${large.length > 0 ? `: ${large.map(({ mutant }) => code(mutant.id)).join(', ')}` : ''}.`,
    `${leads.size} of ${able.length} checks that can lead do. ${two} counterexamples have more than one leading check.`,
  ];
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

export function isDeclared({ leads, mayLead = [] }: Mutant, check: string | undefined): boolean {
  return check !== undefined && [leads, ...mayLead].includes(check);
}

/** Leads that no mutant declares. */
export function unled(): readonly string[] {
  const declared = new Set(MUTANTS.map(({ leads }) => leads));
  return CHECK_IDS.filter((id) => !declared.has(id) && !ALWAYS_FOLLOW.includes(id));
}
