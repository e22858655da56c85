import type { Table } from 'apache-arrow';
import type { Cell, Column, Row } from '../../src/contract/columns.ts';
import { type Contract, grainMicros } from '../../src/contract/contract.ts';
import { formatInstant, parseInstant } from '../../src/contract/instant.ts';
import { tableFromRows } from '../../src/duckdb/rows.ts';
import type { ExpectedStep, ExpectedVersion } from '../../src/oracle/expected.ts';
import { isYes, type Raw } from './entry.ts';
import { instantOf } from './feed.ts';
import { readCell } from './layout.ts';

/** Dimensions as an implementation would hold them: an oracle's answer, or a table of an entry, under the contract's columns. */

/** The rows that an oracle calls for, with the surrogate keys that the entry's tables give them. */
export function rowsOfStep(
  contract: Contract,
  step: ExpectedStep | undefined,
  tables: readonly Raw[],
): Row[] {
  return (step?.keys ?? []).flatMap(({ versions }) =>
    versions.map((version) => rowOfVersion(contract, version, tables)),
  );
}

function rowOfVersion(contract: Contract, version: ExpectedVersion, tables: readonly Raw[]): Row {
  const { columns } = contract;
  const row: Record<string, Cell> = {};
  const set = (list: readonly Column[], cells: readonly Cell[]) => {
    for (const [index, { name }] of list.entries()) row[name] = cells[index] ?? null;
  };
  set(columns.key, version.key);
  set(columns.tracked, version.tracked);
  set(columns.untracked, version.untracked);
  row['valid_from'] = formatInstant(version.validFrom);
  row['valid_to'] = rawEnd(contract, version.validTo);
  if (columns.isDeleted !== null) row[columns.isDeleted.name] = String(version.isDeleted);
  if (columns.isCurrent !== null) row[columns.isCurrent.name] = String(version.validTo === null);
  if (columns.hash !== null) row[columns.hash.name] = hashOf(version.tracked);
  if (columns.surrogateKey !== null) {
    const told = tables.find((raw) => isRowOf(contract, raw, version))?.[columns.surrogateKey.name];
    row[columns.surrogateKey.name] = told === undefined ? null : String(told);
  }
  return row;
}

function isRowOf({ columns }: Contract, raw: Raw, version: ExpectedVersion): boolean {
  const sameKey = columns.key.every(
    (column, index) => readCell(column, raw[column.name]) === version.key[index],
  );
  const isDeleted = columns.isDeleted !== null && isYes(raw[columns.isDeleted.name]);
  return (
    sameKey && isDeleted === version.isDeleted && parseInstant(String(raw['from'])) === version.validFrom
  );
}

function hashOf(cells: readonly Cell[]): string {
  return JSON.stringify(cells.map(String));
}

/** An exclusive end as the contract's dimension holds it. */
function rawEnd({ openMarker, end, grain }: Contract, to: bigint | null): string | null {
  if (to === null) return openMarker === 'null' ? null : formatInstant(instantOf(openMarker));
  return formatInstant(end === 'inclusive' ? to - grainMicros(grain) : to);
}

/** A table of an entry. A flag or hash of which it says nothing is as it should be. */
export function rowsOfTable(contract: Contract, table: readonly Raw[]): Row[] {
  const columns = attributeColumns(contract);
  const { isCurrent, hash, tracked } = contract.columns;
  const isTold = (column: Column) => table.some((raw) => column.name in raw);
  const open = rawEnd(contract, null);
  return table.map((raw) => {
    const row: Record<string, Cell> = {};
    for (const [name, value] of Object.entries(raw)) {
      const column = columns.find((one) => one.name === name) ?? extra(name);
      if (name !== 'from' && name !== 'to') row[name] = readCell(column, value);
    }
    row['valid_from'] = instantCell(raw['from']);
    row['valid_to'] = instantCell(raw['to']);
    if (isCurrent !== null && !isTold(isCurrent)) row[isCurrent.name] = String(row['valid_to'] === open);
    if (hash !== null && !isTold(hash)) row[hash.name] = hashOf(tracked.map(({ name }) => row[name] ?? null));
    return row;
  });
}

function instantCell(value: unknown): string | null {
  return value === null || value === undefined ? null : formatInstant(instantOf(value));
}

/**
 * Columns of the contract, and whatever else the rows have. A column of the contract that no row has is there, and NULL. One that
 * differs from another in letter case only is left out, because no DuckDB table has both.
 */
export function dimensionOf(contract: Contract, rows: readonly Row[]): Table {
  const bound = (name: string): Column => ({ name, type: 'timestamp', nullable: true });
  const own = [...attributeColumns(contract), bound('valid_from'), bound('valid_to')];
  const names = new Set(own.map(({ name }) => name.toLowerCase()));
  const others = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !names.has(name.toLowerCase()) && names.add(name.toLowerCase()),
  );
  return tableFromRows([...own, ...others.map(extra)], rows);
}

/** Flags are text here, because people keep them as `Y`, 1 or true. */
function attributeColumns({ columns }: Contract): readonly Column[] {
  const flags = [columns.isDeleted, columns.isCurrent, columns.hash, columns.surrogateKey];
  return [
    ...columns.key,
    ...columns.tracked,
    ...columns.untracked,
    ...flags.filter((column) => column !== null).map(({ name }) => extra(name)),
  ];
}

function extra(name: string): Column {
  return { name, type: 'text', nullable: true };
}
