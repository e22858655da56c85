import type { Field } from '../contract/contract.ts';
import type { ImplementationKind } from '../plugins/implementation.ts';
import type { ContractJson, JsonRow } from '../runner/report.ts';

/** What `probe` found, as data. Its schema is `docs/schemas/probe-1.json`. */
export interface ProbeReport {
  readonly schema: 1;
  readonly tool: { readonly name: 'scd2check'; readonly version: string };
  readonly implementation: { readonly name: string; readonly kind: ImplementationKind };
  /** The contract that it follows, as far as it could be found out; the rest is as declared, or as in `strict`. */
  readonly contract: ContractJson;
  /** The columns of the dimension, and the form that each has. */
  readonly columns: readonly ProbedColumn[];
  readonly fields: readonly ProbedField[];
  /** Sentences on what was guessed, and on what could not be asked. */
  readonly notes: readonly string[];
  /** Loads that were sent. */
  readonly batches: number;
  readonly totalMs: number;
}

export interface ProbedColumn {
  readonly role: string;
  readonly name: string;
  /** What it holds: `NULL where open`, `boolean`, `Y/N`; null where there is nothing to say. */
  readonly form: string | null;
  readonly guessed: boolean;
  /** The attribute whose previous or current value it holds (types 3 and 6). */
  readonly of?: string;
}

export interface ProbedField {
  readonly field: Field;
  readonly status: 'follows' | 'contradicts' | 'none' | 'not-observable';
  /** The option that it follows; null unless it follows one. */
  readonly option: string | null;
  /** Options that could not be told from it. */
  readonly alike: readonly string[];
  /** The option that is declared; that of `strict` where nothing is. */
  readonly expected: string;
  readonly isDeclared: boolean;
  /** Why nothing could be observed, or what is to be said of the option. */
  readonly reason: string | null;
  /** One answer that shows it; two that contradict each other. */
  readonly evidence: readonly ProbeEvidence[];
}

/** One answer: what was sent of the keys that it is about, and what the dimension then holds of them. */
export interface ProbeEvidence {
  readonly question: string;
  readonly words: string;
  /** The option that this answer follows, where two contradict each other. */
  readonly follows: string | null;
  readonly batches: readonly ProbeBatch[];
  /** After the last batch that was answered. */
  readonly rows: readonly ProbedRow[];
}

export interface ProbeBatch {
  readonly asOf: string;
  /** `applied`, `rejected`, `errored`; null where an earlier one ended the feed. */
  readonly outcome: string | null;
  /** Why it was refused. */
  readonly outcomeReason: string | null;
  readonly rows: readonly SentRow[];
}

export interface SentRow {
  readonly values: JsonRow;
  /** The row's own instant, where rows have one. */
  readonly changedAt: string | null;
  readonly isDelete: boolean;
}

export interface ProbedRow {
  readonly values: JsonRow;
  /** As they stand in the table: ISO text, null is NULL. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly isDeleted: boolean;
}

/** Options that leave open what an implementation does. */
const LOOSE = ['never', 'any', 'one', 'equal', 'dimension'];

/** Whether a field is as it should be: as declared, or as in `strict`, or not to be observed. */
export function isAsExpected({ status, option, alike, expected }: ProbedField): boolean {
  if (status === 'not-observable') return true;
  if (status !== 'follows' || option === null) return false;
  return option === expected || alike.includes(expected) || (LOOSE.includes(expected) && option !== 'never');
}

/** Whether an implementation follows what it declares; without a declaration, one option of every field, whichever. */
export function isConsistent({ fields }: ProbeReport): boolean {
  return fields.every((field) => {
    if (isAsExpected(field)) return true;
    return field.status === 'follows' && !field.isDeclared && field.option !== 'never';
  });
}
