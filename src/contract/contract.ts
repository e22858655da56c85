import type { Columns } from './columns.ts';

/**
 * The contract: the decisions that an implementation is held to.
 *
 * Each field has named options; the first is that of the `strict` preset, which is the contract of the seven
 * boundary cases. The option `never` says that the source guarantees it does not happen: such input is not sent.
 *
 * `OPTIONS` is the one table from which validation, help, printing and the search for explaining decisions
 * are made. Fields that take free values (a column, a literal) say so in `open`.
 */
export const OPTIONS = {
  type: { options: ['2', '1', '3', '4', '6'] },
  historyHolds: { options: ['all', 'past'] },
  feed: { options: ['snapshot', 'delta', 'changes'] },
  stamp: { options: ['as-of', 'row-time'] },
  changeBy: { options: ['value', 'row-time'] },
  clock: { options: ['injected', 'moved', 'wall'] },
  grain: { options: ['microsecond', 'millisecond', 'second', 'day'] },
  end: { options: ['exclusive', 'inclusive'] },
  openMarker: { options: ['null'], open: '`infinity`, or a literal such as 9999-12-31' },
  firstStart: { options: ['observed'], open: 'a column of the batch, or a literal such as 1970-01-01' },
  firstStartScope: { options: ['every-key', 'first-load'] },
  deletes: { options: ['close', 'ignore', 'marker-row', 'never'] },
  reappearance: { options: ['gap', 'bridge'] },
  late: { options: ['apply', 'ignore', 'reject', 'never'] },
  lateScope: { options: ['batch', 'key'] },
  lateEvidence: { options: ['log', 'dimension'] },
  sameInstant: { options: ['never', 'last', 'first', 'any', 'reject'] },
  duplicates: { options: ['never', 'equal', 'any', 'last', 'first', 'reject'] },
  batchStates: { options: ['all', 'latest', 'one'] },
  nullKey: { options: ['never', 'reject', 'skip', 'value'] },
  emptySnapshot: { options: ['close-all', 'reject', 'ignore'] },
  untracked: { options: ['any', 'current', 'all', 'frozen'] },
  transaction: { options: ['script', 'caller'] },
} as const satisfies Record<string, { options: readonly string[]; open?: string }>;

type Options = typeof OPTIONS;
export type Field = keyof Options | 'compare' | 'keyCompare';
export type OptionOf<F extends keyof Options> = Options[F]['options'][number];

/** Ways in which two spellings of a text count as the same value. None of them is `sql`: equal by bytes. */
export const FOLDINGS = ['case-insensitive', 'trim', 'empty-is-null'] as const;
export type Folding = (typeof FOLDINGS)[number];

export interface Contract {
  readonly type: OptionOf<'type'>;
  /** What the history table of type 4 holds. */
  readonly historyHolds: OptionOf<'historyHolds'>;
  readonly feed: OptionOf<'feed'>;
  readonly columns: Columns;
  readonly stamp: OptionOf<'stamp'>;
  readonly changeBy: OptionOf<'changeBy'>;
  readonly clock: OptionOf<'clock'>;
  readonly grain: OptionOf<'grain'>;
  readonly end: OptionOf<'end'>;
  /** `null`, `infinity`, or an ISO literal. */
  readonly openMarker: string;
  /** `observed`, an ISO literal, or the name of a batch column. */
  readonly firstStart: string;
  readonly firstStartScope: OptionOf<'firstStartScope'>;
  readonly deletes: OptionOf<'deletes'>;
  readonly reappearance: OptionOf<'reappearance'>;
  readonly late: OptionOf<'late'>;
  readonly lateScope: OptionOf<'lateScope'>;
  readonly lateEvidence: OptionOf<'lateEvidence'>;
  readonly sameInstant: OptionOf<'sameInstant'>;
  readonly duplicates: OptionOf<'duplicates'>;
  readonly batchStates: OptionOf<'batchStates'>;
  readonly nullKey: OptionOf<'nullKey'>;
  readonly emptySnapshot: OptionOf<'emptySnapshot'>;
  /** Foldings of attribute values; empty means `sql`. */
  readonly compare: readonly Folding[];
  /** Foldings of key values; empty means `sql`. */
  readonly keyCompare: readonly Folding[];
  readonly untracked: OptionOf<'untracked'>;
  readonly transaction: OptionOf<'transaction'>;
}

/** One option of one field, as a finding names it where that option would explain what was seen. */
export interface Decision {
  readonly field: Field;
  readonly option: string;
}

const GRAIN_MICROS: Record<Contract['grain'], bigint> = {
  microsecond: 1n,
  millisecond: 1_000n,
  second: 1_000_000n,
  day: 86_400_000_000n,
};

/** One grain, in microseconds. */
export function grainMicros(grain: Contract['grain']): bigint {
  return GRAIN_MICROS[grain];
}
