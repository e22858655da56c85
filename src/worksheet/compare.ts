import type { Case } from '../../cases/case.ts';
import type { Contract, Decision } from '../contract/contract.ts';
import type { Answers } from './answers.ts';
import { type Figures, figuresOf, sameFigures, singleDecisions } from './worksheet.ts';

/** A case in which a team and a contract say different things: a decision to make. */
export interface Disagreement {
  readonly id: string;
  readonly answer: Figures | null;
  readonly contract: Figures | null;
  /** Single decisions under which the answer would be right; none where no option of the contract says so. */
  readonly options: readonly Decision[];
}

export function disagreements(
  cases: readonly Case[],
  contract: Contract,
  answers: Answers,
): readonly Disagreement[] {
  return answered(cases, answers).flatMap((theCase): Disagreement[] => {
    const answer = answers.get(theCase.id)!;
    const own = figuresOf(theCase, contract);
    if (sameFigures(answer, own)) return [];
    const options = singleDecisions(contract).filter((single) =>
      sameFigures(answer, figuresOf(theCase, single.contract)),
    );
    return [{ id: theCase.id, answer, contract: own, options: options.map(({ decision }) => decision) }];
  });
}

export interface Agreed {
  readonly contract: Contract;
  readonly decisions: readonly Decision[];
  /** Cases whose answers no contract gives together with the others. */
  readonly left: readonly string[];
}

/** The contract that gives the answers: from one to the next, the decision that settles most of what is left and unsettles nothing. */
export function contractFrom(cases: readonly Case[], start: Contract, answers: Answers): Agreed {
  const asked = answered(cases, answers);
  const agrees = (contract: Contract) =>
    asked.filter((theCase) => sameFigures(answers.get(theCase.id)!, figuresOf(theCase, contract)));
  const decisions: Decision[] = [];
  let contract = start;
  let settled = agrees(contract);
  for (;;) {
    const next = singleDecisions(contract)
      .filter(({ decision }) => decisions.every(({ field }) => field !== decision.field))
      .map((single) => ({ ...single, settled: agrees(single.contract) }))
      .filter((single) => settled.every((theCase) => single.settled.includes(theCase)))
      .sort((a, b) => b.settled.length - a.settled.length)[0];
    if (next === undefined || next.settled.length <= settled.length) break;
    decisions.push(next.decision);
    contract = next.contract;
    settled = next.settled;
  }
  return { contract, decisions, left: asked.filter((one) => !settled.includes(one)).map(({ id }) => id) };
}

function answered(cases: readonly Case[], answers: Answers): readonly Case[] {
  return cases.filter(({ id }) => answers.has(id));
}
