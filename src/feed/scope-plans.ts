import { type Contract, grainMicros } from '../contract/contract.ts';
import { parseInstant } from '../contract/instant.ts';
import { divisions, isInOrder, permutations, range, sequences } from './orders.ts';
import { type Sendable, sendable } from './sendable.ts';

/**
 * The schedules of the small scope: in which batches the n instants of a history arrive. What is said at them is not known here.
 */
export interface Plan {
  readonly id: string;
  readonly batches: readonly PlannedBatch[];
  readonly timing: Timing;
}

export interface PlannedBatch {
  readonly asOf: bigint;
  /** The instants it speaks of, by their places in the order of time. */
  readonly places: readonly number[];
}

/**
 * Which instants rows carry that are delivered by snapshots with row times: that of the load that saw the change first, one between
 * that load and the one before, or another order than that of the loads (late row times).
 */
export type Timing = 'at-load' | 'between-loads' | readonly number[];

/** What one instant says of a key: nothing (which is absence in a snapshot), that it is deleted, or a state. */
export type ScopeSymbol = 'none' | 'deleted' | 'NULL' | 'A' | 'B';

/** Feeds of one history each. */
export interface Singles {
  readonly plan: Plan;
  readonly histories: readonly (readonly ScopeSymbol[])[];
  readonly hasBallast: boolean;
}

export interface ScopePlans {
  readonly orders: readonly Plan[];
  readonly redeliveries: readonly Plan[];
  readonly singles: readonly Singles[];
}

const START = parseInstant('2026-03-01')!;
export const DAY = grainMicros('day');

export function scopePlans(contract: Contract, n: number, orders: 'every' | 'in-order'): ScopePlans {
  const rules = sendable(contract);
  return {
    orders: ordersOf(rules, n, orders),
    redeliveries: redeliveriesOf(rules, n),
    singles: [...snapshotsWithoutRows(contract, rules, n), ...refusedLate(contract, rules, n)],
  };
}

/** The instant of a place, for everything but snapshots with row times. */
export function instantAt(place: number): bigint {
  return START + BigInt(place) * DAY;
}

function ordersOf(rules: Sendable, n: number, orders: 'every' | 'in-order'): readonly Plan[] {
  const all = rules.late && orders === 'every';
  if (rules.mode === 'row-time') {
    const inOrder = planOf(
      rules,
      n,
      range(n).map((place) => [place]),
    );
    const late = permutations(n).slice(1);
    return [
      inOrder,
      { ...inOrder, id: `${inOrder.id}/between`, timing: 'between-loads' },
      ...(all
        ? late.map((timing) => ({ ...inOrder, id: `${inOrder.id}/rows-${spell(timing)}`, timing }))
        : []),
    ];
  }
  if (rules.mode === 'events') {
    const divided = divisions(n).filter((batches) => all || isInOrder(batches));
    return divided.map((batches) => planOf(rules, n, batches));
  }
  const arrivals = all ? permutations(n) : [range(n)];
  return arrivals.map((order) =>
    planOf(
      rules,
      n,
      order.map((place) => [place]),
    ),
  );
}

/** Each batch of the order of time again: after any that came later, or only at once. */
function redeliveriesOf(rules: Sendable, n: number): readonly Plan[] {
  if (rules.redelivery === 'none') return [];
  const plan = planOf(
    rules,
    n,
    range(n).map((place) => [place]),
  );
  return range(n).flatMap((again) =>
    range(rules.redelivery === 'later' ? n - again : 1).map((wait) => {
      const after = again + wait + 1;
      const { batches } = plan;
      return {
        ...plan,
        id: `${plan.id}/again-${again + 1}-after-${after}`,
        batches: [...batches.slice(0, after), batches[again]!, ...batches.slice(after)],
      };
    }),
  );
}

function planOf(rules: Sendable, n: number, batches: readonly (readonly number[])[]): Plan {
  const asOf = (places: readonly number[], at: number) => {
    if (rules.mode === 'row-time') return loadInstant(n, at);
    // Events have instants of their own; their batches are loaded one after the other, when all has happened.
    return rules.mode === 'events' ? instantAt(n + at) : instantAt(places[0]!);
  };
  return {
    id: `scope/${n}/${batches.map(spell).join('-')}`,
    batches: batches.map((places, at) => ({ asOf: asOf(places, at), places })),
    timing: 'at-load',
  };
}

/** Loads of snapshots with row times lie after all late row times, and far enough apart for an instant between two of them. */
function loadInstant(n: number, at: number): bigint {
  return instantAt(2 * (n + at));
}

function spell(places: readonly number[]): string {
  return places.map((place) => place + 1).join('+');
}

/** Where an empty snapshot closes all: one key alone, so that its absences are snapshots without rows. */
function snapshotsWithoutRows(contract: Contract, rules: Sendable, n: number): readonly Singles[] {
  const { feed, emptySnapshot, columns } = contract;
  if (feed !== 'snapshot' || emptySnapshot !== 'close-all' || columns.partition !== null) return [];
  const length = Math.min(n, 3);
  const plan = planOf(
    rules,
    length,
    range(length).map((place) => [place]),
  );
  const histories = sequences<ScopeSymbol>(['none', 'A'], length).filter((history) => {
    if (!history.includes('none') || !history.includes('A')) return false;
    return rules.deletes || isPresentToTheEnd(history);
  });
  return [{ plan: { ...plan, id: `scope/${n}/no-rows` }, histories, hasBallast: false }];
}

/** Absent only before it first appears. */
export function isPresentToTheEnd(history: readonly ScopeSymbol[]): boolean {
  const first = history.findIndex((symbol) => symbol !== 'none');
  return first < 0 || history.indexOf('none', first) < 0;
}

/** Where late batches are refused, a packed feed would lose all its histories to one: a few histories alone, in every order. */
function refusedLate(contract: Contract, rules: Sendable, n: number): readonly Singles[] {
  if (contract.late !== 'reject' || rules.mode === 'row-time' || contract.clock === 'wall') return [];
  const length = Math.min(n, 3);
  const histories: readonly (readonly ScopeSymbol[])[] = [
    ['A', 'B', 'A'].slice(0, length) as ScopeSymbol[],
    ['B', 'B', 'A'].slice(0, length) as ScopeSymbol[],
  ];
  return permutations(length)
    .slice(1)
    .map((order) => {
      const plan = planOf(
        rules,
        length,
        order.map((place) => [place]),
      );
      return { plan: { ...plan, id: `scope/${n}/refused-${spell(order)}` }, histories, hasBallast: true };
    });
}
