import { batchColumns, type Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { ballast, earliest } from './ballast.ts';
import type { Dice } from './dice.ts';
import type { Feed } from './feed.ts';
import type { Entry, History } from './histories.ts';
import { type Key, partitions } from './keys.ts';
import type { Cells } from './palette.ts';
import { columnOfFirstStart, rowWriter } from './rows.ts';
import type { Schedule } from './schedule.ts';
import { sendable } from './sendable.ts';

/** A history with its own key and values: all that goes into a feed for it. */
export interface Member {
  readonly key: Key;
  readonly history: History;
  readonly states: readonly Cells[];
  readonly untracked: readonly Cells[];
  /** For the column that `firstStart` names. */
  readonly firstStart: bigint | null;
  /** Which spelling of the key each slot uses. */
  readonly spellings: readonly number[];
}

/** Histories under disjoint keys do not touch each other: put together, they are one feed. */
export function pack(
  contract: Contract,
  id: string,
  schedule: Schedule,
  members: readonly Member[],
  dice: Dice,
): Feed {
  const since = earliest(schedule.slots);
  const constant = ballast(contract, since);
  const names = partitions(contract);
  const write = memberWriter(contract, schedule);
  // The rows of each key, in each slot. What is delivered again is the same rows.
  const slots = schedule.slots.map(({ asOf, partitions: named }, slot) => [
    constant(
      asOf,
      named.map((at) => names[at]!),
    ).map((row) => [row]),
    members.map((member) => write(member, slot)).filter((rows) => rows.length > 0),
  ]);
  const columns = batchColumns(contract.columns, contract.firstStart).map(({ name }) => name);
  const isOrdered = sendable(contract).duplicates === 'differing' && contract.columns.sequence === null;
  return {
    id,
    batches: schedule.arrivals.map((slot) => {
      const groups = slots[slot]!.flat();
      // Where the order of rows decides between duplicates, it is kept inside each key.
      const rows: readonly Row[] = isOrdered ? dice.shuffled(groups).flat() : dice.shuffled(groups.flat());
      const batch = { asOf: schedule.slots[slot]!.asOf, rows };
      return dice.chance(40) ? { ...batch, columns: dice.shuffled(columns) } : batch;
    }),
  };
}

function memberWriter(
  contract: Contract,
  schedule: Schedule,
): (member: Member, slot: number) => readonly Row[] {
  const write = rowWriter(contract);
  const times = [...new Set(schedule.slots.flatMap(({ instants }) => instants))].sort((a, b) =>
    a < b ? -1 : 1,
  );
  const places = new Map(times.map((instant, place) => [instant, place]));
  // Sequences rise with time; rows of one instant differ by their tie.
  const sequence = ({ instant, tie }: Entry) => 2 * (places.get(instant) ?? 0) + tie;
  return (member, slot) => {
    const { key, states, untracked, firstStart } = member;
    const spelling = key.spellings[member.spellings[slot]!]!;
    const rows: Row[] = [];
    let before: Entry | null = null;
    for (const entry of member.history[slot]!) {
      // An equal duplicate is the same entry twice.
      const row =
        entry === before
          ? rows.at(-1)!
          : write({
              key: spelling,
              tracked: states[entry.state]!,
              untracked: untracked[entry.untracked]!,
              instant: entry.instant,
              isDelete: entry.isDelete,
              isFirst: entry.isFirst,
              sequence: sequence(entry),
              partition: key.partition,
              firstStart,
            });
      rows.push(row);
      before = entry;
    }
    return rows;
  };
}

/** Where a key is said to have begun: before its first batch, within, long after, or not at all. */
export function drawFirstStart(contract: Contract, schedule: Schedule, dice: Dice): bigint | null {
  const column = columnOfFirstStart(contract);
  if (column === null) return null;
  const { unit } = sendable(contract);
  const first = schedule.slots[0]!.asOf;
  const starts = [
    first - 1000n * unit,
    first - unit,
    first,
    dice.pick(schedule.slots).asOf,
    first + 1000n * unit,
  ];
  return column.nullable && dice.chance(20) ? null : dice.pick(starts);
}
