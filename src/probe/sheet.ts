import type { Cell, Column, Row } from '../contract/columns.ts';
import type { Contract, Field } from '../contract/contract.ts';
import { formatDate, formatInstant, parseInstant } from '../contract/instant.ts';
import { held } from '../feed/cells.ts';
import type { Feed, FeedBatch } from '../feed/feed.ts';
import { type KeyMaker, keyMaker } from '../feed/keys.ts';
import { type Cells, freeColumns, plainUntracked } from '../feed/palette.ts';
import { rowWriter } from '../feed/rows.ts';
import { plainCell } from '../feed/values.ts';

/**
 * A sheet is a feed as a table: a line for each key, a column for each batch. What a line says at a batch is written in a few characters,
 * so that a sheet can be read:
 *
 * | written | means                                                    |
 * | ------- | -------------------------------------------------------- |
 * | `A`     | a row in state A (B, C; `N`: with NULL)                  |
 * | `A1`    | the same, with the second untracked state                |
 * | `x`     | a row whose operation is a delete                        |
 * | `-`     | no row                                                   |
 * | `B@1`   | a row with the own instant of day 1                      |
 * | `B'`    | the key in its other spelling                            |
 * | `B+C`   | two rows                                                 |
 */
export interface Line {
  readonly id: string;
  /** The fields that its answer tells. */
  readonly about: readonly Field[];
  /** What it asks, as a clause: "a key is gone from the extract". */
  readonly words: string;
  /** One word for each batch, blanks between. */
  readonly says: string;
  /** Other cells than the usual for the tracked states. */
  readonly states?: Readonly<Record<string, Cells | null>>;
  /** The key's spellings, where they matter; null where the columns cannot hold them, and the line is left out. */
  readonly spellings?: readonly Row[] | null;
}

/** One thing that is asked of an implementation: what becomes of these keys in this feed. */
export interface Question {
  readonly id: string;
  readonly about: readonly Field[];
  readonly words: string;
  readonly feed: Feed;
  /** In all spellings. */
  readonly keys: readonly Cells[];
  /** The same feed with only one of several rows that compete: either of them is right where the winner is left open. */
  readonly either: readonly Feed[];
}

/** Days of a sheet are two days apart, at a time of day that no coarser grain can hold; a row's own instant is a day and a bit before. */
const START = parseInstant('2026-03-02T06:17:23.456789Z')!;
const DAY = 86_400_000_000n;
const OWN_BEFORE = DAY + 7_654_321_987n;

function dayOf(number: number): bigint {
  return START + BigInt(number) * 2n * DAY;
}

/** The instant that a row of a day carries itself. */
export function ownInstantOf(number: number): bigint {
  return dayOf(number) - OWN_BEFORE;
}

/** The value of any column that might say where first versions begin. */
export const OPENED_AT = START - 40n * DAY;

/** @param days the day of each batch, in order of arrival */
export function questionsOf(
  contract: Contract,
  id: string,
  days: readonly number[],
  lines: readonly (Line | null)[],
): readonly Question[] {
  const keys = keyMaker(contract, { dice: null, ballast: false });
  const placed = lines.flatMap((line) => (line === null ? [] : (place(contract, line, keys) ?? [])));
  const feed = (left: ((line: Line) => string) | null): Feed => ({
    id: `probe/${id}`,
    batches: days.map((day, at) => batchOf(contract, day, at, placed, left)),
  });
  const whole = feed(null);
  return placed.map(({ line, spellings }) => ({
    id: line.id,
    about: line.about,
    words: line.words,
    feed: whole,
    keys: spellings.map((row) => contract.columns.key.map(({ name }) => row[name] ?? null)),
    either: line.says.includes('+')
      ? [0, 1].map((kept) =>
          feed(({ id: other, says }) =>
            other === line.id ? says.replace(/(\S+)\+(\S+)/g, kept === 0 ? '$1' : '$2') : says,
          ),
        )
      : [],
  }));
}

interface Placed {
  readonly line: Line;
  readonly spellings: readonly Row[];
}

