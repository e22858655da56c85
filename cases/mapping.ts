/**
 * A case on the columns and under the decisions of another contract: its roles take that contract's first
 * columns that fit, in order; what the case does not use is filled with values that change nothing. Where
 * that cannot be done without changing what the case says, it is skipped, for a reason in a sentence.
 */
import {
  batchColumns,
  type Cell,
  type Column,
  firstStartColumn,
  isInstantLiteral,
  type Row,
} from '../src/contract/columns.ts';
import { type Contract, grainMicros } from '../src/contract/contract.ts';
import { formatDate, formatInstant, parseInstant, truncateInstant } from '../src/contract/instant.ts';
import type { Feed } from '../src/feed/feed.ts';
import type { Case, CaseBatch, CaseColumn, CaseRow, Needs } from './case.ts';
import { held, standIn } from './cells.ts';

export type MappedCase = { readonly feed: Feed } | { readonly skip: string };

/** The case's feed for a contract, or why it cannot be sent. Nothing is cut, and no value is replaced that matters. */
export function mapCase(theCase: Case, contract: Contract): MappedCase {
  const skip = unmetNeed(theCase.needs, contract) ?? unsendable(theCase, contract);
  if (skip !== null) return { skip };
  const placed = placeAttributes(theCase, contract);
  if ('skip' in placed) return placed;
  const roles = placeRoles(theCase, contract);
  if ('skip' in roles) return roles;
  const fields = [...placed.fields, ...roles.fields];
  const unfit = fields.find(({ cell }) =>
    theCase.batches.some((batch) => batch.rows.some((row, at) => cell(row, batch, at) === undefined)),
  );
  if (unfit) return { skip: `The column \`${unfit.column.name}\` cannot hold its values.` };

  const fill = constants(contract);
  const batches = theCase.batches.map((batch) => ({
    asOf: parseInstant(batch.asOf)!,
    rows: batch.rows.map((row, at) => {
      const cells = fields.map(({ column, cell }) => [column.name, cell(row, batch, at)]);
      return { ...fill, ...(Object.fromEntries(cells) as Row) };
    }),
    ...(batch.columns && { columns: reordered(batch.columns, placed.names, contract) }),
  }));
  return { feed: { id: `case/${theCase.id}`, batches } };
}

/** The batch's columns, of which the contract has more than the case, in the case's order. */
function reordered(order: readonly string[], names: ReadonlyMap<string, string>, contract: Contract) {
  const first = order.flatMap((name) => names.get(name) ?? []);
  const all = batchColumns(contract.columns, contract.firstStart).map((column) => column.name);
  return [...first, ...all.filter((name) => !first.includes(name))];
}

// What the contract decides

function unmetNeed(needs: Needs, contract: Contract): string | null {
  for (const [field, wanted] of Object.entries(needs) as [keyof Needs, readonly string[]][]) {
    const has = contract[field];
    const met =
      typeof has === 'string'
        ? wanted.includes(has) || (wanted.some(isInstantLiteral) && isInstantLiteral(has))
        : wanted.length === has.length && wanted.every((folding) => has.some((other) => other === folding));
    if (!met) return unmet(field, wanted, has);
  }
  return null;
}

function unmet(field: string, wanted: readonly string[], has: string | readonly string[]): string {
  if (typeof has === 'string') {
    const options = wanted.map((option) => `\`${field}: ${option}\``).join(' or ');
    return `It needs ${options}; this contract has \`${has}\`.`;
  }
  const foldings = (list: readonly string[]) => (list.length === 0 ? 'sql' : list.join(' '));
  return `It needs \`${field}: ${foldings(wanted)}\`; this contract has \`${foldings(has)}\`.`;
}

/** Feeds that no implementation can be sent under this contract, whatever its columns. */
function unsendable({ batches, needs, columns }: Case, contract: Contract): string | null {
  const loads = batches.map((batch) => parseInstant(batch.asOf)!);
  const inOrder = (follows: (previous: bigint, next: bigint) => boolean) =>
    loads.slice(1).every((next, index) => follows(loads[index]!, next));
  if (contract.clock === 'wall' && !inOrder((previous, next) => previous < next)) {
    return 'It loads one instant twice or an older one late; a clock that nobody can set allows neither.';
  }
  if (contract.clock === 'moved' && loads.some((asOf) => asOf <= 0n)) {
    return 'It loads before 1970, or as it begins; clocks that are moved begin after that (MariaDB takes 0 for its own time).';
  }
  const rowTimeSnapshot = contract.feed === 'snapshot' && contract.stamp === 'row-time';
  if (rowTimeSnapshot && !inOrder((previous, next) => previous <= next)) {
    return 'It delivers full extracts out of order, which row times do not allow.';
  }
  const absenceByPartition = contract.columns.partition !== null && contract.feed === 'snapshot';
  if (absenceByPartition && !columns.partition && batches.some((batch) => batch.rows.length === 0)) {
    return 'It has a load without rows, which names none of this contract’s partitions.';
  }
  return needs.grain === undefined ? joinedByGrain(batches, contract) : null;
}

