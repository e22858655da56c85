import type { Contract } from './contract.ts';
import { autoCdc } from './presets/auto-cdc.ts';
import { dailyMerge } from './presets/daily-merge.ts';
import { dbtCheck } from './presets/dbt-check.ts';
import { dbtTimestamp } from './presets/dbt-timestamp.ts';
import { dlt } from './presets/dlt.ts';
import { kimballDay } from './presets/kimball-day.ts';
import { recipe } from './presets/recipe.ts';
import { sqlmeshByColumn } from './presets/sqlmesh-by-column.ts';
import { sqlmeshByTime } from './presets/sqlmesh-by-time.ts';
import { stream } from './presets/stream.ts';
import { strict } from './presets/strict.ts';
import { tpcDi } from './presets/tpc-di.ts';

/** The decisions of a contract, without the columns. */
export type Decisions = Omit<Contract, 'columns'>;

/** A named contract. What it does not mention is as in `strict`. */
export interface Preset {
  readonly id: string;
  /** One sentence: what it is for. */
  readonly title: string;
  /** Where its rules come from. */
  readonly source: string;
  /** Where that can be read; null for a book or an exercise. */
  readonly url: string | null;
  readonly decisions: Partial<Decisions>;
  /** For each decision, what the source says. */
  readonly because: { readonly [F in keyof Decisions]?: string };
}

export const PRESETS: readonly Preset[] = [
  strict,
  dailyMerge,
  stream,
  recipe,
  dbtCheck,
  dbtTimestamp,
  dlt,
  sqlmeshByTime,
  sqlmeshByColumn,
  autoCdc,
  kimballDay,
  tpcDi,
];

/** The first option of every field: the decisions of `strict`. */
export const STRICT: Decisions = {
  type: '2',
  historyHolds: 'all',
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
