/**
 * Columns of a dimension and of the batches that feed it: which column plays which role, and what it can hold.
 *
 * Cell values, everywhere in this code base, are the *canonical cells* of a column's type:
 *
 * | type                   | cell                                                             |
 * | ---------------------- | ---------------------------------------------------------------- |
 * | `text`                 | string                                                           |
 * | `integer`              | number, a 32-bit integer                                         |
 * | `bigint`               | bigint, a 64-bit integer                                         |
 * | `decimal(p,s)`         | string, exactly `s` fraction digits                              |
 * | `double`               | number; −0, NaN and ±Infinity included                           |
 * | `boolean`              | boolean                                                          |
 * | `date`                 | string, `YYYY-MM-DD`                                             |
 * | `timestamp`            | string, `YYYY-MM-DDTHH:MM:SS.ffffffZ`, UTC, always six decimals  |
 *
 * and `null` for NULL in any of them.
 */
export type Cell = null | boolean | number | bigint | string;

/** One row: cells by column name. A column that the row does not mention is NULL. */
export type Row = Readonly<Record<string, Cell>>;

export type ColumnType =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'double'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | `decimal(${number},${number})`;

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether the column can hold NULL. NULL is never sent to one that cannot. */
  readonly nullable: boolean;
  /** Longest text it can hold, in characters. */
  readonly maxLength?: number;
  /** A `double` that holds no NaN and no infinity. */
  readonly finite?: true;
  /** The only values it can hold, if it is an enumeration. */
  readonly values?: readonly Cell[];
  /** In the roles `previous` and `current`: the tracked column whose value it holds. */
  readonly of?: string;
}

/** Which column plays which role. Roles that are null do not exist in this dimension, or in its batches. */
export interface Columns {
  /** The natural key: one or more columns, in the dimension and in the batch. */
  readonly key: readonly Column[];
  /** Attributes a change of which makes a version. */
  readonly tracked: readonly Column[];
  /** Attributes a change of which does not. */
  readonly untracked: readonly Column[];

  /** Start of a version; `timestamp` or `date`. */
  readonly validFrom: Column;
  /** End of a version. Where null, it is derived: the key's next start. */
  readonly validTo: Column | null;
  /** Flag of the open version. Where null, `current-flag` does not apply. */
  readonly isCurrent: Column | null;
  /** Flag of a marker row (`deletes: marker-row`). */
  readonly isDeleted: Column | null;
  /** Hash over the tracked attributes that the implementation keeps. */
  readonly hash: Column | null;
  readonly surrogateKey: Column | null;
  /** Type 3: columns that hold the value before, each `of` a tracked one. Empty with other types. */
  readonly previous: readonly Column[];
  /** Type 6: columns that hold the current value on every row of the key, each `of` a tracked one. Empty with other types. */
  readonly current: readonly Column[];
  /** Type 4: flag of the rows that are in the history table; the others are in the current one. Null with other types. */
  readonly inHistory: Column | null;

  /** Batch only: the instant that a row carries beside the batch's own. */
  readonly changedAt: Column | null;
  /** Batch only: what happened, `I`, `U` or `D` (a delete). */
  readonly operation: Column | null;
  /** Batch only: order of rows of one key where their instants tie. */
  readonly sequence: Column | null;
  /** Batch only: absence counts only inside the partitions that a batch names. May name an attribute or a key part. */
  readonly partition: Column | null;
}

/** The name of a role, as it is written in a contract, a script's head, a flag. */
export type Role = keyof Columns;

/** Roles of columns that a dimension has. */
export const DIMENSION_ROLES = [
  'key',
  'tracked',
  'untracked',
  'validFrom',
  'validTo',
  'isCurrent',
  'isDeleted',
  'hash',
  'surrogateKey',
  'previous',
  'current',
  'inHistory',
] as const satisfies readonly Role[];

/** All roles: those of a dimension, and those of a batch alone. */
export const ROLES = [
  ...DIMENSION_ROLES,
  'changedAt',
  'operation',
  'sequence',
  'partition',
] as const satisfies readonly Role[];

/** Columns that a batch has, each once, in the order: key, tracked, untracked, changedAt, operation, sequence, partition, first start. */
export function batchColumns(columns: Columns, firstStart: string): readonly Column[] {
  const byName = new Map<string, Column>();
  const roles = [columns.changedAt, columns.operation, columns.sequence, columns.partition];
  for (const column of [...columns.key, ...columns.tracked, ...columns.untracked, ...roles]) {
    if (column !== null && !byName.has(column.name)) byName.set(column.name, column);
  }
  const startColumn = firstStartColumn(firstStart);
  if (startColumn !== null && !byName.has(startColumn)) {
    byName.set(startColumn, { name: startColumn, type: 'timestamp', nullable: true });
  }
  return [...byName.values()];
}

/** Columns of the dimension, in the order in which the harness creates one. A current table has no bounds. */
export function dimensionColumns({
  type,
  columns,
}: {
  readonly type: string;
  readonly columns: Columns;
}): readonly Column[] {
  const roles =
    type === '1' || type === '3' ? DIMENSION_ROLES.filter((role) => role !== 'validFrom') : DIMENSION_ROLES;
  return roles.flatMap((role) => columns[role] ?? []);
}

/** Of type 4: the columns of its two tables. Only the history has bounds. */
export function twoTables(contract: { readonly type: string; readonly columns: Columns }): {
  readonly current: readonly Column[];
  readonly history: readonly Column[];
} {
  const { validFrom, validTo, isCurrent, inHistory } = contract.columns;
  const all = dimensionColumns(contract).filter((column) => column !== inHistory);
  return {
    current: all.filter((column) => ![validFrom, validTo, isCurrent].includes(column)),
    history: all,
  };
}

/** The batch column that `firstStart` names, or null where it is `observed` or a literal. */
export function firstStartColumn(firstStart: string): string | null {
  return firstStart === 'observed' || isInstantLiteral(firstStart) ? null : firstStart;
}

/** Whether a text is an ISO date or timestamp, as literals in a contract are. */
export function isInstantLiteral(text: string): boolean {
  return /^\d{4,6}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text);
}
