import type { Cell, Column, Columns, Row } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import { guessRoles } from '../../contract/guess.ts';
import { besideColumns, hasVersions } from '../../contract/types.ts';
import { ImplementationFailure } from '../implementation.ts';
import { canonicalCell, inferColumn, inferredCell } from './cells.ts';
import { show } from './show.ts';

/** Columns and canonical rows, ready to become a table. */
export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/**
 * Makes the rows that user code returned into a dimension. A row must mention the key and the start (one of a table that is overwritten
 * needs no start, and with type 4 each says which table it is in), if only as null; any other column that it does not mention is NULL.
 *
 * Key, attributes and times have the contract's types. The times may have other usual names (`_tech_valid_from`): the
 * names seen so far show which. They keep their own names here; whoever reads the table guesses the same. Flags, hashes
 * and surrogate keys come in any form, and all else is the implementation's own.
 *
 * One reader serves one session: a column that a row has mentioned is in every later result, so that a table never
 * seems to lose one. Before any row came nothing is known of the columns, and there are none.
 */
export class StateReader {
  readonly #contract: Contract;
  readonly #mentioned = new Set<string>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** `source` begins the messages: `impl.ts, batch 3`. Throws `ImplementationFailure` where a row is not one. */
  read(values: readonly unknown[], source: string): Rows {
    values.forEach((value, index) => {
      requireObject(value, index, source);
      for (const name of Object.keys(value as object)) this.#mentioned.add(name);
    });
    if (this.#mentioned.size === 0 && values.length === 0) return { columns: [], rows: [] };
    const objects = values as readonly Record<string, unknown>[];
    const columns = rolesAmong(this.#contract, [...this.#mentioned]);
    objects.forEach((row, index) => {
      requireColumns(row, index, { ...this.#contract, columns }, source);
    });
    const strict = this.#strictColumns(columns);
    const known = new Set(strict.map(({ name }) => name));
    const own = [...this.#mentioned]
      .filter((name) => !known.has(name))
      .map((name) => ownColumn(name, columns, objects));
    const rows = objects.map((row, index) => canonicalRow(row, index, strict, own, source));
    return { columns: [...strict, ...own], rows };
  }

  /** Columns whose cells must fit their type: key, attributes and times. An end that no row has is not among them. */
  #strictColumns(columns: Columns): readonly Column[] {
    const bounds = hasVersions(this.#contract) ? [columns.validFrom, columns.validTo] : [];
    const times = bounds.filter((column) => column !== null);
    const beside = besideColumns({ type: this.#contract.type, columns });
    return [...columns.key, ...columns.tracked, ...columns.untracked, ...beside, ...times];
  }
}

/** The contract's columns, with the roles that these names show. */
export function rolesAmong(contract: Contract, names: readonly string[]): Columns {
  return guessRoles(contract, new Set(), names).contract.columns;
}

/** What a row lacks that says of which key and time it is, if anything. */
export function missingColumn(
  { type, columns }: Pick<Contract, 'type' | 'columns'>,
  has: (name: string) => boolean,
): Column | undefined {
  const { key, validFrom, inHistory } = columns;
  const place = type === '2' || type === '6' ? validFrom : inHistory;
  return [...key, ...(place === null ? [] : [place])].find(({ name }) => !has(name));
}

function requireObject(value: unknown, index: number, source: string): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw misfit(
    `${source}: row ${index} of the state is ${show(value)}, but a row is an object with cells by column name.`,
  );
}

function requireColumns(row: object, index: number, contract: Contract, source: string): void {
  const missing = missingColumn(contract, (name) => name in row);
  if (missing === undefined) return;
  const names = Object.keys(row);
  throw misfit(
    `${source}: row ${index} of the state has no column "${missing.name}" (it has ${names.length === 0 ? 'none at all' : names.map(quote).join(', ')}), ` +
      `without which it says nothing of any key${missing === contract.columns.inHistory ? ' or table' : ' or time'}. If the column has another name, declare it in the contract.`,
  );
}

/** Flags are booleans where they can be: engines without them have 0 and 1. */
function ownColumn(name: string, columns: Columns, rows: readonly Record<string, unknown>[]): Column {
  const values = rows.map((row) => row[name]);
  const isFlag = [columns.isCurrent, columns.isDeleted, columns.inHistory].some(
    (flag) => flag?.name === name,
  );
  if (isFlag && values.every((value) => value == null || flagOf(value) !== null))
    return { name, type: 'boolean', nullable: true };
  return inferColumn(name, values);
}

function flagOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return value === 0 || value === 1 ? value === 1 : null;
}

function canonicalRow(
  row: Record<string, unknown>,
  index: number,
  strict: readonly Column[],
  own: readonly Column[],
  source: string,
): Row {
  const cells: Record<string, Cell> = {};
  for (const column of strict) {
    try {
      cells[column.name] = canonicalCell(column, row[column.name], index);
    } catch (error) {
      throw misfit(`${source}: the state cannot be read: ${(error as Error).message}`);
    }
  }
  for (const column of own) {
    const value = row[column.name];
    cells[column.name] = column.type === 'boolean' ? flagOf(value) : inferredCell(column, value);
  }
  return cells;
}

function misfit(message: string): ImplementationFailure {
  return new ImplementationFailure('output', message);
}

function quote(name: string): string {
  return `"${name}"`;
}
