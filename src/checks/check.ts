import type { Cell } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { hasCurrentTable, type Type, VERSIONED } from '../contract/types.ts';
import type { Implementation } from '../plugins/implementation.ts';

/** What every check says of itself. One file defines one check; its page of documentation is made from the same object. */
export interface CheckWords {
  /** Never changes. */
  readonly id: string;
  readonly group: 'table' | 'oracle' | 'as-of' | 'time' | 'repetition';
  /** What must hold, in one sentence. */
  readonly title: string;
  /** What goes wrong in the warehouse where it does not, in money where it is money. */
  readonly why: string;
  /** Checks whose violation follows from a violation of this one, so that a report leads with the root. */
  readonly implies: readonly string[];
  /** The types of dimension that it can be asked of. Left out: those that have versions (`VERSIONED`). */
  readonly types?: readonly Type[];
  /** What was found, in one sentence, from the columns of a violation. */
  message(found: Readonly<Record<string, Cell>>): string;
}

/** A check that is SQL over the canonical relations (interpret.ts, the oracle, facts.ts) and returns the offending rows. */
export interface Check extends CheckWords {
  readonly group: 'table' | 'oracle' | 'as-of' | 'time';
  /**
   * True (or true of a contract) where a key may violate it though the dimension has exactly the expected versions of that key after every batch. All other checks
   * are put only to keys of which that is not so (screen.ts).
   */
  readonly beyondOracle?: true | ((contract: Contract) => boolean);
  /** Null where the check applies under a contract of its types, else the reason why it is skipped. Who asks, asks `whySkipped`. */
  skip(contract: Contract): string | null;
  /**
   * SQL that returns one row for each violation: `feed`, `step`, `key` (NULL where no key is meant), and whatever `message` names.
   * Instants are in microseconds.
   */
  violations(judging: Judging): string;
  /** SQL that returns one number: how often the check was put to the test. */
  exercised(judging: Judging): string;
}

/**
 * A check that needs the same batches twice, delivered in two ways that must lead to the same dimension. How they are delivered is in
 * `src/repetition/`. It follows from no other check, and none follows from it.
 */
export interface RepetitionCheck extends CheckWords {
  readonly group: 'repetition';
  /** Null where the check applies to a dimension of its types, else the reason why it is skipped. */
  skip(contract: Contract, implementation: Repeatable): string | null;
}

/** What it depends on of an implementation whether its batches may be sent twice. */
export type Repeatable = Pick<Implementation, 'kind' | 'interruptible' | 'beginsFromTable'>;

/** What a check's SQL may depend on. */
export interface Judging {
  readonly contract: Contract;
  /** False in an audit: there is no oracle, and only checks of the table group run. */
  readonly oracle: boolean;
}

/** Null where a check applies to the contract's type of dimension, else why it does not. */
export function notOfType(
  { types = VERSIONED }: CheckWords,
  { type }: Pick<Contract, 'type'>,
): string | null {
  if (types.includes(type)) return null;
  const only =
    types.length === 1
      ? `type ${types[0]} alone`
      : `types ${types.slice(0, -1).join(', ')} and ${types.at(-1)}`;
  return `it is for ${only}, and the dimension is of type ${type}`;
}

/** Null where a check applies under a contract (and, one by repetition, to an implementation), else the reason why it is skipped. */
export function whySkipped(check: Check, contract: Contract): string | null;
export function whySkipped(
  check: RepetitionCheck,
  contract: Contract,
  implementation: Repeatable,
): string | null;
export function whySkipped(
  check: Check | RepetitionCheck,
  contract: Contract,
  implementation?: Repeatable,
): string | null {
  return notOfType(check, contract) ?? check.skip(contract, implementation!);
}

/** The relation of all rows of the dimension; where there is no current table these are its versions. */
export function rowsOf(contract: Pick<Contract, 'type'>): string {
  return hasCurrentTable(contract) ? 'dimension_row' : 'version';
}

/** Why checks of open versions are skipped with `historyHolds: past`. */
export const PAST_ONLY = 'the history table holds only what has ended (`historyHolds: past`)';

export const always = (): null => null;

/** Keys whose content is not judged at a step: lost evidence is forgiven, or the contract leaves the winner open. */
export const EXCUSED = '(SELECT feed, step, key FROM expected_key WHERE forgiven OR ambiguous)';

/** The condition that a row's key is judged at its step. */
export function judged(alias: string): string {
  return `NOT EXISTS (SELECT 1 FROM excused x WHERE x.feed = ${alias}.feed AND x.step = ${alias}.step AND x.key = ${alias}.key)`;
}
