import { contractOfCase } from '../../cases/contract.ts';
import { CASES } from '../../cases/index.ts';
import { mapCase } from '../../cases/mapping.ts';
import type { SendableCase } from '../../cases/packing.ts';
import { feedUnder, type NamedCase } from '../../cases/project.ts';
import type { Contract } from '../contract/contract.ts';
import { withFiniteDoubles } from '../contract/declare.ts';
import { usualBeside } from '../contract/types.ts';
import type { RunOptions } from './run-options.ts';

export type PlannedCase = SendableCase | { readonly theCase: NamedCase; readonly skip: string };

interface Selection extends Pick<RunOptions, 'cases' | 'declared' | 'projectCases'> {
  readonly implementation: Pick<RunOptions['implementation'], 'anyColumns'>;
}

/** Each selected case with its feed and the contract that it runs under, or why it is skipped. */
export function planCases(
  contract: Contract,
  { cases, implementation, declared, projectCases }: Selection,
): readonly PlannedCase[] {
  const isSelected = ({ id }: NamedCase) => cases === null || cases.includes(id);
  const own = projectCases.filter(isSelected).map((theCase): PlannedCase => {
    const mapped = feedUnder(contract, theCase.file, theCase.id);
    return { theCase, contract: contract, ...mapped };
  });
  const selected = CASES.filter(isSelected);
  const named = selected.map((theCase): PlannedCase => {
    const mapped = mapCase(theCase, contract);
    if ('feed' in mapped) return { theCase, contract: contract, feed: mapped.feed };
    // An implementation that takes any columns runs on the case's own, where nobody declared some.
    if (
      implementation.anyColumns &&
      !declared.declaredRoles.has('key') &&
      !declared.declaredRoles.has('tracked')
    ) {
      const { key, tracked, untracked } = contractOfCase(theCase).columns;
      const beside = usualBeside(contract.type, tracked);
      const all = { ...contract.columns, key, tracked, untracked, ...beside };
      const columns = declared.finite === true ? withFiniteDoubles(all) : all;
      const own = { ...contract, columns };
      const again = mapCase(theCase, own);
      if ('feed' in again) return { theCase, contract: own, feed: again.feed };
    }
    return { theCase, skip: mapped.skip };
  });
  return [...named, ...own];
}
