import type { Table } from 'apache-arrow';
import type { Contract } from '../../contract/contract.ts';
import { tableFromRows } from '../../duckdb/rows.ts';
import { StateReader } from '../host/state.ts';
import { ImplementationFailure } from '../implementation.ts';
import { Numeral, printJson } from './json.ts';

/** Rows as a program answered them, made into tables, for one session. */
export class AnswerReader {
  readonly #reader: StateReader;

  constructor(contract: Contract) {
    this.#reader = new StateReader(contract);
  }

  /**
   * `source` begins the messages. `stderr` goes with a failure.
   *
   * @throws ImplementationFailure `output`, where a row lacks a key or a start, or a cell does not fit its column.
   */
  table(values: readonly unknown[], source: string, stderr: string): Table {
    try {
      const state = this.#reader.read(values.map(plainRow), source);
      return tableFromRows(state.columns, state.rows);
    } catch (error) {
      if (!(error instanceof ImplementationFailure)) throw error;
      throw new ImplementationFailure(error.kind, error.message, stderr);
    }
  }
}

/** The row with values that mean the same in JavaScript; they are checked, and refused, further on. */
function plainRow(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, cell]) => {
      if (cell instanceof Numeral) return [name, cell.value];
      return [name, typeof cell === 'object' && cell !== null ? printJson(cell) : cell];
    }),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Numeral);
}
