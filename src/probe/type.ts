import type { Table } from 'apache-arrow';
import type { Trace } from '../checks/judge.ts';
import type { Cell, Column, Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { guessRoles } from '../contract/guess.ts';
import { hasVersions, type Type } from '../contract/types.ts';
import { rowsFromTable } from '../duckdb/rows.ts';
import type { Question } from './sheet.ts';

/**
 * Which type of dimension an implementation keeps, from the rows of one key whose state went from A to B and back. It looks at the rows as
 * they came, because nothing can be read by roles before it is known which there are:
 *
 * - a flag of the rows of a history table: type 4;
 * - one row, overwritten: type 3 if a column of its own followed with the value before, else type 1;
 * - several rows: type 6 if a column of its own had the value of now on all of them, else type 2.
 *
 * @returns the contract with that type and its columns; as it was where the rows say nothing else
 */
export function withSeenType(contract: Contract, trace: Trace, change: Question | undefined): Contract {
  const tables = trace.steps.map(({ dimension }) => dimension);
  const names = [...new Set(tables.flatMap(({ schema }) => schema.fields.map(({ name }) => name)))];
  const flag = contract.columns.inHistory?.name ?? 'in_history';
  if (names.includes(flag)) return contract.type === '4' ? contract : as(contract, '4', []);
  if (change === undefined) return contract;
  const rows = [0, 1, 3].map((step) => rowsOfKey(tables[step], contract, change));
  const sent = [0, 1, 3].map((step) => sentAt(change, contract, step));
  const [first, second, third] = sent as (Row | undefined)[];
  if (first === undefined || second === undefined || third === undefined) return contract;
  const changed = contract.columns.tracked.filter(({ name }) => !isSame(first[name], second[name]));
  const isOne = rows.every((held) => held.length === 1);
  const follows = (held: readonly Row[] | undefined, row: Row) =>
    held!.some((own) => changed.every(({ name }) => isSame(own[name], row[name])));
  if (!follows(rows[1], second)) return contract;
  const own = names.filter((name) => !isAttribute(contract, name));
  const holding = (values: readonly (readonly [number, Row])[]) =>
    changed.flatMap((column): Column[] =>
      own
        .filter((name) =>
          values.every(([at, row]) => rows[at]!.every((held) => isSame(held[name], row[column.name]))),
        )
        .slice(0, 1)
        .map((name) => ({ ...column, name, nullable: true, of: column.name })),
    );
  if (isOne) {
    const previous = holding([
      [1, first],
      [2, second],
    ]);
    return previous.length > 0 ? as(contract, '3', previous) : as(contract, '1', []);
  }
  const hasBounds = names.includes(
    guessRoles(as(contract, '2', []), new Set(), names).contract.columns.validFrom.name,
  );
  if (!hasBounds) return contract;
  const current = holding([
    [1, second],
    [2, third],
  ]);
  return current.length > 0 ? as(contract, '6', current) : as(contract, '2', []);
}

/** The contract with another type; what it says of columns stays where it says it of that type already. */
function as(contract: Contract, type: Type, beside: readonly Column[]): Contract {
  if (contract.type === type && (type !== '3' || contract.columns.previous.length > 0)) return contract;
  const { columns, grain } = contract;
  const flag = (name: string): Column => ({ name, type: 'boolean', nullable: true });
  const bounded = hasVersions({ type });
  const end: Column = { name: 'valid_to', type: grain === 'day' ? 'date' : 'timestamp', nullable: true };
  return {
    ...contract,
    type,
    historyHolds: type === '4' ? contract.historyHolds : 'all',
    lateEvidence: bounded ? contract.lateEvidence : 'log',
    untracked: bounded || contract.untracked !== 'frozen' ? contract.untracked : 'any',
    columns: {
      ...columns,
      validTo: bounded ? (columns.validTo ?? end) : null,
      isCurrent: type === '2' || type === '6' ? (columns.isCurrent ?? flag('is_current')) : null,
      previous: type === '3' ? beside : [],
      current: type === '6' ? beside : [],
      inHistory: type === '4' ? flag('in_history') : null,
    },
  };
}

function isAttribute({ columns }: Contract, name: string): boolean {
  return [...columns.key, ...columns.tracked, ...columns.untracked].some((column) => column.name === name);
}

function rowsOfKey(table: Table | undefined, { columns }: Contract, { keys }: Question): readonly Row[] {
  if (table === undefined) return [];
  return rowsFromTable(table).filter((row) =>
    keys.some((key) => columns.key.every(({ name }, at) => isSame(row[name], key[at]))),
  );
}

function sentAt({ feed, keys }: Question, { columns }: Contract, step: number): Row | undefined {
  return feed.batches[step]?.rows.find((row) =>
    keys.some((key) => columns.key.every(({ name }, at) => isSame(row[name], key[at]))),
  );
}

/** By their texts: a table may hold a number in another type than it was sent in. */
function isSame(a: Cell | undefined, b: Cell | undefined): boolean {
  return String(a ?? null) === String(b ?? null);
}
