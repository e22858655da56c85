/** What `scd2check compare` found, as data; `--reporter json` prints it as it is. */
export interface CompareReport {
  readonly schema: 1;
  readonly tool: { readonly name: 'scd2check'; readonly version: string };
  readonly old: ComparedTable;
  readonly new: ComparedTable;
  /** Attributes that were compared. */
  readonly attributes: readonly string[];
  /** Sentences on what was guessed and what was left aside. */
  readonly notes: readonly string[];
  readonly verdict: 'same' | 'different';
  readonly keys: {
    readonly same: number;
    /** In both, and with another history. */
    readonly different: number;
    readonly onlyOld: number;
    readonly onlyNew: number;
  };
  /** How many stretches of time differ, in which way. */
  readonly kinds: readonly {
    readonly kind: DifferenceKind;
    readonly stretches: number;
    readonly keys: number;
  }[];
  readonly differences: readonly Difference[];
}

export interface ComparedTable {
  readonly name: string;
  readonly rows: number;
  readonly keys: number;
}

/** `gone`: only the old one has a version there; `added`: only the new one; `value`: another one; `several`: more than one at once in either. */
export type DifferenceKind = 'gone' | 'added' | 'value' | 'several';

/** A stretch of time in which one key has another history, as long as it is. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly key: Readonly<Record<string, string | null>>;
  /** ISO text with six decimals; null is the beginning of time. */
  readonly from: string | null;
  /** Null is open. */
  readonly to: string | null;
  /** The attributes of each version that holds then. */
  readonly old: readonly Readonly<Record<string, string | null>>[];
  readonly new: readonly Readonly<Record<string, string | null>>[];
}
