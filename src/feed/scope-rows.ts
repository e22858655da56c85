import type { Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Key } from './keys.ts';
import { type Cells, plainStates, plainUntracked } from './palette.ts';
import { rowWriter } from './rows.ts';
import { DAY, instantAt, type Plan, type ScopeSymbol, type Timing } from './scope-plans.ts';
import { sendable } from './sendable.ts';

/** A history's row for each place, null where it has none. `at` numbers the histories of a feed, `turn` the feeds. */
type WriteHistory = (
  history: readonly ScopeSymbol[],
  key: Key,
  at: number,
  turn: number,
) => readonly (Row | null)[];

/**
 * Turns the symbols of a history into rows. Beside what the symbols say, the untracked attributes vary, and which tracked column it is
 * that changes takes turns from history to history and from feed to feed.
 */
export function historyWriter(contract: Contract, plan: Plan): WriteHistory {
  const write = rowWriter(contract);
  const untracked = plainUntracked(contract);
  const { mode, touched } = sendable(contract);
  const states = contract.columns.tracked.map((_, n) => plainStates(contract, n));
  // By place, also where a batch arrives twice.
  const loads = new Map(
    plan.batches.flatMap(({ asOf, places }) => places.map((place) => [place, asOf] as const)),
  );

  return (history, key, at, turn) => {
    const times = history.map((_, place) => {
      const instant = mode === 'row-time' ? loads.get(place)! : instantAt(place);
      return { instant, changed: place };
    });
    const placed =
      mode === 'row-time'
        ? rowTimes(
            history,
            times.map(({ instant }) => instant),
            plan.timing,
            touched,
          )
        : times;
    const { A, B, NULL: null_ } = states[(at + turn) % states.length]!;
    const cells: Record<ScopeSymbol, Cells> = { none: A, deleted: A, A, B: B ?? A, NULL: null_ ?? A };
    return history.map((symbol, place) => {
      if (symbol === 'none') return null;
      const { instant, changed } = placed[place]!;
      return write({
        key: key.spellings[0]!,
        tracked: cells[symbol],
        // Some histories keep them, some change them now and then, some with every row.
        untracked: untracked[((at % 3) * changed + ((at >> 2) & changed)) % untracked.length]!,
        instant,
        isDelete: symbol === 'deleted',
        isFirst: history.slice(0, place).every((before) => before === 'none' || before === 'deleted'),
        sequence: place,
        partition: key.partition,
        firstStart: firstStart(at),
      });
    });
  };
}

/** For the column that `firstStart` may name: some histories began before the first batch, some within, some say nothing. */
function firstStart(at: number): bigint {
  return instantAt([-30, 1, 0][at % 3]!);
}

/**
 * The instant that each row of a snapshot carries: that of its last change, as a source keeps it in `updated_at`. `changed` is the place
 * where it changed, so that what is not a change repeats the row as it was.
 *
 * After a key has gone, the source stamps by the clock again: late instants of what came back would lie before its close, where the
 * contract puts them all at one instant. Only a row that is back unchanged after one load keeps its old instant, as restored rows do.
 */
function rowTimes(
  history: readonly ScopeSymbol[],
  loads: readonly bigint[],
  timing: Timing,
  touched: boolean,
): readonly { instant: bigint; changed: number }[] {
  let last: { symbol: ScopeSymbol; instant: bigint; changed: number } | null = null;
  let absences = 0;
  let hasGone = false;
  return history.map((symbol, place) => {
    const load = loads[place]!;
    if (symbol === 'none') {
      absences++;
      hasGone ||= last !== null;
      return { instant: load, changed: place };
    }
    const isOld =
      last !== null &&
      last.symbol === symbol &&
      !touched &&
      (absences === 0 || (absences === 1 && timing === 'between-loads'));
    absences = 0;
    if (isOld) return last!;
    last = { symbol, changed: place, instant: freshInstant(load, place, timing, hasGone) };
    return last;
  });
}

function freshInstant(load: bigint, place: number, timing: Timing, hasGone: boolean): bigint {
  if (timing === 'between-loads') return load - DAY;
  return timing === 'at-load' || hasGone ? load : instantAt(timing[place]!);
}
