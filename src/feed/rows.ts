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
  const [instantAt, operationAt, sequenceAt, partitionAt] = [changedAt, operation, sequence, partition].map(own);
  const start = own(columnOfFirstStart(contract));
  // As an attribute, an operation that turns from insert to update would be a change of its own.
  const isAttribute = [...tracked, ...untracked].some(({ name }) => name === operation?.name);
  const fallback = operation === null ? null : (plainCell(operation, 0) ?? null);
  const [insert, update, remove] = (['I', 'U', 'D'] as const).map(
    (kind) => operationCell(kind, operation) ?? fallback,
  );
  const instantText = remembered(instantAt ?? null);
  const startText = remembered(start);

  return (said) => {
    const row: Record<string, Cell> = { ...said.key };
    for (const [at, { name }] of tracked.entries()) row[name] = said.tracked[at]!;
    for (const [at, { name }] of untracked.entries()) row[name] = said.untracked[at]!;
    if (instantAt) row[instantAt.name] = instantText(said.instant);
    if (operationAt) {
      const said_ = said.isFirst && !isAttribute ? insert! : update!;
      row[operationAt.name] = said.isDelete ? remove! : said_;
    }
    if (sequenceAt) row[sequenceAt.name] = plainCell(sequenceAt, said.sequence) ?? null;
    if (partitionAt) row[partitionAt.name] = said.partition;
    if (start !== null && start.name !== instantAt?.name) {
      row[start.name] = said.firstStart === null ? null : startText(said.firstStart);
    }
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
