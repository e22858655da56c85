import type { Contract } from '../contract/contract.ts';
import { parseInstant } from '../contract/instant.ts';
import { coveringFeed } from '../feed/covering.ts';
import type { Feed, FeedBatch } from '../feed/feed.ts';
import { randomFeed } from '../feed/random.ts';
import { sendable } from '../feed/sendable.ts';
import type { Deliveries } from './deliveries.ts';

/** The feeds that are repeated: the covering one and a short random one, without their own redeliveries. */
export interface RepeatedFeeds {
  readonly covering: Deliveries;
  readonly short: Deliveries;
  /** The first batches of the short one, for loads that are broken off at each of their points. */
  readonly shortest: Deliveries;
}

const KEYS = 64;
/** Beyond the random feeds of any run. */
const FIRST_INDEX = 1_000_000;
const TRIES = 60;
const SHORT = { least: 4, most: 6 };

export function repeatedFeeds(contract: Contract, seed: number): RepeatedFeeds {
  const short = deliver(shortFeed(contract, seed));
  return {
    covering: deliver(withoutRedeliveries(coveringFeed(contract))),
    short,
    shortest: short.slice(0, SHORT.least),
  };
}

function deliver({ batches }: Feed): Deliveries {
  return batches.map((batch, source) => ({ batch, source }));
}

/** Of some random feeds the one of a good length in which most batches may come again. */
function shortFeed(contract: Contract, seed: number): Feed {
  let best: Feed | null = null;
  let bestWorth = -1;
  for (let index = 0; index < TRIES; index++) {
    const drawn = randomFeed(contract, { seed, index: FIRST_INDEX + index, keys: KEYS });
    const feed = firstBatches(withoutRedeliveries(drawn), SHORT.most);
    const worth = feed.batches.filter((batch) => mayComeAgain(contract, batch)).length;
    if (worth > bestWorth) [best, bestWorth] = [feed, worth];
    if (bestWorth >= SHORT.least) break;
  }
  return best!;
}

function firstBatches(feed: Feed, count: number): Feed {
  return { ...feed, batches: feed.batches.slice(0, count) };
}

/** A batch that has the instant and the rows of an earlier one is that one again. */
function withoutRedeliveries({ id, batches }: Feed): Feed {
  const isSame = (a: FeedBatch, b: FeedBatch) =>
    a.asOf === b.asOf && a.rows.length === b.rows.length && b.rows.every((row) => a.rows.includes(row));
  return {
    id,
    batches: batches.filter((batch, at) => !batches.slice(0, at).some((before) => isSame(before, batch))),
  };
}

/**
 * Whether the batch may be delivered a second time right after the first. Where rows have instants of their own and none may be late,
 * its earlier ones would be late beside its later ones.
 */
export function mayComeAgain(contract: Contract, { rows }: FeedBatch): boolean {
  const { mode, late } = sendable(contract);
  const { changedAt } = contract.columns;
  if (mode !== 'events' || late || changedAt === null) return true;
  return new Set(rows.map((row) => parseInstant(String(row[changedAt.name])))).size <= 1;
}

/** Whether batches may be delivered again after others have come. */
export function mayComeLater(contract: Contract): boolean {
  const { mode } = sendable(contract);
  return contract.clock !== 'wall' && contract.late !== 'never' && mode !== 'row-time';
}
