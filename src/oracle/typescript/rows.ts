import type { Cell, Column, Row } from '../../contract/columns.ts';
import { firstStartColumn } from '../../contract/columns.ts';
import { type Contract, grainMicros } from '../../contract/contract.ts';
import { parseInstant, truncateInstant } from '../../contract/instant.ts';
import type { FeedBatch } from '../../feed/feed.ts';
import type { Arrival, ArrivedRow } from './history.ts';
import { foldCells, foldState } from './values.ts';

/*
 * Rule 0, instants and rows: what each row of a batch says, read once. Nothing is decided here but which cells play
 * which role, that all instants are cut down to the grain, and that `nullKey: skip` leaves rows out.
 */

export function readBatch(contract: Contract, batch: FeedBatch, position: number): Arrival {
  const asOf = truncateInstant(batch.asOf, grainMicros(contract.grain));
  const { key } = contract.columns;
  const isNullKey = (row: Row) => foldCells(cellsOf(row, key), key, contract.keyCompare).includes(null);
  const rows = contract.nullKey === 'skip' ? batch.rows.filter((row) => !isNullKey(row)) : batch.rows;
  return {
    batch: position,
    asOf,
    rows: rows.map((row, index) => readRow(contract, asOf, row, index)),
    isEmpty: batch.rows.length === 0,
    hasNullKey: batch.rows.some(isNullKey),
  };
}

function readRow(contract: Contract, asOf: bigint, row: Row, position: number): ArrivedRow {
  const { columns } = contract;
  const key = cellsOf(row, columns.key);
  const tracked = cellsOf(row, columns.tracked);
  const untracked = cellsOf(row, columns.untracked);
  return {
    key: foldState(key, columns.key, contract.keyCompare),
    instant: rowInstant(contract, row) ?? asOf,
    isDelete: isDelete(contract, row),
    content: {
      key,
      tracked,
      untracked,
      state: foldState(tracked, columns.tracked, contract.compare),
      untrackedState: foldState(untracked, columns.untracked, contract.compare),
    },
    partition:
      columns.partition === null ? '' : foldState(cellsOf(row, [columns.partition]), [columns.partition], []),
    sequence: columns.sequence === null ? null : cellOf(row, columns.sequence.name),
    position,
    firstStart: firstStart(contract, row),
  };
}

/** The instant that the row itself carries, where the contract takes it from there. */
function rowInstant(contract: Contract, row: Row): bigint | null {
  const { changedAt } = contract.columns;
  if (changedAt === null) return null;
  if (contract.feed !== 'changes' && contract.stamp !== 'row-time') return null;
  return instantOf(contract, cellOf(row, changedAt.name));
}

function isDelete(contract: Contract, row: Row): boolean {
  const { operation } = contract.columns;
  if (operation === null || contract.feed === 'snapshot') return false;
  const value = cellOf(row, operation.name);
  return typeof value === 'string' && ['D', 'DELETE'].includes(value.toUpperCase());
}

function firstStart(contract: Contract, row: Row): bigint | null {
  if (contract.firstStart === 'observed') return null;
  const column = firstStartColumn(contract.firstStart);
  return instantOf(contract, column === null ? contract.firstStart : cellOf(row, column));
}

function instantOf(contract: Contract, cell: Cell): bigint | null {
  if (cell === null) return null;
  const instant = parseInstant(String(cell));
  if (instant === null) throw new Error(`Not a date or timestamp: ${JSON.stringify(String(cell))}`);
  return truncateInstant(instant, grainMicros(contract.grain));
}

function cellsOf(row: Row, columns: readonly Column[]): readonly Cell[] {
  return columns.map((column) => cellOf(row, column.name));
}

function cellOf(row: Row, name: string): Cell {
  return row[name] ?? null;
}