function joinedByGrain(batches: readonly CaseBatch[], contract: Contract): string | null {
  const grain = grainMicros(contract.columns.changedAt?.type === 'date' ? 'day' : contract.grain);
  const seen = new Map<bigint, string>();
  for (const text of batches.flatMap(instantsOf)) {
    const instant = parseInstant(text)!;
    const cut = truncateInstant(instant, grain);
    const other = seen.get(cut);
    if (other !== undefined && parseInstant(other) !== instant) {
      return `It needs ${other} and ${text} to be two instants; at this dimension’s grain they are one.`;
    }
    seen.set(cut, text);
  }
  return null;
}

function instantsOf(batch: CaseBatch): readonly string[] {
  return [batch.asOf, ...batch.rows.flatMap((row) => (row['changedAt'] as string | null | undefined) ?? [])];
}

// Where its columns go

/** A column of the contract, and how its cell is made from a row of the case. */
interface Field {
  readonly column: Column;
  /** Undefined where the column cannot hold it. */
  readonly cell: (row: CaseRow, batch: CaseBatch, position: number) => Cell | undefined;
}

type Skip = { readonly skip: string };

const ATTRIBUTES = ['key', 'tracked', 'untracked'] as const;
type AttributeRole = (typeof ATTRIBUTES)[number];

function placeAttributes(
  theCase: Case,
  contract: Contract,
): { fields: readonly Field[]; names: ReadonlyMap<string, string> } | Skip {
  const rows = theCase.batches.flatMap((batch) => batch.rows);
  const taken = new Set(roleColumns(contract));
  const fields: Field[] = [];
  const names = new Map<string, string>();
  for (const role of ATTRIBUTES) {
    const free = contract.columns[role].filter((column) => !taken.has(column.name));
    const needed = (theCase.columns[role] ?? []).filter((column) => !column.optional);
    if (free.length < needed.length) return { skip: tooFew(role, needed.length, free.length) };
    let next = 0;
    for (const wanted of theCase.columns[role] ?? []) {
      const cells = rows.map((row) => row[wanted.name] ?? null);
      const at = free.findIndex(
        (column, place) => place >= next && converter(wanted, cells, column) !== null,
      );
      if (at < 0 && wanted.optional) continue;
      if (at < 0) return { skip: noneFits(role, wanted, cells) };
      const column = free[at]!;
      const convert = converter(wanted, cells, column)!;
      fields.push({ column, cell: (row) => convert(row[wanted.name] ?? null) });
      names.set(wanted.name, column.name);
      next = at + 1;
    }
  }
  return { fields, names };
}

/** Attributes that are also the row's instant, operation and so on change with every load; no case’s value goes there. */
function roleColumns({ columns, firstStart }: Contract): readonly string[] {
  const { changedAt, operation, sequence, partition } = columns;
  const start = firstStartColumn(firstStart);
  return [changedAt, operation, sequence, partition]
    .flatMap((column) => column?.name ?? [])
    .concat(start ?? []);
}

/** How a column takes the cells of a case, or null where it cannot. */
function converter(
  wanted: CaseColumn,
  cells: readonly Cell[],
  column: Column,
): ((cell: Cell) => Cell) | null {
  const typed =
    wanted.types === 'any' ||
    wanted.types.some((type) => type === column.type || (type === 'decimal' && column.type.startsWith(type)));
  if (!typed) return null;
  if (cells.every((cell) => held(cell, column) !== undefined)) return (cell) => held(cell, column)!;
  if (wanted.types !== 'any' || (cells.includes(null) && !column.nullable)) return null;
  const distinct = [...new Set(cells.filter((cell) => cell !== null))];
  const stand = new Map(distinct.map((cell, n) => [cell, standIn(column, n)]));
  if ([...stand.values()].includes(undefined)) return null;
  return (cell) => (cell === null ? null : stand.get(cell)!);
}

const COUNTS = ['none', 'one', 'two'];

