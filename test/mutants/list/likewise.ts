import { CHANGES, DELTA, WAREHOUSE } from '../contracts.ts';
import type { Declaration, Mutant } from '../mutant.ts';

/** Contracts under which the same mistakes are made once more: what leads must not depend on conventions. */
const OTHERS: Readonly<Record<string, Declaration>> = {
  delta: DELTA,
  changes: CHANGES,
  warehouse: WAREHOUSE,
};

const AGAIN: readonly string[] = [
  'a-b-a-closed-only',
  'a-b-a-ignored',
  'null-compare',
  'version-each-load',
  'ends-at-own-start',
  'late-lost',
  'late-appended',
  'hard-delete-open',
  'never-reinstated',
  'overwritten-in-place',
  'closed-restamped',
  'history-cut',
  'flag-left-true',
];

/** Mistakes of a strict snapshot, made in a delta, in a log of changes, and in days with inclusive ends. */
export function likewise(mutants: readonly Mutant[]): readonly Mutant[] {
  return Object.entries(OTHERS).flatMap(([name, contract]) =>
    mutants
      // Where one load brings several changes, history is rewritten before it was ever there.
      .filter(
        ({ id, leads }) => AGAIN.includes(id) && !(name === 'changes' && leads === 'closed-stays-closed'),
      )
      .map((mutant) => ({ ...mutant, id: `${mutant.id}/${name}`, contract })),
  );
}
