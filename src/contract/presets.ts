import type { Contract } from './contract.ts';
import { dailyMerge } from './presets/daily-merge.ts';
import { recipe } from './presets/recipe.ts';
import { stream } from './presets/stream.ts';
import { strict } from './presets/strict.ts';

/** The decisions of a contract, without the columns. */
export type Decisions = Omit<Contract, 'columns'>;

/** A named contract. What it does not mention is as in `strict`. */
export interface Preset {
  readonly id: string;
  /** One sentence: what it is for. */
  readonly title: string;
  /** Where its rules come from. */
  readonly source: string;
  readonly decisions: Partial<Decisions>;
}

export const PRESETS: readonly Preset[] = [strict, dailyMerge, stream, recipe];

/** The first option of every field: the decisions of `strict`. */
export const STRICT: Decisions = {
  type: '2',
  feed: 'snapshot',
  stamp: 'as-of',
  changeBy: 'value',
  clock: 'injected',
  grain: 'microsecond',
  end: 'exclusive',
  openMarker: 'null',
  firstStart: 'observed',
  firstStartScope: 'every-key',
  deletes: 'close',
  reappearance: 'gap',
  late: 'apply',
  lateScope: 'batch',
  lateEvidence: 'log',
  sameInstant: 'never',
  duplicates: 'never',
  batchStates: 'all',
  nullKey: 'never',
  emptySnapshot: 'close-all',
  compare: [],
  keyCompare: [],
  untracked: 'any',
  transaction: 'script',
};
