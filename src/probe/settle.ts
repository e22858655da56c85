import type { Contract, Field } from '../contract/contract.ts';
import type { Answers } from './answers.ts';
import { excludes, isLoose, isSensible, type Literals, type Option, optionsOf } from './options.ts';

/**
 * The contract with the options of some fields that most answers agree with. Fields that tell each other apart are settled together; where
 * several options fit alike, what the contract has already is kept, then one that says more, then the first.
 */
export function settle(
  answers: Answers,
  contract: Contract,
  fields: readonly Field[],
  literals: Literals,
): Contract {
  const asked = answers.questions.filter(({ about }) => about.some((field) => fields.includes(field)));
  if (asked.length === 0) return contract;
  let best = { contract, agreed: -1 };
  for (const choice of combinations(fields, contract, literals)) {
    const next = choice.reduce((current, option) => option.apply(current), contract);
    if (!isSensible(next)) continue;
    // What excludes a question agrees with nothing by it; what leaves a winner open agrees a little less.
    const agreed = asked.filter(
      (question) =>
        !choice.some(
          ({ field, name }) => question.about.includes(field) && excludes(field, name, question.id),
        ) && answers.agrees(next, question),
    ).length;
    const score = agreed - choice.filter(({ name }) => isLoose(name)).length / 100;
    if (score > best.agreed) best = { contract: next, agreed: score };
  }
  return best.contract;
}

function combinations(
  [field, ...rest]: readonly Field[],
  contract: Contract,
  literals: Literals,
): readonly (readonly Option[])[] {
  if (field === undefined) return [[]];
  const others = combinations(rest, contract, literals);
  return anyOptionsOf(field, contract, literals).flatMap((option) =>
    others.map((other) => [option, ...other]),
  );
}

/** Also those that make sense only beside another option of the same choice. */
function anyOptionsOf(field: Field, contract: Contract, literals: Literals): readonly Option[] {
  const open: Contract = { ...contract, reappearance: 'gap', stamp: 'row-time', lateScope: 'key' };
  const isOwn = contract.columns.changedAt !== null;
  const known = new Map(optionsOf(field, contract, literals).map((option) => [option.name, option]));
  for (const option of optionsOf(field, isOwn ? open : { ...open, stamp: 'as-of' }, literals)) {
    if (!known.has(option.name)) known.set(option.name, option);
  }
  return [...known.values()];
}
