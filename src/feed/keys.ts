import type { Cell, Column, Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { foldCells, foldState } from '../oracle/typescript/values.ts';
import { held } from './cells.ts';
import type { Dice } from './dice.ts';
import { type Cells, named } from './palette.ts';
import { isOwnPartition, sendable } from './sendable.ts';
import { plainCell, valueGroups } from './values.ts';

/** A key of a feed. No two are the same after `keyCompare`. */
export interface Key {
  /** Spellings that count as the same key, the first being its own. More than one only where `keyCompare` folds. */
  readonly spellings: readonly Row[];
  /** Its partition, which it keeps; null without a partition column too. */
  readonly partition: Cell;
}

/** Makes keys until the columns can hold no more. */
export interface KeyMaker {
  next(): Key | null;
}

/**
 * Constant keys, one for each partition, that are in every snapshot which names it: no batch is an empty snapshot because of one history.
 * None where silence says nothing.
 */
export function ballastKeys(contract: Contract): readonly Key[] {
  if (contract.feed !== 'snapshot') return [];
  const maker = keyMaker(contract, { dice: null, ballast: false });
  const keys: Key[] = [];
  const wanted = isOwnPartition(contract) ? 1 : partitions(contract).length;
  while (keys.length < wanted) {
    const key = maker.next();
    if (key === null) break;
    keys.push(key);
  }
  return keys;
}

/** The partitions that feeds use, no more than leave room for other keys; one, null, where the contract has no such column. */
export function partitions(contract: Contract): readonly Cell[] {
  const { partition, key } = contract.columns;
  if (partition === null) return [null];
  const plain = [0, 1].map((n) => plainCell(partition, n)).filter((cell) => cell !== undefined);
  const isKey = key.some(({ name }) => name === partition.name);
  const all = partition.nullable && !isKey ? [...plain, null] : plain.length > 0 ? plain : [null];
  return all.slice(0, Math.max(1, Math.floor(roomFor(contract) / 2)));
}

/** How many keys there can be in a partition, up to some; each partition can hold as many only where it is a part of the key. */
function roomFor({ columns: { key, partition } }: Contract): number {
  const parts = key.filter(({ name }) => name !== partition?.name);
  return parts.reduce((room, column) => Math.min(ENOUGH, room * capacity(column)), 1);
}

export interface KeyShapes {
  /** Where hard keys come from; null makes plain ones only. */
  readonly dice: Dice | null;
  /** Whether the ballast's keys are left to it. */
  readonly ballast: boolean;
}

/** After so many hard keys in a row that exist already, the plain ones go on alone. */
const MOST_MISSES = 20;

export function keyMaker(contract: Contract, { dice, ballast }: KeyShapes): KeyMaker {
  const register = keyRegister(contract);
  const plain = plainKeys(contract);
  let misses = 0;

  const nextPlain = (): Key | null => {
    for (let cells = plain(); cells !== null; cells = plain()) {
      const key = register.claim(cells);
      if (key !== null) return key;
    }
    return null;
  };
  const nextHard = (from: Dice): Key | null => {
    for (let tries = 0; tries < 4; tries++) {
      const cells = hardKey(contract.columns.key, register.claimed, from);
      const key = cells === null ? null : register.claim(cells);
      if (key !== null) return key;
    }
    misses++;
    return null;
  };
  if (ballast) for (const _ of ballastKeys(contract)) nextPlain();
  return {
    next: () => {
      const hard = dice !== null && misses < MOST_MISSES && dice.chance(60) ? nextHard(dice) : null;
      return hard ?? nextPlain();
    },
  };
}

interface KeyRegister {
  readonly claimed: readonly Cells[];
  /** The key, or null where the columns cannot hold it, the contract excludes it, or it exists. */
  claim(cells: Cells): Key | null;
}

function keyRegister(contract: Contract): KeyRegister {
  const { key: columns, partition } = contract.columns;
  const { nullKeys } = sendable(contract);
  const own = isOwnPartition(contract);
  const values = partitions(contract);
  const partAt = own ? -1 : columns.findIndex(({ name }) => name === partition?.name);
  const folded = new Set<string>();
  const claimed: Cells[] = [];
  return {
    claimed,
    claim: (candidate) => {
      // Partitions take turns.
      const part = values[claimed.length % values.length] ?? null;
      const cells = partAt < 0 ? candidate : candidate.map((cell, at) => (at === partAt ? part : cell));
      if (cells.some((cell, at) => held(cell, columns[at]!) === undefined)) return null;
      if (!nullKeys && foldCells(cells, columns, contract.keyCompare).includes(null)) return null;
      const text = foldState(cells, columns, contract.keyCompare);
      if (folded.has(text)) return null;
      folded.add(text);
      claimed.push(cells);
      return { spellings: spellings(contract, cells, partAt), partition: own ? cells[0]! : part };
    },
  };
}

/** Plain keys in order: the part that can hold most varies without end, the others take turns among three values. */
function plainKeys(contract: Contract): () => Cells | null {
  const { key, partition } = contract.columns;
  // The register puts its own values into a partition's part.
  const isPartition = (at: number) => key[at]!.name === partition?.name && !isOwnPartition(contract);
  const sizes = key.map((column, at) => (isPartition(at) ? 1 : capacity(column)));
  const main = sizes.indexOf(Math.max(...sizes));
  let n = 0;
  return () => {
    let rest = n++;
    const digits = sizes.map((size, at) => {
      if (at === main) return 0;
      const radix = Math.min(size, 3);
      const digit = rest % radix;
      rest = Math.floor(rest / radix);
      return digit;
    });
    if (rest >= sizes[main]!) return null;
    digits[main] = rest;
    return digits.map((digit, at) => plainCell(key[at]!, digit) ?? null);
  };
}

const ENOUGH = 2 ** 20;

/** How many plain values a column has, up to a million. */
function capacity(column: Column): number {
  if (column.values === undefined && column.type === 'text' && (column.maxLength ?? 9) > 4) return ENOUGH;
  let [low, high] = [0, ENOUGH];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (plainCell(column, middle - 1) === undefined) high = middle - 1;
    else low = middle;
  }
  return low;
}

