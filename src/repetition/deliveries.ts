import type { Cell } from '../contract/columns.ts';
import type { FeedBatch } from '../feed/feed.ts';
import type { SetClock } from '../plugins/implementation.ts';

/*
 * A repetition is the same batches delivered in two ways, after which the dimension must be the same: the words for that, and what makes
 * one smaller. Nothing here knows an implementation.
 */

/** A batch on its way, with how it is delivered. */
export interface Delivery {
  readonly batch: FeedBatch;
  /** Its place in the feed that is repeated. */
  readonly source: number;
  /** The run has had it before. */
  readonly isAgain?: true;
  /** A first attempt to load it breaks off at this point (`Session.interrupt`). */
  readonly breakAt?: number;
  /** Before it another session takes over, which is given the dimension as it is. */
  readonly isHandedOver?: true;
  /** What the implementation's clock shows, the same in all deliveries of a run; the contract's where it is left out. */
  readonly clock?: SetClock;
}

/** What one session gets, in order. */
export type Deliveries = readonly Delivery[];

/** Two dimensions that must be the same: each in a run, after a delivery. */
export interface Pair {
  readonly expected: Moment;
  readonly actual: Moment;
  /** What the check's message needs to know of it. */
  readonly found: Readonly<Record<string, Cell>>;
}

export interface Moment {
  /** Position among the runs of the repetition. */
  readonly run: number;
  readonly step: number;
}

export interface Repetition {
  readonly runs: readonly Deliveries[];
  readonly pairs: readonly Pair[];
}

/** Two runs that must end alike. */
export interface TwoEnds extends Repetition {
  readonly runs: readonly [Deliveries, Deliveries];
}

export function twoEnds(expected: Deliveries, actual: Deliveries, found: Pair['found']): TwoEnds {
  const pair: Pair = {
    expected: { run: 0, step: expected.length - 1 },
    actual: { run: 1, step: actual.length - 1 },
    found,
  };
  return { runs: [expected, actual], pairs: [pair] };
}

/** The one pair alone, each side up to its moment; of what came again only the last, where that is what is tried. */
export function narrow({ runs }: Repetition, { expected, actual, found }: Pair): TwoEnds {
  const before = runs[expected.run]!.slice(0, expected.step + 1).filter(isFirst);
  const after = runs[actual.run]!.slice(0, actual.step);
  return twoEnds(before, [...after.filter(isFirst), runs[actual.run]![actual.step]!], found);
}

function isFirst({ isAgain }: Delivery): boolean {
  return isAgain === undefined;
}

/** The batches of a repetition, in the order of the first run. */
export function sourcesOf({ runs: [expected] }: TwoEnds): readonly number[] {
  return [...new Set(expected.map(({ source }) => source))];
}

/** The one that comes again, and without which nothing would be repeated; null where it is another kind of repetition. */
export function neededSource({ runs: [, actual] }: TwoEnds): number | null {
  const last = actual.at(-1);
  return last?.isAgain === undefined ? null : last.source;
}

export function withSources(
  { runs: [expected, actual], pairs }: TwoEnds,
  kept: ReadonlySet<number>,
): TwoEnds {
  const stays = ({ source }: Delivery) => kept.has(source);
  return twoEnds(expected.filter(stays), actual.filter(stays), pairs[0]!.found);
}

/** The repetition with the same change to each of its batches. */
export function withBatches({ runs, pairs }: TwoEnds, change: (batch: FeedBatch) => FeedBatch): TwoEnds {
  const changed = (run: Deliveries) =>
    run.map((delivery) => ({ ...delivery, batch: change(delivery.batch) }));
  return twoEnds(changed(runs[0]), changed(runs[1]), pairs[0]!.found);
}

/** With no other attempt broken off than the last. */
export function brokenOffOnce({ runs: [expected, actual], pairs }: TwoEnds): TwoEnds {
  const calm = actual.map(
    ({ breakAt, ...delivery }, at): Delivery =>
      breakAt === undefined || at < actual.length - 1 ? delivery : { ...delivery, breakAt },
  );
  return twoEnds(expected, calm, pairs[0]!.found);
}
