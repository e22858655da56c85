import { type Contract, grainMicros } from '../contract/contract.ts';
import { parseInstant, truncateInstant } from '../contract/instant.ts';
import { countSituations, type SituationCounts } from './coverage.ts';
import { rollDice } from './dice.ts';
import type { Feed } from './feed.ts';
import { partitions } from './keys.ts';
import { range } from './orders.ts';
import { type Member, pack } from './pack.ts';
import { drawMembers } from './random.ts';
import { type Schedule, type Slot, settle } from './schedule.ts';
import { isOwnPartition, type Sendable, sendable } from './sendable.ts';
import { type SituationId, situations } from './situations.ts';

/*
 * One packed feed of about ten batches in which every situation happens that a packed feed can be in: so that an implementation which
 * takes seconds for a batch meets all of them.
 *
 * The schedule is fixed. Its keys are not written by hand for each contract but found: of many histories for that schedule, drawn with a fixed
 * seed, those are taken that reach something which the ones before did not. So each key is there for a reason, and any contract has its feed.
 */

const SEED = 20_260_301;
const MOST_CANDIDATES = 1500;
/** How many keys should reach each situation. */
const ENOUGH = 2;

export function coveringFeed(contract: Contract): Feed {
  const schedule = coveringSchedule(contract);
  const feedOf = (id: string, members: readonly Member[]) =>
    pack(contract, id, schedule, members, rollDice(SEED, 1));
  const candidates = drawMembers(contract, schedule, rollDice(SEED));
  const first = candidates.next().value;
  if (first === undefined) return feedOf('covering', []);

  // Each is counted beside a key that is always there, so that what is late is late; and without what that key adds.
  const constant = constantly(contract, first, schedule);
  const count = (...members: Member[]) => countSituations(contract, feedOf('', [constant, ...members]));
  const none = count();
  const missing = new Map(wantedIn(contract).map((id) => [id, ENOUGH]));
  const chosen: Member[] = [];
  let tried = 0;
  for (const member of candidates) {
    if (takes(missing, count(member), none)) chosen.push(member);
    if (missing.size === 0 || ++tried >= MOST_CANDIDATES) break;
  }
  return feedOf('covering', [constant, ...chosen]);
}

/** The member in its first state at all instants, wherever its partition is named. */
function constantly(contract: Contract, member: Member, { slots }: Schedule): Member {
  const { mode, touched } = sendable(contract);
  const at = (slot: Slot) => (mode === 'row-time' && !touched ? [slots[0]!.asOf] : slot.instants);
  const partition = Math.max(0, partitions(contract).indexOf(member.key.partition));
  const row = { state: 0, untracked: 0, isDelete: false, isFirst: false, tie: 0 };
  return {
    ...member,
    key: { ...member.key, spellings: member.key.spellings.slice(0, 1) },
    history: slots.map((slot) =>
      slot.partitions.includes(partition) ? at(slot).map((instant) => ({ ...row, instant })) : [],
    ),
    spellings: slots.map(() => 0),
  };
}

/** Situations that a packed feed can be in by what one of its keys goes through. */
function wantedIn(contract: Contract): readonly SituationId[] {
  const byBatch = new Set<SituationId>(BY_BATCH);
  if (contract.nullKey !== 'value') byBatch.add('null-key');
  return situations(contract).flatMap(({ id, allowed }) => (allowed && !byBatch.has(id) ? [id] : []));
}

const BY_BATCH: readonly SituationId[] = [
  'redelivery-at-once',
  'redelivery-later',
  'first-load-empty',
  'empty-batch',
  'one-row-batch',
  'reordered-columns',
  'rejected-late',
  'rejected-same-instant',
  'rejected-duplicates',
  'rejected-null-key',
  'rejected-empty',
];

/** Whether the member reaches something that is still missing; if so, that is missing once less. */
function takes(missing: Map<SituationId, number>, counts: SituationCounts, none: SituationCounts): boolean {
  const reached = [...missing.keys()].filter((id) => counts[id] > none[id]);
  for (const id of reached) {
    const left = missing.get(id)! - 1;
    if (left > 0) missing.set(id, left);
    else missing.delete(id);
  }
  return reached.length > 0;
}

// The schedule

/** Places of instants, batch by batch; a batch that repeats an earlier one is its redelivery. */
const ORDERS = {
  late: [[2], [4], [7], [7], [5], [1], [8], [3], [5], [9]],
  inOrder: [[1], [2], [2], [3], [4], [5], [6], [7], [8], [9]],
  lateEvents: [[2, 3], [6], [6], [4], [1], [5, 8], [7], [6], [3, 9], [9, 10]],
  eventsInOrder: [[1, 2], [3], [3], [3, 4, 5], [6], [7], [7, 8], [9], [9], [9, 10]],
} as const;

function coveringSchedule(contract: Contract): Schedule {
  const rules = sendable(contract);
  const at = instants(rules);
  const isLate = rules.late && rules.mode !== 'row-time';
  const order: readonly (readonly number[])[] =
    rules.mode === 'events'
      ? ORDERS[isLate ? 'lateEvents' : 'eventsInOrder']
      : ORDERS[isLate ? 'late' : 'inOrder'];
  const slots: Slot[] = [];
  const arrivals: number[] = [];
  const add = (places: readonly number[]) => {
    arrivals.push(slots.length);
    const asOf = rules.mode === 'events' ? at(12 + slots.length) : at(places[0]!);
    slots.push({
      asOf,
      instants: places.map(at),
      partitions: namedBy(contract, slots.length),
      isAlone: false,
    });
  };
  for (const [place, places] of order.entries()) {
    const before = order.slice(0, place).findLastIndex((other) => other.join() === places.join());
    if (before < 0) add(places);
    else if (rules.redelivery !== 'none') arrivals.push(arrivals[before]!);
  }
  // Another load at the last instant.
  if (rules.conflicts && rules.mode !== 'events') add(order.at(-1)!);
  return settle({ slots, arrivals });
}

/** Instants by place: by turns a day and a grain apart. */
function instants({ unit }: Sendable): (place: number) => bigint {
  const start = truncateInstant(parseInstant('2026-03-01T06:00:00Z')!, unit);
  const day = grainMicros('day');
  return (place) => start + BigInt(Math.ceil(place / 2)) * day + BigInt(Math.floor(place / 2)) * unit;
}

/** Most batches name all partitions, some only the first or the others. */
function namedBy(contract: Contract, slot: number): readonly number[] {
  const all = range(isOwnPartition(contract) ? 1 : partitions(contract).length);
  if (all.length === 1 || ![2, 4, 5].includes(slot)) return all;
  return slot === 4 ? all.slice(1) : all.slice(0, 1);
}
