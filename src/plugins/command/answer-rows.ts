import type { Table } from 'apache-arrow';
import { dimensionColumns } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import { guessRoles } from '../../contract/guess.ts';
import { tableFromRows } from '../../duckdb/rows.ts';
import { StateReader } from '../host/state.ts';
import { ImplementationFailure } from '../implementation.ts';
import { Numeral, printJson } from './json.ts';

/**
 * Rows as a program answered them, made into tables, for one session.
 *
 * Columns that the contract knows have its types. A dimension may keep its times under other usual names
 * (`_tech_valid_from`): the names seen so far show which, and those columns are read as times too. They keep their own
 * names here; whoever reads the table knows how to guess the same. All else is the implementation's own.
 */
export class AnswerReader {
  readonly #contract: Contract;
  readonly #names = new Set<string>();
  #known: { readonly reader: StateReader; readonly booleans: ReadonlySet<string> } | null = null;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /**
   * `source` begins the messages. `stderr` goes with a failure.
   *
   * @throws ImplementationFailure `output`, where a row lacks a key or a start, or a cell does not fit its column.
   */
  table(values: readonly unknown[], source: string, stderr: string): Table {
    const { reader, booleans } = this.#knownFrom(values);
    try {
      const state = reader.read(
        values.map((value) => plainRow(value, booleans)),
        source,
      );
      return tableFromRows(state.columns, state.rows);
    } catch (error) {
      if (!(error instanceof ImplementationFailure)) throw error;
      throw new ImplementationFailure(error.kind, error.message, stderr);
    }
  }

  #knownFrom(values: readonly unknown[]) {
    const before = this.#names.size;
    for (const value of values) {
      if (isObject(value)) for (const name of Object.keys(value)) this.#names.add(name);
    }
    if (this.#known !== null && this.#names.size === before) return this.#known;
    // Without any names nothing is concluded. With new ones (an end that the first rows left out) it is guessed anew.
    const { columns } =
      this.#names.size === 0
        ? this.#contract
        : guessRoles(this.#contract, new Set(), [...this.#names]).contract;
    this.#known = {
      reader: new StateReader(columns),
      booleans: new Set(
        dimensionColumns(columns)
          .filter(({ type }) => type === 'boolean')
          .map(({ name }) => name),
      ),
    };
    return this.#known;
  }
}

/** The row with values that mean the same in JavaScript; they are checked, and refused, further on. */
function plainRow(value: unknown, booleans: ReadonlySet<string>): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, cell]) => {
      // Engines without booleans have these two numbers.
      if (booleans.has(name) && (cell === 0 || cell === 1)) return [name, cell === 1];
      if (cell instanceof Numeral) return [name, cell.value];
      return [name, typeof cell === 'object' && cell !== null ? printJson(cell) : cell];
    }),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Numeral);
}
