import type { Table } from 'apache-arrow';
import type { Cell, Column } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import { formatDate, formatInstant } from '../../contract/instant.ts';
import { cellToJson, rowsFromTable } from '../../duckdb/rows.ts';
import { contractView } from '../host/contract-view.ts';
import type { Batch, Setup } from '../implementation.ts';

/** What is sent to programs, as plain JSON. Cells are null, booleans, 32-bit numbers, and text for all else. */

export type WireRow = Readonly<Record<string, unknown>>;

/** The instant at the contract's grain: a date at day grain, else ISO text with six decimals. */
export function asOfToWire(asOf: bigint, contract: Contract): string {
  return contract.grain === 'day' ? formatDate(asOf) : formatInstant(asOf);
}

export function rowsToWire(table: Table, columns: readonly Column[]): WireRow[] {
  const known = new Map(columns.map((column) => [column.name, column]));
  return rowsFromTable(table).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => {
        const column = known.get(name) ?? { name, type: 'text', nullable: true };
        return [name, cellToWire(column, cell)];
      }),
    ),
  );
}

/** As JSON; doubles are always text, so that a reader need not expect two kinds of value. */
function cellToWire(column: Column, cell: Cell): unknown {
  const value = cellToJson(column, cell);
  return column.type === 'double' && typeof value === 'number' ? String(value) : value;
}

export function columnToWire(column: Column): Record<string, unknown> {
  const { name, type, nullable, maxLength, values } = column;
  return {
    name,
    type,
    nullable,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(values === undefined ? {} : { values: values.map((value) => cellToWire(column, value)) }),
  };
}

/**
 * What every program is told before it sees a batch: the names of the key, the columns of every batch with types, and
 * the contract, which has the *names* of columns by role (`contract.columns`) and each column's type by its name
 * (`contract.types`), just as functions get it.
 */
export function setupToWire(setup: Setup): Record<string, unknown> {
  return {
    key: setup.contract.columns.key.map(({ name }) => name),
    columns: setup.batchColumns.map(columnToWire),
    contract: contractView(setup.contract),
  };
}

/** The batch as `apply` carries it. */
export function batchToWire(batch: Batch, setup: Setup): Record<string, unknown> {
  return {
    id: String(batch.index),
    asOf: asOfToWire(batch.asOf, setup.contract),
    rows: rowsToWire(batch.rows, setup.batchColumns),
  };
}
