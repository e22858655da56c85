import type { Rules } from './base.ts';

/** A deliberately wrong implementation: the right one (`base.ts`) with one thing changed. */
export type Mutant = RulesMutant | ScriptMutant | JoinMutant;

interface About {
  /** Never changes. */
  readonly id: string;
  /** What it does wrong, in one sentence without a full stop. */
  readonly title: string;
  /** What it stands for: reported defects by their ids, and the gotchas and traps of the exercises. */
  readonly source: readonly string[];
  /** What it declares: fields and column roles that differ from `strict`. */
  readonly contract: Declaration;
  /** The check that leads at its smallest counterexample. */
  readonly leads: string;
  /** Others that may lead, where histories are many and the smallest is not among them. */
  readonly mayLead?: readonly string[];
  /** Set where the defect needs more than one key. */
  readonly keys?: number;
  /** Set where a counterexample cannot be made small: the defect is about how many rows there are. */
  readonly isLarge?: true;
}

export type Declaration = Readonly<Record<string, string | readonly string[]>>;

/** Some rules of the right implementation are others. */
export interface RulesMutant extends About {
  readonly change: Partial<Rules>;
}

/** A SQL script of this repository, with texts replaced. */
export interface ScriptMutant extends About {
  readonly script: string;
  readonly replace: readonly (readonly [string, string])[];
}

/** The dimension is right, and the reader's join over it is not. */
export interface JoinMutant extends About {
  readonly join: string;
}
