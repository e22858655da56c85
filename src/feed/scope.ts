import type { Row } from '../contract/columns.ts';
import { type Contract, grainMicros } from '../contract/contract.ts';
import { parseInstant } from '../contract/instant.ts';
import { ballast } from './ballast.ts';
import type { Feed, FeedBatch } from './feed.ts';
import { type Key, keyMaker } from './keys.ts';
import { permutations, range, sequences } from './orders.ts';
import { type Cells, named, plainStates, plainUntracked } from './palette.ts';
import { rowWriter } from './rows.ts';
import { type Plan, scopePlans, snapshotsWithoutRows } from './scope-plans.ts';
import { type Sendable, sendable } from './sendable.ts';

/*
 * The small scope: not a sample, all of it. The histories are all sequences of a few symbols, one symbol for each of n instants. Each has
 * a key of its own, so that all of them are one feed for each order of arrival. Histories that are shorter than n are in there
 * too, because the dimension is judged after each batch: every order of fewer batches is the beginning of one of n.
 *
 * Where the key columns cannot hold so many keys, the histories are spread over several feeds.
 */

/** What one batch (or event) says of a key: nothing (which is absence in a snapshot), that it is deleted, or a state. */
export type ScopeSymbol = 'none' | 'deleted' | 'NULL' | 'A' | 'B';

export interface ScopeOptions {
  /** `in-order`: only the order of time, for a larger n. Default: every order that the contract allows. */
  readonly orders?: 'every' | 'in-order';
}

export interface Scope {
  /** What is complete when all its feeds were judged, in words. */
  readonly words: string;
  readonly batches: number;
  /** The symbols, by the names that the words use. */
  readonly palette: readonly string[];
  /** Different histories, each of which is sent in each order. */
  readonly histories: number;
  readonly orders: number;
  /** Feeds of the first part: every history in every order. */
  readonly feeds: number;
  /** Feeds of the second part: every history, with one batch delivered again. */
  readonly redeliveries: number;
  /** Small feeds of one history each: snapshots without rows, late batches that are refused. */
  readonly singles: number;
}

const START = parseInstant('2026-03-01')!;
const DAY = grainMicros('day');

/** All feeds of the scope of `n` batches, small and plain ones first. They are made one at a time. */
export function* scopeFeeds(contract: Contract, n: number, options: ScopeOptions = {}): Generator<Feed> {
  const build = new ScopeBuilder(contract, n);
  const { orders, redeliveries, singles } = scopePlans(contract, n, options.orders ?? 'every');
  let turn = 0;
  for (const plan of [...orders, ...redeliveries]) {
    for (const histories of build.chunks()) yield build.feed(plan, histories, turn, true);
    turn++;
  }
  for (const { plan, histories, hasBallast } of singles) {
    for (const [at, history] of histories.entries()) {
      yield build.feed({ ...plan, id: `${plan.id}/${at + 1}` }, [history], at, hasBallast);
    }
  }
}

/** What the scope holds, counted without making it. */
export function describeScope(contract: Contract, n: number, options: ScopeOptions = {}): Scope {
  const orders = options.orders ?? 'every';
  const plans = scopePlans(contract, n, orders);
  const { chunks, histories, symbols } = new ScopeBuilder(contract, n);
  const perOrder = chunks().length;
}