function place(contract: Contract, line: Line, keys: KeyMaker): Placed | null {
  const letters = [...line.says.matchAll(/(?<![@\d'])[A-Z]/g)].map(([letter]) => letter);
  if (letters.some((letter) => statesOf(contract, line)[letter] == null)) return null;
  if (line.spellings === null) return null;
  const own = line.spellings ?? (keys.next()?.spellings.slice(0, 1) || null);
  return own === null ? null : { line, spellings: own };
}

function batchOf(
  contract: Contract,
  day: number,
  at: number,
  placed: readonly Placed[],
  left: ((line: Line) => string) | null,
): FeedBatch {
  const write = rowWriter(contract);
  const extras = untrackedStates(contract);
  const rows = placed.flatMap(({ line, spellings }) => {
    const words = (left?.(line) ?? line.says).split(' ')[at]!.split('+');
    return words.flatMap((word, order): Row[] => {
      const match = /^([A-Zx])(\d?)('?)(?:@(\d))?$/.exec(word);
      if (match === null) return [];
      const [, letter = 'A', extra, other, own] = match;
      const state = statesOf(contract, line)[letter === 'x' ? 'A' : letter]!;
      const row = write({
        key: spellings[other === "'" ? 1 : 0]!,
        tracked: state,
        untracked: extras[Number(extra || 0) % extras.length]!,
        instant: ownInstantOf(own === undefined ? day : Number(own)),
        isDelete: letter === 'x',
        isFirst: at === 0,
        sequence: at * 2 + order + 1,
        partition: partitionCell(contract.columns.partition),
        firstStart: OPENED_AT,
      });
      return [row];
    });
  });
  return { asOf: dayOf(day), rows };
}

/** All rows are of one partition, which every batch names. */
function partitionCell(column: Column | null): Cell {
  return column === null ? null : (plainCell(column, 0) ?? null);
}

/** A, B and C differ in the first column that is free to; `N` has NULL there. Null is a state that the columns cannot hold. */
function statesOf(contract: Contract, line: Line): Readonly<Record<string, Cells | null>> {
  const { tracked } = contract.columns;
  const free = freeColumns(contract, tracked)[0];
  const base = tracked.map((column) => usual(column, 0));
  const state = (n: number): Cells | null => {
    if (free === undefined || n === 0) return base;
    const cell = usual(tracked[free]!, n);
    return cell === base[free] ? null : base.map((old, at) => (at === free ? cell : old));
  };
  const isNullable = free !== undefined && tracked[free]!.nullable;
  return {
    A: state(0),
    B: state(1),
    C: state(2),
    N: isNullable ? base.map((old, at) => (at === free ? null : old)) : null,
    ...line.states,
  };
}

/** `A`, `B`, `C` where a text column can hold them; else the first values that it can hold. */
function usual(column: Column, n: number): Cell {
  if (column.type === 'timestamp' || column.type === 'date') return plainCell(column, n) ?? null;
  const letter = column.type === 'text' ? held('ABC'[n]!, column) : undefined;
  return letter ?? plainCell(column, n) ?? plainCell(column, 0) ?? null;
}

/** Where a column of the untracked ones might be the start of first versions, it says the same instant in every row. */
function untrackedStates(contract: Contract): readonly Cells[] {
  const { untracked } = contract.columns;
  return plainUntracked(contract).map((state) =>
    untracked.map((column, at) => openedCell(column) ?? state[at] ?? null),
  );
}

function openedCell(column: Column): Cell | undefined {
  const { type } = column;
  if (type !== 'timestamp' && type !== 'date') return undefined;
  return held(type === 'date' ? formatDate(OPENED_AT) : formatInstant(OPENED_AT), column);
}

/** A state in which the first free text column has this value; null where there is none, or it cannot. */
export function stateWith(contract: Contract, cell: Cell): Cells | null {
  const { tracked } = contract.columns;
  const at = freeColumns(contract, tracked)[0];
  const column = at === undefined ? undefined : tracked[at];
  if (column?.type !== 'text' || held(cell, column) === undefined) return null;
  return tracked.map((other, place) => (place === at ? cell : usual(other, 0)));
}

/** A state in which the first two free text columns have these values; null where there are not two, or they cannot. */
export function stateWithBoth(contract: Contract, cells: readonly [Cell, Cell]): Cells | null {
  const { tracked } = contract.columns;
  const texts = freeColumns(contract, tracked).filter((at) => tracked[at]!.type === 'text');
  if (texts.length < 2) return null;
  const fits = cells.every((cell, n) => held(cell, tracked[texts[n]!]!) !== undefined);
  if (!fits) return null;
  return tracked.map((column, at) =>
    texts.indexOf(at) in cells ? cells[texts.indexOf(at)]! : usual(column, 0),
  );
}

/** Keys whose first text part has these values, the other parts being usual; null where the columns cannot hold them. */
export function keysWith(contract: Contract, cells: readonly Cell[]): readonly Row[] | null {
  const { key } = contract.columns;
  const at = key.findIndex(({ type, values }) => type === 'text' && values === undefined);
  if (at < 0) return null;
  const fits = cells.every((cell) => cell === null || held(cell, key[at]!) !== undefined);
  if (!fits) return null;
  return cells.map((cell) =>
    Object.fromEntries(key.map((column, place) => [column.name, place === at ? cell : usual(column, 0)])),
  );
}