/** A key that is easily taken for another: a value of a hard group in each part, or a close neighbour of one that exists. */
function hardKey(columns: readonly Column[], claimed: readonly Cells[], dice: Dice): Cells | null {
  if (claimed.length === 0 || dice.chance(60)) {
    return columns.map((column) => {
      const groups = valueGroups(column);
      const cell = groups.length > 0 ? dice.pick(dice.pick(groups)) : null;
      // NaN is equal to itself as a value, but nobody joins by it.
      return Number.isNaN(cell) ? 0 : (cell ?? (column.nullable ? null : (plainCell(column, 0) ?? null)));
    });
  }
  const old = dice.pick(claimed);
  const at = dice.below(columns.length);
  const [left, right] = [old[at] ?? null, old[at + 1] ?? null];
  const put = (cell: Cell, next: Cell = right) =>
    old.map((other, place) => (place === at ? cell : place === at + 1 ? next : other));
  if (at + 1 < columns.length && typeof left === 'string' && typeof right === 'string') {
    if (columns[at]!.type !== 'text' || columns[at + 1]!.type !== 'text') return put(right, left);
    // The boundary between the parts moves: joined without a delimiter, both keys are the same.
    const [head = ''] = right;
    return dice.chance(70) ? put(left + head, right.slice(head.length)) : put(right, left);
  }
  if (typeof left !== 'string' || columns[at]!.type !== 'text') return dice.chance(50) ? put(null) : null;
  const change = dice.pick([
    (text: string) => `${text}A`,
    (text: string) => `${text} `,
    (text: string) => ` ${text}`,
    (text: string) => text.toUpperCase(),
    (text: string) => text.slice(0, -1),
    (text: string) => `${text}|${text}`,
  ]);
  return put(change(left));
}

/** The key as it is, and (where the contract folds keys) as it may be spelled as well. The partition's part is never respelled. */
function spellings(contract: Contract, cells: Cells, partAt: number): readonly Row[] {
  const { key: columns, partition } = contract.columns;
  const { keyCompare } = contract;
  if (keyCompare.length === 0) return [named(columns, cells)];
  const folded = foldState(cells, columns, keyCompare);
  const fixed = (at: number) => at === partAt || columns[at]!.name === partition?.name;
  const changes: readonly ((text: string) => string)[] = [
    (text) => text,
    asciiUpper,
    (text) => ` ${text}`,
    (text) => `${asciiUpper(text)}  `,
  ];
  const rows = changes
    .map((change) =>
      cells.map((cell, at) =>
        typeof cell === 'string' && columns[at]!.type === 'text' && !fixed(at) ? change(cell) : cell,
      ),
    )
    .filter((other) => other.every((cell, at) => held(cell, columns[at]!) !== undefined))
    .filter((other) => foldState(other, columns, keyCompare) === folded);
  return rows
    .filter((row, index) => rows.findIndex((other) => other.every((cell, at) => cell === row[at])) === index)
    .map((row) => named(columns, row));
}

/** Only letters whose cases every engine agrees on. */
function asciiUpper(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}
