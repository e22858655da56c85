import { type Contract, grainMicros } from '../contract/contract.ts';
import { parseInstant, truncateInstant } from '../contract/instant.ts';
import type { Dice } from './dice.ts';
import { partitions } from './keys.ts';
import { range } from './orders.ts';
import { isOwnPartition, type Sendable, sendable } from './sendable.ts';

/**
 * When what is said: the batches of a feed, without their rows. A *slot* is what one load delivers, an *arrival* is the load of a slot:
 * a slot that arrives twice is a redelivery, the same rows again. Two slots may have one instant; then the contract decides whether
 * they may contradict each other.
 */
export interface Schedule {
  /** In the order in which they arrive first. */
  readonly slots: readonly Slot[];
  /** Places of slots, in the order of arrival. */
  readonly arrivals: readonly number[];
}

export interface Slot {
  readonly asOf: bigint;
  /** The instants that its rows may have, in order; `asOf` alone where rows have none of their own. */
  readonly instants: readonly bigint[];
  /** The partitions it delivers, by their places in `partitions(contract)`. */
  readonly partitions: readonly number[];
  /** It arrives once, and no other slot has an instant of it: what it says twice of a key, nobody else contradicts. */
  readonly isAlone: boolean;
}

/** Instants begin at turns of the calendar. All lie after the epoch and before 2038, where some engines end. */
const BASES = [
  '2026-03-01T00:00:00Z',
  '2026-03-01T06:00:00Z',
  '2026-03-28T23:59:59.999998Z',
  '2024-02-28T23:59:59.999998Z',
  '2025-12-31T23:59:59.999998Z',
  '2000-02-28T12:00:00Z',
  '2026-10-24T22:00:00Z',
] as const;

const GAPS = [grainMicros('second'), 12n * 3_600_000_000n, grainMicros('day'), 31n * grainMicros('day')];

const MOST_BATCHES = 10;

export function drawSchedule(contract: Contract, dice: Dice): Schedule {
  const rules = sendable(contract);
  // Short feeds are in the small scope already.
  const count = dice.chance(15) ? 1 + dice.below(2) : 3 + dice.below(MOST_BATCHES - 2);
  const pool = drawPool(rules, dice, count + 1 + dice.below(3));
  const drawn =
    rules.mode === 'events'
      ? drawWindows(rules, dice, pool, count)
      : drawLoads(rules, dice, pool.slice(0, count + 1), count);
  const named = () => drawPartitions(contract, dice);
  return settle({
    arrivals: drawn.arrivals,
    slots: drawn.slots.map((slot) => ({ ...slot, partitions: named(), isAlone: false })),
  });
}

/** Finds out which slots are alone. */
export function settle({ slots, arrivals }: Schedule): Schedule {
  const uses = new Map<bigint, number>();
  for (const at of arrivals)
    for (const instant of slots[at]!.instants) uses.set(instant, (uses.get(instant) ?? 0) + 1);
  return {
    arrivals,
    slots: slots.map((slot) => ({
      ...slot,
      isAlone: slot.instants.every((instant) => uses.get(instant) === 1),
    })),
  };
}

/** Instants in order; neighbours are often one grain apart. */
function drawPool(rules: Sendable, dice: Dice, size: number): readonly bigint[] {
  const base = truncateInstant(parseInstant(dice.pick(BASES))!, rules.unit);
  const gaps = [rules.unit, rules.unit, ...GAPS.filter((gap) => gap % rules.unit === 0n)];
  let instant = base;
  return range(size).map(() => {
    instant += dice.pick(gaps);
    return instant;
  });
}

type Drawn = {
  readonly slots: readonly Pick<Slot, 'asOf' | 'instants'>[];
  readonly arrivals: readonly number[];
};

/** Loads that speak at their own `asOf`. An instant that comes again is a redelivery, or another slot. */
function drawLoads(rules: Sendable, dice: Dice, pool: readonly bigint[], count: number): Drawn {
  const isLate = rules.mode !== 'row-time' && rules.late && dice.chance(80);
  const times = isLate ? arrangeLate(dice, range(count)) : range(count);
  const order: number[] = [];
  for (const [at, time] of times.entries()) {
    order.push(time);
    // Now and then an instant once more: any that has come, or where nothing may be late, the last.
    if (dice.chance(22)) order.push(isLate ? times[dice.below(at + 1)]! : time);
  }
  order.splice(MOST_BATCHES);
  const slots: Pick<Slot, 'asOf' | 'instants'>[] = [];
  const arrivals: number[] = [];
  for (const pick of order) {
    const asOf = pool[pick]!;
    const before = slots.findLastIndex((slot) => slot.asOf === asOf);
    if (before >= 0) {
      if (rules.redelivery === 'none') continue;
      // In a delta, two parts of one instant need not contradict each other; two snapshots do, unless they are equal.
      const another = rules.conflicts || rules.mode === 'delta';
      if (!another || dice.chance(50)) {
        arrivals.push(before);
        continue;
      }
    }
    arrivals.push(slots.length);
    slots.push({ asOf, instants: [asOf] });
  }
  return { slots, arrivals };
}

/** Any order, or that of time with one or two batches out of place. */
function arrangeLate(dice: Dice, picks: readonly number[]): readonly number[] {
  if (dice.chance(50)) return dice.shuffled(picks);
  const order = [...picks];
  for (let moves = 1 + dice.below(2); moves > 0; moves--) {
    const [moved] = order.splice(dice.below(order.length), 1);
    order.splice(dice.below(order.length + 1), 0, moved!);
  }
  return order;
}

/**
 * Loads whose rows have instants of their own. They are loaded one after the other, after all of these. Where nothing may be late, each
 * takes its instants from where the one before stopped, and only one of a single instant can arrive again.
 */
function drawWindows(rules: Sendable, dice: Dice, pool: readonly bigint[], count: number): Drawn {
  const loaded = pool.at(-1)!;
  const slots: Pick<Slot, 'asOf' | 'instants'>[] = [];
  const arrivals: number[] = [];
  let next = 0;
  for (let at = 0; at < count; at++) {
    const last = slots.at(-1);
    const mayRepeat = last !== undefined && rules.redelivery !== 'none';
    if (mayRepeat && dice.chance(20) && (rules.late || last.instants.length === 1)) {
      arrivals.push(rules.late ? dice.below(slots.length) : slots.length - 1);
      continue;
    }
    const size = 1 + dice.below(3);
    const instants =
      rules.late && dice.chance(60)
        ? [...new Set(range(size).map(() => dice.pick(pool)))].sort((a, b) => (a < b ? -1 : 1))
        : pool.slice(next, next + size);
    if (instants.length === 0) break;
    next = Math.max(next, pool.indexOf(instants.at(-1)!) + (dice.chance(30) ? 0 : 1));
    arrivals.push(slots.length);
    slots.push({ asOf: loaded + BigInt(at + 1) * rules.unit, instants });
  }
  return { slots, arrivals };
}

function drawPartitions(contract: Contract, dice: Dice): readonly number[] {
  const all = range(isOwnPartition(contract) ? 1 : partitions(contract).length);
  if (all.length === 1 || dice.chance(60)) return all;
  return dice.shuffled(all).slice(0, 1 + dice.below(all.length - 1));
}
