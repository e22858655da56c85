/** All named cases; the seven boundary cases first. */
import { BATCHES } from './batches.ts';
import { BOUNDARY } from './boundary.ts';
import { BOUNDS } from './bounds.ts';
import type { Case } from './case.ts';
import { CHANGE_FEEDS } from './changes.ts';
import { DELETES } from './deletes.ts';
import { DELTA } from './delta.ts';
import { DUPLICATES } from './duplicates.ts';
import { HISTORY } from './history.ts';
import { KEYS } from './keys.ts';
import { LATE_ARRIVALS } from './late.ts';
import { NULLS } from './nulls.ts';
import { PARTITIONS } from './partitions.ts';
import { ROW_TIME } from './row-time.ts';
import { SAME_INSTANT } from './same-instant.ts';
import { UNTRACKED } from './untracked.ts';
import { VALUES } from './values.ts';

export const CASES: readonly Case[] = [
  ...BOUNDARY,
  ...HISTORY,
  ...NULLS,
  ...VALUES,
  ...UNTRACKED,
  ...KEYS,
  ...DELETES,
  ...PARTITIONS,
  ...LATE_ARRIVALS,
  ...SAME_INSTANT,
  ...DUPLICATES,
  ...BATCHES,
  ...DELTA,
  ...CHANGE_FEEDS,
  ...ROW_TIME,
  ...BOUNDS,
];

/** The seven that are the specification. */
export const BOUNDARY_IDS: readonly string[] = BOUNDARY.map((boundary) => boundary.id);
