import { FINITE_DOUBLES } from '../contract/declare.ts';
import type { Declared } from '../contract/declared.ts';

/** Names of columns of the submission's own table: what they are called is nobody's business but its own. */
const OWN = new Set([
  'validFrom',
  'validTo',
  'isCurrent',
  'isDeleted',
  'surrogateKey',
  'hash',
  FINITE_DOUBLES,
]);

export interface Heeded {
  readonly declared: readonly Declared[];
  /** A sentence for each line that does not count. */
  readonly notes: readonly string[];
}

/**
 * Of what a submission declares about itself, what counts when it is graded. The rest is the teacher's to say: a head that says `late never`, or that
 * a column holds no NULL, would choose the questions of its own examination.
 */
export function heeded(declared: readonly Declared[]): Heeded {
  return {
    declared: declared.filter(({ name }) => OWN.has(name)),
    notes: declared
      .filter(({ name }) => !OWN.has(name))
      .map(
        ({ name, where }) =>
          `${where} declares \`${name}\`, which does not count here: the rubric's contract does.`,
      ),
  };
}
