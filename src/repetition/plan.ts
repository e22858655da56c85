import type { Contract } from '../contract/contract.ts';
import { parseInstant } from '../contract/instant.ts';
import { rollDice } from '../feed/dice.ts';
import type { FeedBatch } from '../feed/feed.ts';
import { sendable } from '../feed/sendable.ts';
import { keyOf } from '../search/project.ts';
import { type Deliveries, type Delivery, type Pair, type Repetition, twoEnds } from './deliveries.ts';
import { mayComeAgain, mayComeLater, type RepeatedFeeds } from './feeds.ts';

/*
 * For each check by repetition, how its batches are delivered twice. Whether the contract really calls for the same dimension is asked again
 * for each key, of the oracle, when the two are compared (compare.ts); so what is planned here need only be legal, not subtle.
 */

const SEED = 20_260_302;

/** The same batch at once, for each; then all of them again. In one run: what came again is compared with what was there before it. */
export function planIdempotent(contract: Contract, { short }: RepeatedFeeds): readonly Repetition[] {
  const run: Delivery[] = [];
  const pairs: Pair[] = [];
  const again = ({ batch, source }: Delivery, when: string) => {
    const step = run.push({ batch, source, isAgain: true }) - 1;
    pairs.push({ expected: { run: 0, step: step - 1 }, actual: { run: 0, step }, found: { when } });
  };
  for (const delivery of short) {
    run.push(delivery);
    if (mayComeAgain(contract, delivery.batch)) again(delivery, 'at once');
  }
  if (mayComeLater(contract)) for (const delivery of short.slice(0, -1)) again(delivery, 'later');
  return pairs.length === 0 ? [] : [{ runs: [run], pairs }];
}

/** In the order of time, and as the covering feed arrives. */
export function planOrder(contract: Contract, { covering, short }: RepeatedFeeds): readonly Repetition[] {
  return [
    twoEnds(inTime(contract, covering), covering, {}),
    ...(isInTime(contract, covering) ? [twoEnds(short, reversed(contract, short), {})] : []),
  ];
}

/** Batches of one instant keep their order. */
function inTime(contract: Contract, deliveries: Deliveries): Deliveries {
  return arrange(contract, deliveries, (a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function reversed(contract: Contract, deliveries: Deliveries): Deliveries {
  return arrange(contract, deliveries, (a, b) => (a < b ? 1 : a > b ? -1 : 0));
}

function isInTime(contract: Contract, deliveries: Deliveries): boolean {
  return inTime(contract, deliveries).every(({ source }, at) => source === deliveries[at]!.source);
}

function arrange(
  contract: Contract,
  deliveries: Deliveries,
  order: (a: bigint, b: bigint) => number,
): Deliveries {
  const arranged = [...deliveries].sort((a, b) =>
    order(instantOf(contract, a.batch), instantOf(contract, b.batch)),
  );
  if (sendable(contract).mode !== 'events') return arranged;
  // Where rows have instants of their own, `asOf` says only when a batch arrived.
  const arrivals = deliveries.map(({ batch }) => batch.asOf);
  return arranged.map((delivery, at) => ({ ...delivery, batch: { ...delivery.batch, asOf: arrivals[at]! } }));
}

/** The instant of a batch; where its rows have their own, the earliest. */
function instantOf(contract: Contract, { asOf, rows }: FeedBatch): bigint {
  if (sendable(contract).mode !== 'events') return asOf;
  const { changedAt } = contract.columns;
  const own = rows.flatMap((row) => parseInstant(String(row[changedAt?.name ?? ''])) ?? []);
  return own.length === 0 ? asOf : own.reduce((least, next) => (next < least ? next : least));
}

/** From a fresh start, with the rows of each batch in another order where that says nothing. */
export function planDeterministic(contract: Contract, { covering }: RepeatedFeeds): readonly Repetition[] {
  const dice = rollDice(SEED);
  const means = ['last', 'first'].includes(contract.duplicates) && contract.columns.sequence === null;
  const shuffled = covering.map(({ batch, source }) => ({
    batch: means ? batch : { ...batch, rows: dice.shuffled(batch.rows) },
    source,
  }));
  return [everyStep(covering, shuffled, { what: means ? 'again' : 'shuffled' })];
}

/** Compared after each of two runs of the same length. */
function everyStep(expected: Deliveries, actual: Deliveries, found: Pair['found']): Repetition {
  const pairs = expected.map((_, step) => ({ expected: { run: 0, step }, actual: { run: 1, step }, found }));
  return { runs: [expected, actual], pairs };
}

/** Each batch in two parts of disjoint keys. */
export function planBatching(contract: Contract, { short }: RepeatedFeeds): readonly Repetition[] {
  const parts: Delivery[] = [];
  const pairs: Pair[] = [];
  for (const [step, { batch, source }] of short.entries()) {
    parts.push(...halves(contract, batch).map((part) => ({ batch: part, source })));
    pairs.push({ expected: { run: 0, step }, actual: { run: 1, step: parts.length - 1 }, found: {} });
  }
  return [{ runs: [short, parts], pairs }];
}

function halves(contract: Contract, batch: FeedBatch): readonly FeedBatch[] {
  const keys = [...new Set(batch.rows.map((row) => keyOf(row, contract)))];
  if (keys.length < 2) return [batch];
  const second = new Set(keys.filter((_, at) => at % 2 === 1));
  const part = (isSecond: boolean) => ({
    ...batch,
    rows: batch.rows.filter((row) => second.has(keyOf(row, contract)) === isSecond),
  });
  return [part(false), part(true)];
}

/** Each batch after the first in a session of its own. */
export function planResume(_: Contract, { short }: RepeatedFeeds): readonly Repetition[] {
  const handed = short.map(
    (delivery, at): Delivery => (at === 0 ? delivery : { ...delivery, isHandedOver: true }),
  );
  return [everyStep(short, handed, {})];
}

const YEAR = 365n * 86_400_000_000n;

/** Once while the clock on the wall shows a time years before the feed, once years after it. */
export function planWallTimes({ short }: RepeatedFeeds): Repetition {
  const instants = short.map(({ batch }) => batch.asOf);
  const before = instants.reduce((least, next) => (next < least ? next : least)) - 20n * YEAR;
  const after = instants.reduce((most, next) => (next > most ? next : most)) + 9n * YEAR;
  const at = (shows: bigint) =>
    short.map((delivery): Delivery => ({ ...delivery, clock: { shows, ticks: false } }));
  return everyStep(at(before), at(after), { before, after });
}

/** Each batch is begun, broken off at the point, and loaded again. */
export function planCrash({ shortest }: RepeatedFeeds, point: number, found: Pair['found']): Repetition {
  const brokenOff = shortest.map((delivery) => ({ ...delivery, breakAt: point }));
  return everyStep(shortest, brokenOff, { ...found, point });
}
