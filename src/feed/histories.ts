import type { Contract } from '../contract/contract.ts';
import type { Dice } from './dice.ts';
import { drawRowTimes } from './row-times.ts';
import type { Schedule, Slot } from './schedule.ts';
import { type Sendable, sendable } from './sendable.ts';

/** One row of a history. States are places in a palette; `deleted` rows say that the key is gone. */
export interface Entry {
  readonly instant: bigint;
  readonly state: number;
  readonly isDelete: boolean;
  readonly untracked: number;
  /** Nothing was said of the key before, in the order of time. */
  readonly isFirst: boolean;
  /** Order among rows of one key and instant. */
  readonly tie: number;
}

/** What a key goes through: its rows in each slot. No row is absence in a snapshot, and nothing anywhere else. */
export type History = readonly (readonly Entry[])[];

/** How lively a key is, in percent: what happens to it at each instant. */
export interface Temper {
  readonly change: number;
  readonly go: number;
  readonly return: number;
  readonly silent: number;
  readonly untracked: number;
}

const TEMPERS: readonly Temper[] = [
  { change: 45, go: 15, return: 60, silent: 15, untracked: 30 },
  { change: 75, go: 5, return: 80, silent: 10, untracked: 30 },
  { change: 15, go: 35, return: 50, silent: 20, untracked: 15 },
  { change: 10, go: 3, return: 30, silent: 40, untracked: 60 },
  { change: 40, go: 0, return: 50, silent: 0, untracked: 0 },
];

export interface Palette {
  /** How many states there are. */
  readonly states: number;
  readonly untracked: number;
}

/** Draws histories that are legal under the contract in the order of arrival that the schedule has. */
export function historyDrawer(
  contract: Contract,
  schedule: Schedule,
): (partition: number, palette: Palette, dice: Dice) => History {
  const rules = sendable(contract);
  const mentions = mentionsOf(schedule);
  return (partition, palette, dice) => {
    const temper = dice.pick(TEMPERS);
    const drawing = { rules, schedule, mentions, partition, palette, temper, dice };
    const history = rules.mode === 'row-time' ? drawRowTimes(drawing) : drawByTime(drawing);
    if (rules.duplicates === 'none') return history;
    return history.map((rows, slot) =>
      withDuplicate(contract, rules, schedule.slots[slot]!, rows, palette, dice),
    );
  };
}

/** An instant, and the slots that may speak of it. */
interface Mention {
  readonly instant: bigint;
  readonly slots: readonly number[];
}

/** All instants in the order of time. */
function mentionsOf({ slots }: Schedule): readonly Mention[] {
  const instants = [...new Set(slots.flatMap((slot) => slot.instants))].sort((a, b) => (a < b ? -1 : 1));
  return instants.map((instant) => ({
    instant,
    slots: [...slots.keys()].filter((slot) => slots[slot]!.instants.includes(instant)),
  }));
}

export interface Drawing {
  readonly rules: Sendable;
  readonly schedule: Schedule;
  readonly mentions: readonly Mention[];
  readonly partition: number;
  readonly palette: Palette;
  readonly temper: Temper;
  readonly dice: Dice;
}

/**
 * Walks through the instants in the order of time, whatever the order of arrival: what is said at an instant follows from what was the
 * state before it. Slots that share an instant say the same of the key, or (where the contract allows) now and then another thing.
 */
function drawByTime(drawing: Drawing): History {
  const { rules, schedule, partition, temper, dice } = drawing;
  const { slots } = schedule;
  const rows: Entry[][] = slots.map(() => []);
  const isSnapshot = rules.mode === 'snapshot';
  // Some keys use one instant of each batch at most, the others as many as there are.
  const isBusy = dice.chance(40);
  let key: KeyState = { state: 0, untracked: 0, life: 'unborn' };
  for (const { instant, slots: speaking } of drawing.mentions) {
    const next = step(drawing, key);
    let isDecided = false;
    for (const slot of speaking) {
      if (isSnapshot ? !slots[slot]!.partitions.includes(partition) : dice.chance(temper.silent)) continue;
      if (!isBusy && rows[slot]!.length > 0) continue;
      const other = isDecided && rules.conflicts && dice.chance(40) ? step(drawing, key) : next;
      // A key that is there by one batch and not by another, at one instant, was deleted by one of them.
      const said = rules.deletes || other.life === next.life ? other : next;
      isDecided = true;
      const isDelete = said.life === 'gone';
      if (said.life === 'unborn' || (isDelete && isSnapshot)) continue;
      const { state, untracked } = said;
      const isFirst = !isDelete && key.life === 'unborn';
      rows[slot]!.push({ instant, state, untracked, isDelete, isFirst, tie: 0 });
    }
    // Where nobody spoke of the key nothing happened, so that what comes next follows from what was delivered.
    if (isDecided) key = next;
  }
  return rows;
}

export interface KeyState {
  readonly state: number;
  readonly untracked: number;
  readonly life: 'unborn' | 'present' | 'gone';
}

/** What a key is at the next instant. */
export function step({ rules, palette, temper, dice }: Drawing, before: KeyState): KeyState {
  const untracked = dice.chance(temper.untracked) ? dice.below(palette.untracked) : before.untracked;
  const state = dice.below(palette.states);
  if (before.life === 'unborn') {
    const isSnapshot = rules.mode === 'snapshot' || rules.mode === 'row-time';
    if (isSnapshot && dice.chance(30)) return before;
    // A delete of what was never there happens; in a snapshot there is nothing to send.
    if (!isSnapshot && rules.deletes && dice.chance(8)) return { ...before, life: 'gone' };
    return { state, untracked, life: 'present' };
  }
  if (before.life === 'gone') {
    if (!dice.chance(temper.return)) return before;
    return { state: dice.chance(50) ? before.state : state, untracked, life: 'present' };
  }
  if (rules.deletes && dice.chance(temper.go)) return { ...before, life: 'gone' };
  return { state: dice.chance(temper.change) ? state : before.state, untracked, life: 'present' };
}

/** Now and then a second row for the same key and instant. */
function withDuplicate(
  contract: Contract,
  rules: Sendable,
  slot: Slot,
  rows: readonly Entry[],
  palette: Palette,
  dice: Dice,
): readonly Entry[] {
  if (rows.length === 0 || !dice.chance(12)) return rows;
  const at = dice.below(rows.length);
  const row = rows[at]!;
  // A row time is repeated by later snapshots, which must not contradict one of the two.
  const isAlone = slot.isAlone && rules.mode !== 'row-time';
  const mayDiffer = rules.duplicates === 'differing' && (rules.conflicts || isAlone);
  if (!mayDiffer || dice.chance(30)) return [...rows.slice(0, at), row, ...rows.slice(at)];
  const isDelete =
    (rules.mode === 'delta' || rules.mode === 'events') &&
    rules.deletes &&
    contract.deletes !== 'ignore' &&
    dice.chance(20);
  const other = {
    ...row,
    isDelete,
    state: dice.below(palette.states),
    untracked: dice.below(palette.untracked),
  };
  const [first, second] = dice.chance(50) ? [row, other] : [other, row];
  // Sequences need not rise with the order of rows.
  const [tie, otherTie] = dice.chance(50) ? [0, 1] : [1, 0];
  return [...rows.slice(0, at), { ...first, tie }, { ...second, tie: otherTie }, ...rows.slice(at + 1)];
}
