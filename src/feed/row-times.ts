import { type Drawing, type Entry, type History, type KeyState, step } from './histories.ts';

/*
 * Histories of snapshots whose rows carry the instant of their last change. They arrive in the order of `asOf`, so the walk is one through
 * the loads. What a source can say of a key:
 *
 * - a row that did not change repeats its instant (unless that would be late, and the contract excludes it: then all are new);
 * - a change has an instant after all that was said of its key, unless late row times are allowed and the key never went away;
 * - a key that is back has an instant after its last absence, or (restored unchanged after one load) the one it had.
 */

interface Row extends KeyState {
  readonly instant: bigint;
}

interface Memory {
  /** The row as it was delivered last. */
  row: Row | null;
  /** No instant up to here is new for the key. */
  spoken: bigint | null;
  /** Instants that were taken by a state before, which the same key may not give to another. */
  readonly taken: Set<bigint>;
  absences: number;
  hasGone: boolean;
}

export function drawRowTimes(drawing: Drawing): History {
  const { schedule, partition } = drawing;
  const memory: Memory = { row: null, spoken: null, taken: new Set(), absences: 0, hasGone: false };
  let previous: bigint | null = null;
  return schedule.slots.map(({ asOf, partitions }) => {
    const isNamed = partitions.includes(partition);
    const entries = isNamed ? load(drawing, memory, asOf, previous) : [];
    previous = asOf;
    return entries;
  });
}

/** What one snapshot says of the key. */
function load(drawing: Drawing, memory: Memory, asOf: bigint, previous: bigint | null): readonly Entry[] {
  const { row } = memory;
  const life = row === null ? 'unborn' : memory.absences > 0 ? 'gone' : 'present';
  const next = step(drawing, { state: row?.state ?? 0, untracked: row?.untracked ?? 0, life });
  if (next.life !== 'present') {
    if (row === null) return [];
    memory.absences++;
    memory.hasGone = true;
    memory.spoken = asOf;
    return [];
  }
  const told = tell(drawing, memory, next, asOf, previous);
  memory.row = told;
  memory.absences = 0;
  memory.taken.add(told.instant);
  if (memory.spoken === null || told.instant > memory.spoken) memory.spoken = told.instant;
  const { instant, state, untracked } = told;
  return [{ instant, state, untracked, isDelete: false, isFirst: row === null, tie: 0 }];
}

/** The row that is delivered for what the key is now. */
function tell(drawing: Drawing, memory: Memory, next: KeyState, asOf: bigint, previous: bigint | null): Row {
  const { rules, dice } = drawing;
  const { row, absences } = memory;
  const isUnchanged = row !== null && next.state === row.state && next.untracked === row.untracked;
  if (isUnchanged && !rules.touched && absences <= 1 && dice.chance(85)) return row;
  return { ...next, instant: fresh(drawing, memory, asOf, previous) };
}

/** A new instant for the key, up to that of the load. */
function fresh(
  { rules, schedule, dice }: Drawing,
  memory: Memory,
  asOf: bigint,
  previous: bigint | null,
): bigint {
  if (rules.touched) return asOf;
  if (rules.late && !memory.hasGone && dice.chance(25)) {
    const earlier = schedule.slots
      .map((slot) => slot.asOf - rules.unit)
      .filter((instant) => instant <= asOf && !memory.taken.has(instant));
    if (earlier.length > 0) return dice.pick(earlier);
  }
  // Right at the load, or as soon as the load before was over.
  const soonest = previous === null ? asOf - rules.unit : previous + rules.unit;
  const isNew = memory.spoken === null || soonest > memory.spoken;
  return soonest <= asOf && isNew && dice.chance(40) ? soonest : asOf;
}
