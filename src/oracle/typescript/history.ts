import type { Cell } from '../../contract/columns.ts';

/*
 * The words that the other files share: what a batch delivered, what is observed of a key, and what is remembered of
 * the batches before. `Past` is all that rules 1 to 5 may know when a batch arrives. There are two kinds of it: the
 * log of a feed (all observations so far), and what a dimension alone still shows (rule 6).
 */

/** What a row says of its key: the state, in the spelling it was delivered in. */
export interface Content {
  readonly key: readonly Cell[];
  readonly tracked: readonly Cell[];
  readonly untracked: readonly Cell[];
  /** The tracked attributes, folded: two contents are in the same state if these are equal. */
  readonly state: string;
  /** The untracked attributes, folded likewise. */
  readonly untrackedState: string;
}

/** What the feed says of one key at one instant. */
export interface Observation {
  /** The folded key. */
  readonly key: string;
  /** Position in arrival order of the batch it comes from. */
  readonly batch: number;
  readonly instant: bigint;
  /** Null is absent. */
  readonly content: Content | null;
  /** Contents of other rows that might as well have been taken (`duplicates: any`). */
  readonly alsoDelivered: readonly Content[];
  /** A new version begins here, whatever the state (rule 2). */
  readonly reopening: boolean;
  /** Comes from a batch that arrived before the key was first named. */
  readonly beforeNamed: boolean;
  /** Where the key's first version starts if this observation opens it and lies later (`firstStart`). */
  readonly firstStart: bigint | null;
}

/** One row of a batch, read. */
export interface ArrivedRow {
  readonly key: string;
  readonly instant: bigint;
  readonly isDelete: boolean;
  readonly content: Content;
  readonly partition: string;
  readonly sequence: Cell;
  readonly position: number;
  /** The literal of `firstStart`, or what its column holds in this row. */
  readonly firstStart: bigint | null;
}

/** One batch, read. */
export interface Arrival {
  readonly batch: number;
  readonly asOf: bigint;
  /** Without those that `nullKey: skip` drops. */
  readonly rows: readonly ArrivedRow[];
  /** It had no row at all, skipped ones included. */
  readonly isEmpty: boolean;
  readonly hasNullKey: boolean;
}

/** What a snapshot delivered, kept for keys that will be named later: they were absent from it. */
export interface Snapshot {
  readonly batch: number;
  readonly asOf: bigint;
  readonly keys: ReadonlySet<string>;
  /** Null without a `partition` column. */
  readonly partitions: ReadonlySet<string> | null;
  /** What it says at its `asOf` is dropped as late. */
  readonly isDropped: boolean;
}

/** A named key, and the observations of it that stayed inside their batches (rules 1, 3, 4). */
export interface History {
  readonly key: readonly Cell[];
  readonly observations: Observation[];
  /** The contract leaves a winner open, in this prefix or an earlier one. */
  isAmbiguous: boolean;
}

/** What is remembered of the batches that count. `remember` adds a batch to it. */
export interface Past {
  /** By folded key: the keys that were named. */
  readonly histories: Map<string, History>;
  /** The latest instant for `lateScope: batch`. */
  latest: bigint | null;
  readonly snapshots: Snapshot[];
  readonly partitionOf: Map<string, string>;
  /** Keys that the first batch that counts named; null before it. */
  firstLoad: ReadonlySet<string> | null;
}

export function emptyPast(): Past {
  return { histories: new Map(), latest: null, snapshots: [], partitionOf: new Map(), firstLoad: null };
}

export function later(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

/** Collects values under their keys, each list in the order of arrival. */
export function groupBy<Key, Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): Map<Key, [Value, ...Value[]]> {
  const groups = new Map<Key, [Value, ...Value[]]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}
