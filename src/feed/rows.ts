import { batchColumns, type Cell, type Column, firstStartColumn, type Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { formatDate, formatInstant } from '../contract/instant.ts';
import { held } from './cells.ts';
import type { Cells } from './palette.ts';
import { operationCell } from './sendable.ts';
import { plainCell } from './values.ts';

/** All that a row says, in the words of the contract's roles. */
export interface Said {
  /** The key's cells, in the spelling of this row. */
  readonly key: Row;
  readonly tracked: Cells;
  readonly untracked: Cells;
  /** The row's own instant, for `changedAt`. */
  readonly instant: bigint;
  readonly isDelete: boolean;
  /** Nothing was said of the key before: its operation is an insert. */
  readonly isFirst: boolean;
  /** Order where instants tie. */
  readonly sequence: number;
  readonly partition: Cell;
  /** For the column that `firstStart` names. */
  readonly firstStart: bigint | null;
}

/**
 * Writes rows: the attributes first, and over them the cells that a role decides, because one column may be both (an `updated_at` that is
 * tracked too). Key columns are never written over.
 */
export function rowWriter(contract: Contract): (said: Said) => Row {
  const { columns } = contract;
  const { key, tracked, untracked, changedAt, operation, sequence, partition } = columns;
  const keyNames = new Set(key.map(({ name }) => name));
  const own = (column: Column | null) => (column !== null && keyNames.has(column.name) ? null : column);
  const [instantAt, operationAt, sequenceAt, partitionAt] = [changedAt, operation, sequence, partition].map(
    own,
  );
  const start = own(columnOfFirstStart(contract));
  // As an attribute, an operation that turns from insert to update would be a change of its own.
  const isAttribute = [...tracked, ...untracked].some(({ name }) => name === operation?.name);
  const fallback = operation === null ? null : (plainCell(operation, 0) ?? null);
  const [insert, update, remove] = (['I', 'U', 'D'] as const).map(
    (kind) => operationCell(kind, operation) ?? fallback,
  );
  const sequenceCell = (n: number): Cell => (sequence === null ? null : (plainCell(sequence, n) ?? null));
  const instantText = remembered(instantAt ?? null);
  const startText = remembered(start);

  // Every row is a copy of one row with all columns: adding properties one by one takes ten times as long.
  const names = batchColumns(columns, contract.firstStart).map(({ name }) => [name, null] as const);
  const blank: Readonly<Record<string, Cell>> = Object.fromEntries(names);
  const keyList = [...keyNames];
  const trackedNames = tracked.map(({ name }) => name);
  const untrackedNames = untracked.map(({ name }) => name);
  const hasOwnStart = start !== null && start.name !== instantAt?.name;

  return (said) => {
    const row: Record<string, Cell> = { ...blank };
    for (const name of keyList) row[name] = said.key[name]!;
    trackedNames.forEach((name, at) => {
      row[name] = said.tracked[at]!;
    });
    untrackedNames.forEach((name, at) => {
      row[name] = said.untracked[at]!;
    });
    if (instantAt) row[instantAt.name] = instantText(said.instant);
    if (operationAt) {
      const present = said.isFirst && !isAttribute ? insert! : update!;
      row[operationAt.name] = said.isDelete ? remove! : present;
    }
    if (sequenceAt) row[sequenceAt.name] = sequenceCell(said.sequence);
    if (partitionAt) row[partitionAt.name] = said.partition;
    if (hasOwnStart) row[start.name] = said.firstStart === null ? null : startText(said.firstStart);
    return row;
  };
}

/** The column that `firstStart` names, or null where it names none. */
export function columnOfFirstStart({ columns, firstStart }: Contract): Column | null {
  const name = firstStartColumn(firstStart);
  return batchColumns(columns, firstStart).find((column) => column.name === name) ?? null;
}

/** Instants as cells of a column; a feed has few of them. */
function remembered(column: Column | null): (instant: bigint) => Cell {
  const cells = new Map<bigint, Cell>();
  return (instant) => {
    const known = cells.get(instant);
    if (known !== undefined || column === null) return known ?? null;
    const text = column.type === 'date' ? formatDate(instant) : formatInstant(instant);
    const cell = held(text, column) ?? held(formatDate(instant), column) ?? null;
    cells.set(instant, cell);
    return cell;
  };
}
