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
  /** In the order of the contract's columns: the previous values of a row of type 3, the current ones of a version of type 6. Else empty. */
  readonly beside: readonly Cell[];
}

/** What the oracle says of one key after one batch. */
export interface ExpectedKey {
  readonly key: readonly Cell[];
  /** In order of start; empty for a key that was named, but only as absent. With type 4 those of the history table, with types 1 and 3 none. */
  readonly versions: readonly ExpectedVersion[];
  /** The row of a table that is overwritten (types 1, 3 and 4), with the bounds of the version that holds. Null where there is none. */
  readonly current: ExpectedVersion | null;
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
