import type { Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { besideColumns } from '../contract/types.ts';

const SQL_TYPES: Record<string, string> = {
  text: 'VARCHAR',
  integer: 'INTEGER',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
};

/** The DuckDB type of a column. */
export function sqlType(column: Column): string {
  return SQL_TYPES[column.type] ?? column.type.toUpperCase();
}

/** A column, and its name in `delivered_values` and `held_values`. */
export interface NamedColumn {
  readonly column: Column;
  readonly alias: string;
}

function aliased(prefix: string, columns: readonly Column[]): readonly NamedColumn[] {
  return columns.map((column, index) => ({ column, alias: `${prefix}${index}` }));
}

/** Columns of the key and the attributes, under the names that they have in `delivered_values` and `held_values`. */
export function valueColumns(contract: Contract): readonly NamedColumn[] {
  const { key, tracked, untracked } = contract.columns;
  return [...aliased('k', key), ...aliased('a', tracked), ...aliased('u', untracked)];
}

/** As they are in `held_values`, which has the previous or current values of types 3 and 6 too. */
export function heldColumns(contract: Contract): readonly NamedColumn[] {
  return [...valueColumns(contract), ...aliased('b', besideColumns(contract))];
}