function tooFew(role: AttributeRole, wanted: number, has: number): string {
  const which = ['', role === 'untracked' ? 'an' : 'a', 'a second', 'a third'][wanted];
  return `It needs ${which} ${role} column; this dimension has ${COUNTS[has]}.`;
}

function noneFits(role: AttributeRole, wanted: CaseColumn, cells: readonly Cell[]): string {
  const kind = wanted.types === 'any' ? '' : ` of type ${wanted.types.join(' or ')}`;
  const holds = cells.includes(null) ? 'NULL and its values' : 'its values';
  return `It needs ${role} columns${kind} that can hold ${holds}; this dimension has too few.`;
}

/** Columns that only the batch has. Those that the contract has and the case does not are filled. */
function placeRoles(theCase: Case, contract: Contract): { fields: readonly Field[] } | Skip {
  const { columns, batches } = theCase;
  const { isDeleted, changedAt, operation, sequence, partition } = contract.columns;
  const start = firstStartColumn(contract.firstStart);
  const startColumn =
    batchColumns(contract.columns, contract.firstStart).find(({ name }) => name === start) ?? null;
  if (columns.isDeleted && isDeleted === null) return needed('a flag of deleted rows');
  if (columns.changedAt && changedAt === null) return needed('an instant in each row');
  if (columns.operation && operation === null) return needed('an operation in each row');
  if (columns.sequence && sequence === null) return needed('a sequence in each row');
  if (columns.partition && partition === null) return needed('a partition in each row');
  if (columns.firstStart && (startColumn === null || start === changedAt?.name)) {
    return needed('a first start of its own in each row');
  }

  const fields: Field[] = [];
  if (partition !== null) {
    const partitionOf = (row: CaseRow) => row['partition'] ?? 'all';
    const cells = batches.flatMap((batch) => batch.rows.map(partitionOf));
    const convert = converter({ name: 'partition', types: 'any' }, cells, partition);
    fields.push({ column: partition, cell: (row) => convert?.(partitionOf(row)) });
  }
  if (operation !== null) {
    fields.push({ column: operation, cell: (row) => operationCell(row['operation'] ?? 'U', operation) });
  }
  if (sequence !== null) {
    const sequenceOf = (row: CaseRow, at: number) => (columns.sequence ? (row['sequence'] ?? null) : at);
    fields.push({ column: sequence, cell: (row, _, at) => sequenceCell(sequenceOf(row, at), sequence) });
  }
  if (changedAt !== null) {
    const instantOf = (row: CaseRow, { asOf }: CaseBatch) => (columns.changedAt ? row['changedAt'] : asOf);
    fields.push({ column: changedAt, cell: (row, batch) => instantCell(instantOf(row, batch), changedAt) });
  }
  if (startColumn !== null) {
    const startOf = (row: CaseRow, { asOf }: CaseBatch) => row['firstStart'] ?? row['changedAt'] ?? asOf;
    fields.push({ column: startColumn, cell: (row, batch) => instantCell(startOf(row, batch), startColumn) });
  }
  return { fields };
}

const needed = (what: string): Skip => ({ skip: `It needs ${what}; this contract names no such column.` });

/** Spellings of an operation; the first that the column can hold is sent. */
const OPERATIONS: Record<string, readonly string[]> = {
  I: ['I', 'INSERT', 'i', 'insert', 'U', 'UPSERT', 'UPDATE', 'u', 'upsert', 'update'],
  U: ['U', 'UPDATE', 'UPSERT', 'u', 'update', 'upsert', 'I', 'INSERT', 'i', 'insert'],
  D: ['D', 'DELETE', 'd', 'delete'],
};

function operationCell(operation: Cell, column: Column): Cell | undefined {
  return OPERATIONS[String(operation)]!.find((spelling) => held(spelling, column) !== undefined);
}

function sequenceCell(sequence: Cell, column: Column): Cell | undefined {
  return sequence === null ? held(null, column) : standIn(column, Number(sequence));
}

function instantCell(instant: Cell | undefined, column: Column): Cell | undefined {
  if (instant === null || instant === undefined) return held(null, column);
  const micros = parseInstant(String(instant))!;
  return held(column.type === 'date' ? formatDate(micros) : formatInstant(micros), column);
}

/** One value for each column of the batch, the same in every row. */
function constants(contract: Contract): Record<string, Cell> {
  const columns = batchColumns(contract.columns, contract.firstStart);
  return Object.fromEntries(columns.map((column) => [column.name, standIn(column, 0) ?? null]));
}
