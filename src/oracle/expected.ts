import type { Cell } from '../contract/columns.ts';

/** A version (or marker row) that the dimension should hold. Instants are microseconds; `validTo` is exclusive, null is open. */
export interface ExpectedVersion {
  /** Key parts in the contract's order, in the spelling of the row that opened the version. */
  readonly key: readonly Cell[];
  /** Tracked attributes in the contract's order, in the spelling of the row that opened the version. */
  readonly tracked: readonly Cell[];
  /** Untracked attributes in the contract's order: one of those that are right. */
  readonly untracked: readonly Cell[];
  readonly validFrom: bigint;
  readonly validTo: bigint | null;
  /** True for a marker row. */
  readonly isDeleted: boolean;
}

/** What the oracle says of one key after one batch. */
export interface ExpectedKey {
  readonly key: readonly Cell[];
  /** In order of start. Empty for a key that was named, but only as absent. */
  readonly versions: readonly ExpectedVersion[];
  /** The answer needs evidence that the dimension alone cannot hold (`lateEvidence: dimension`). */
  readonly forgiven: boolean;
  /** The contract leaves the winner open; only structure is judged. */
  readonly ambiguous: boolean;
}

/** What the oracle says after one batch. */
export interface ExpectedStep {
  readonly batch: number;
  readonly outcome: 'applied' | 'rejected';
  /** Keys that any batch that counts has named so far, in no particular order. */
  readonly keys: readonly ExpectedKey[];
}
