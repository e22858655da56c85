import type { Cell, Column, Columns, Row } from '../../contract/columns.ts';
import { dimensionColumns } from '../../contract/columns.ts';
import { ImplementationFailure } from '../implementation.ts';
import { canonicalCell, inferColumn, inferredCell } from './cells.ts';
import { show } from './show.ts';

/** Columns and canonical rows, ready to become a table. */
export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/**
 * Makes the rows that user code returned into a dimension with the contract's columns and whatever others there
 * are. A row must mention the key and the start, if only as null; any other column that it does not mention is NULL.
 *
 * One reader serves one session: flags and the like (roles that a contract can do without) are in the result once
 * a row has mentioned them, and then stay, so that a table never seems to lose a column.
 */
export class StateReader {
  readonly #columns: Columns;
  readonly #mentioned = new Set<string>();

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  /** `source` begins the messages: `impl.ts, batch 3`. Throws `ImplementationFailure` where a row is not one. */
  read(values: readonly unknown[], source: string): Rows {
    const required = [...this.#columns.key, this.#columns.validFrom];
    const seen = new Set<string>();
    values.forEach((value, index) => {
      requireRow(value, index, required, source);
      for (const name of Object.keys(value as object)) seen.add(name);
    });
    for (const name of seen) this.#mentioned.add(name);
    const declared = dimensionColumns(this.#columns).filter((column) => this.#belongs(column));
    const names = new Set(declared.map((column) => column.name));
    const objects = values as readonly Record<string, unknown>[];
    const own = [...this.#mentioned]
      .filter((name) => !names.has(name))
      .map((name) =>
        inferColumn(
          name,
          objects.map((row) => row[name]),
        ),
      );
    const rows = objects.map((row, index) => canonicalRow(row, index, declared, own, source));
    return { columns: [...declared, ...own], rows };
  }

  #belongs(column: Column): boolean {
    const { isCurrent, isDeleted, hash, surrogateKey } = this.#columns;
    const optional = [isCurrent, isDeleted, hash, surrogateKey].includes(column);
    return !optional || this.#mentioned.has(column.name);
  }
}

function requireRow(value: unknown, index: number, required: readonly Column[], source: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw misfit(
      `${source}: row ${index} of the state is ${show(value)}, but a row is an object with cells by column name.`,
    );
  }
  const missing = required.find((column) => !(column.name in value));
  if (missing === undefined) return;
  const names = Object.keys(value);
  throw misfit(
    `${source}: row ${index} of the state has no column "${missing.name}" (it has ${names.length === 0 ? 'none at all' : names.map(quote).join(', ')}), ` +
      'without which it says nothing of any key or time. If the column has another name, declare it in the contract.',
  );
}

function canonicalRow(
  row: Record<string, unknown>,
  index: number,
  declared: readonly Column[],
  own: readonly Column[],
  source: string,
): Row {
  const cells: Record<string, Cell> = {};
  for (const column of declared) {
    try {
      cells[column.name] = canonicalCell(column, row[column.name], index);
    } catch (error) {
      throw misfit(`${source}: the state cannot be read: ${(error as Error).message}`);
    }
  }
  for (const column of own) cells[column.name] = inferredCell(column, row[column.name]);
  return cells;
}

function misfit(message: string): ImplementationFailure {
  return new ImplementationFailure('output', message);
}

function quote(name: string): string {
  return `"${name}"`;
}
