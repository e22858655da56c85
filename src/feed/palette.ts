import type { Cell, Column, Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { foldState } from '../oracle/typescript/values.ts';
import { held } from './cells.ts';
import type { Dice } from './dice.ts';
import { roleNames } from './sendable.ts';
import { plainCell, valueGroups } from './values.ts';

/** Cells of several columns, in their order. */
export type Cells = readonly Cell[];

/**
 * Small palettes of states (cells of all tracked, or all untracked columns) that histories are drawn from, so that A, B, A and equal
 * states happen often. Cells that follow from a column's role are written over later (`rows.ts`); here they are constant.
 */

/** The states of the small scope, by the names that its description uses. */
export interface PlainStates {
  /** Some column is NULL; null where no tracked column can be. */
  readonly NULL: Cells | null;
  readonly A: Cells;
  /** Null where the columns can hold no second value. */
  readonly B: Cells | null;
}

/** NULL and B differ from A in one column only, the nth of those that are free to; who turns `n` tries each of them. */
export function plainStates(contract: Contract, n: number): PlainStates {
  const { tracked } = contract.columns;
  const A = tracked.map((column) => scopeCells(column)[0]!);
  const free = freeColumns(contract, tracked);
  const varied = free.filter((at) => scopeCells(tracked[at]!).length > 1);
  const nullable = free.filter((at) => tracked[at]!.nullable && A[at] !== null);
  const changed = (at: number, cell: Cell) => A.map((old, place) => (place === at ? cell : old));
  const b = varied[n % varied.length];
  const null_ = nullable.includes(b ?? -1) ? b : nullable[n % nullable.length];
  return {
    A,
    B: b === undefined ? null : changed(b, scopeCells(tracked[b]!)[1]!),
    NULL: null_ === undefined ? null : changed(null_, null),
  };
}

/** `A` and `B` where the column is a text; else its first two values. One value (or NULL) where it has only that. */
function scopeCells(column: Column): readonly Cell[] {
  const cells = column.type === 'text' && column.values === undefined ? ['A', 'B'] : [];
  const fitting = cells.filter((cell) => held(cell, column) !== undefined);
  const plain = [0, 1].map((n) => plainCell(column, n)).filter((cell) => cell !== undefined);
  const two = fitting.length === 2 ? fitting : plain;
  return two.length > 0 ? two : [null];
}

/** Up to three states of the untracked columns that differ plainly. */
export function plainUntracked(contract: Contract): readonly Cells[] {
  const { untracked } = contract.columns;
  const states = [0, 1, 2].map((n) =>
    untracked.map((column) => plainCell(column, n) ?? plainCell(column, 0) ?? null),
  );
  return distinct(states);
}

/** Places of the columns whose cells are free: no role decides them. */
export function freeColumns(contract: Contract, columns: readonly Column[]): readonly number[] {
  const roles = roleNames(contract);
  return [...columns.keys()].filter((at) => !roles.has(columns[at]!.name));
}

const MOST_STATES = 5;

/**
 * Two to five hard states of some columns; fewer only where there are no more. Who draws several counts `turn` on: then the first of the
 * columns takes its groups of values in turn, and a rare confusion is met in every feed of some size.
 */
export function drawStates(
  contract: Contract,
  columns: readonly Column[],
  dice: Dice,
  turn = dice.below(1000),
): readonly Cells[] {
  if (columns.length === 0) return [[]];
  const free = freeColumns(contract, columns);
  const groups = drawGroups(contract, columns, dice, turn);
  const first = columns.map((column, at) =>
    free.includes(at) ? dice.pick(groups[at]!) : (plainCell(column, 0) ?? null),
  );
  const states: Cells[] = [first];
  if (free.length === 0) return states;
  for (let tries = 0; tries < 14 && states.length < MOST_STATES; tries++) {
    const next = neighbour(dice.pick(states), { columns, free, groups, dice });
    if (next !== null && !states.some((state) => same(state, next))) states.push(next);
  }
  return states;
}

/** Columns of one type often share a group: a value that moves to the next column is then still one of the group. */
function drawGroups(
  contract: Contract,
  columns: readonly Column[],
  dice: Dice,
  turn: number,
): readonly (readonly Cell[])[] {
  const drawn: (readonly Cell[])[] = [];
  for (const [at, column] of columns.entries()) {
    const before = columns[at - 1];
    const shared =
      before === undefined ? [] : drawn[at - 1]!.filter((cell) => held(cell, column) !== undefined);
    const shares = before?.type === column.type && shared.length > 1 && dice.chance(70);
    const own = groupsFor(contract, column, dice);
    const picked = at === 0 ? own[turn % own.length] : own.length > 0 ? dice.pick(own) : undefined;
    drawn.push(shares ? shared : (picked ?? [plainCell(column, 0) ?? null]));
  }
  return drawn;
}

/** The groups of a column; where the contract folds values, often only those in which some are then equal. */
function groupsFor(contract: Contract, column: Column, dice: Dice): readonly (readonly Cell[])[] {
  const groups = valueGroups(column);
  if (contract.compare.length === 0 || column.type !== 'text' || !dice.chance(30)) return groups;
  const folding = groups.filter((group) => isFolded(contract, column, group));
  return folding.length > 0 ? folding : groups;
}

/** Whether two values of the group are two spellings of one. */
function isFolded({ compare }: Contract, column: Column, group: readonly Cell[]): boolean {
  return new Set(group.map((cell) => foldState([cell], [column], compare))).size < group.length;
}

interface Drawing {
  readonly columns: readonly Column[];
  readonly free: readonly number[];
  readonly groups: readonly (readonly Cell[])[];
  readonly dice: Dice;
}

/** A state that differs from another one in the way in which comparisons over several columns go wrong; null where it cannot. */
function neighbour(state: Cells, { columns, free, groups, dice }: Drawing): Cells | null {
  const at = dice.pick(free);
  const next = free[free.indexOf(at) + 1];
  const move = next === undefined ? dice.below(2) : dice.below(6);
  const put = (cells: readonly (readonly [number, Cell])[]): Cells | null => {
    const changed = [...state];
    for (const [place, cell] of cells) {
      if (held(cell, columns[place]!) === undefined) return null;
      changed[place] = cell;
    }
    return changed;
  };
  const moved =
    next === undefined || !dice.chance(60) ? null : delimiterMoved(state[at]!, state[next]!, dice);
  if (moved !== null)
    return put([
      [at, moved[0]],
      [next!, moved[1]],
    ]);
  if (move === 0) return put([[at, null]]);
  if (move <= 2 || next === undefined) return put([[at, dice.pick(groups[at]!)]]);
  if (columns[at]!.type !== columns[next]!.type) return put([[next, dice.pick(groups[next]!)]]);
  const [left, right] = [state[at]!, state[next]!];
  if (move === 3)
    return put([
      [at, right],
      [next, left],
    ]);
  if (move === 4)
    return put([
      [at, null],
      [next, left],
    ]);
  if (typeof left !== 'string' || typeof right !== 'string' || columns[at]!.type !== 'text') return null;
  // The boundary between two texts moves by a character: joined without a delimiter they are the same.
  const [head = ''] = right;
  return put([
    [at, left + head],
    [next, right.slice(head.length)],
  ]);
}

/** Two texts with the boundary between them at another delimiter: joined with it, they are the same. Null where they hold none. */
function delimiterMoved(left: Cell, right: Cell, dice: Dice): readonly [string, string] | null {
  if (typeof left !== 'string' || typeof right !== 'string') return null;
  const delimiter = (DELIMITER.exec(left) ?? DELIMITER.exec(right))?.[0];
  if (delimiter === undefined) return null;
  const parts = [left, right].join(delimiter).split(delimiter);
  const before = left.split(delimiter).length;
  const others = parts.map((_, count) => count).filter((count) => count > 0 && count !== before);
  const end = dice.pick(others);
  return [parts.slice(0, end).join(delimiter), parts.slice(end).join(delimiter)];
}

/** What columns are often joined with. */
const DELIMITER = /[|,;~^#:_\p{Cc}-]/u;

function distinct(states: readonly Cells[]): readonly Cells[] {
  return states.filter((state, at) => states.findIndex((other) => same(state, other)) === at);
}

function same(a: Cells, b: Cells): boolean {
  return a.every((cell, at) => Object.is(cell, b[at]));
}

// What the columns allow, for the situations of coverage

/** Whether two states of the columns can differ. */
export function canDiffer(contract: Contract, columns: readonly Column[]): boolean {
  return freeColumns(contract, columns).some((at) => {
    const column = columns[at]!;
    const cells = valueGroups(column).flat();
    return new Set(cells.map((cell) => foldState([cell], [column], contract.compare))).size > 1;
  });
}

/** Whether a tracked column can change between NULL and a value. */
export function canTurnNull(contract: Contract): boolean {
  const { tracked } = contract.columns;
  return freeColumns(contract, tracked).some(
    (at) => tracked[at]!.nullable && valueGroups(tracked[at]!).length > 0,
  );
}

/** Whether a value can move from a tracked column to the next. */
export function canMove(contract: Contract): boolean {
  const { tracked } = contract.columns;
  const free = freeColumns(contract, tracked);
  return free.slice(1).some((right, index) => {
    const [a, b] = [tracked[free[index]!]!, tracked[right]!];
    if (a.type !== b.type) return false;
    const shared = valueGroups(a)
      .flat()
      .filter((cell) => cell !== null && held(cell, b) !== undefined);
    return new Set(shared).size > 1;
  });
}

/** Whether a tracked value can be delivered in another spelling that counts as equal. */
export function canRespell(contract: Contract): boolean {
  const { tracked } = contract.columns;
  return freeColumns(contract, tracked).some((at) => {
    const column = tracked[at]!;
    return column.type === 'text' && valueGroups(column).some((group) => isFolded(contract, column, group));
  });
}

/** Cells under the names of their columns. */
export function named(columns: readonly Column[], cells: Cells): Row {
  return Object.fromEntries(columns.map(({ name }, at) => [name, cells[at] ?? null]));
}
