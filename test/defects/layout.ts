import { UsageError } from '../../src/cli/usage-error.ts';
import { parseColumns } from '../../src/contract/column-text.ts';
import type { Cell, Column, ColumnType } from '../../src/contract/columns.ts';
import { parseInstant } from '../../src/contract/instant.ts';
import { cellFromJson } from '../../src/duckdb/rows.ts';
import { type Entry, type Raw, readResult } from './entry.ts';

/** Which column of an entry plays which role, and what it holds: read off its rows, before any decision is made. */
export interface Layout {
  readonly key: readonly Column[];
  readonly tracked: readonly Column[];
  readonly untracked: readonly Column[];
  readonly changedAt: string | null;
  readonly operation: string | null;
  readonly sequence: string | null;
  /** A column of instants that no dimension shows: it can only say when a key began. */
  readonly began: string | null;
  readonly isDeleted: string | null;
  readonly isCurrent: string | null;
  readonly surrogateKey: string | null;
  readonly hash: string | null;
  /** Other columns that no dimension shows. */
  readonly hidden: readonly string[];
  /** The name under which the contract knows a column of the feed. */
  readonly nameOf: (column: string) => string;
}

const BOUNDS = ['from', 'to'];
const BOOKKEEPING = {
  isDeleted: /^(is_)?deleted$/i,
  isCurrent: /^(is_)?current$/i,
  surrogateKey: /^(sk|\w+_sk|surrogate_key|scd_id|version_id)$/i,
  hash: /hash/i,
} as const;

export function layoutOf(entry: Entry): Layout {
  const right = readResult(entry.expected);
  const wrong = readResult(entry.wrong);
  const rightRows = right?.kind === 'table' ? right.rows : [];
  const wrongRows = wrong?.kind === 'table' ? wrong.rows : [];
  const batchRows = entry.batches.flatMap(({ rows }) => rows);

  // A column that the feed spells in another case than the right dimension is the same column.
  const known = names([
    ...rightRows,
    Object.fromEntries([...entry.key, ...(entry.tracked ?? [])].map((n) => [n, 1])),
  ]);
  const nameOf = (column: string) =>
    known.includes(column)
      ? column
      : (known.find((name) => name.toLowerCase() === column.toLowerCase()) ?? column);
  const delivered = [...new Set(names(batchRows).map(nameOf))];

  const held = names([...rightRows, ...wrongRows]).filter((name) => !delivered.includes(name));
  const bookkeeping = (pattern: RegExp) => held.find((name) => pattern.test(name)) ?? null;
  const roles = {
    isDeleted: bookkeeping(BOOKKEEPING.isDeleted),
    isCurrent: bookkeeping(BOOKKEEPING.isCurrent),
    surrogateKey: bookkeeping(BOOKKEEPING.surrogateKey),
    hash: bookkeeping(BOOKKEEPING.hash),
  };
  const present = (...candidates: string[]) => candidates.find((name) => delivered.includes(name)) ?? null;
  const changedAt = present('_ts', 'ts');
  const operation = present('_op');
  const sequence = present('_seq');

  const shown = names(rightRows).filter(
    (name) => !BOUNDS.includes(name) && !(Object.values(roles) as (string | null)[]).includes(name),
  );
  const isShown = (name: string) => right?.kind !== 'table' || shown.includes(name);
  const special = [changedAt, operation, sequence];
  const isAttribute = (name: string) =>
    !entry.key.includes(name) && (special.includes(name) ? shown.includes(name) : isShown(name));
  const attributes = [...new Set([...delivered, ...shown])].filter(isAttribute);
  const tracked = entry.tracked ?? attributes.filter((name) => !special.includes(name));
  const untracked = attributes.filter((name) => !tracked.includes(name));
  const hidden = delivered.filter((name) => ![...entry.key, ...attributes, ...special].includes(name));

  const taken = [...entry.key, ...attributes].find((name) => /^valid_(from|to)$/i.test(name));
  if (taken !== undefined)
    throw new UsageError(`the dimension has its bounds under the name of the column \`${taken}\`.`);

  const values = valuesByName([...batchRows, ...rightRows, ...wrongRows], nameOf);
  const column = (name: string): Column => columnOf(name, entry.types?.[name], values.get(name) ?? []);
  const began = hidden.find((name) => areInstants(values.get(name) ?? [])) ?? null;
  return {
    key: entry.key.map(column),
    tracked: tracked.map(column),
    untracked: untracked.map(column),
    changedAt,
    operation,
    sequence,
    began,
    hidden: hidden.filter((name) => name !== began),
    ...roles,
    nameOf,
  };
}

function names(rows: readonly Raw[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function valuesByName(rows: readonly Raw[], nameOf: (name: string) => string) {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of rows.flatMap((row) => Object.entries(row))) {
    if (value === null || value === undefined) continue;
    values.set(nameOf(name), [...(values.get(nameOf(name)) ?? []), value]);
  }
  return values;
}

function areInstants(values: readonly unknown[]): boolean {
  return (
    values.length > 0 && values.every((value) => typeof value === 'string' && parseInstant(value) !== null)
  );
}

/** A column of the type that the entry names, where its values fit that, else of one that fits. */
function columnOf(name: string, told: string | undefined, values: readonly unknown[]): Column {
  const types = [...(told === undefined ? [] : toldTypes(name, told)), inferredType(values)];
  const column = (type: ColumnType): Column => ({ name, type, nullable: true });
  return column(types.find((type) => values.every((value) => holds(column(type), value))) ?? 'text');
}

function toldTypes(name: string, told: string): readonly ColumnType[] {
  const byWord: readonly (readonly [RegExp, ColumnType])[] = [
    [/bigint|long|int64/i, 'bigint'],
    [/int/i, 'integer'],
    [/decimal|numeric|number/i, 'decimal(38,10)'],
    [/double|float|real/i, 'double'],
    [/bool/i, 'boolean'],
    [/time/i, 'timestamp'],
    [/date/i, 'date'],
    [/text|char|string/i, 'text'],
  ];
  const guessed = byWord.filter(([word]) => word.test(told)).map(([, type]) => type);
  try {
    return [parseColumns([{ name, type: told }], name)[0]!.type, ...guessed];
  } catch {
    return guessed;
  }
}

function holds(column: Column, value: unknown): boolean {
  try {
    readCell(column, value);
    return true;
  } catch {
    return false;
  }
}

function inferredType(values: readonly unknown[]): ColumnType {
  if (values.length === 0) return 'text';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (!values.every((value) => typeof value === 'number' || typeof value === 'bigint')) return 'text';
  const isWhole = values.every(
    (value) => typeof value === 'bigint' || (Number.isSafeInteger(value) && !Object.is(value, -0)),
  );
  if (!isWhole) return 'double';
  const is32Bits = values.every((value) => typeof value === 'number' && (value | 0) === value);
  return is32Bits ? 'integer' : 'bigint';
}

/** A cell of an entry; in a text column any other value is its text, lists and objects as JSON. */
export function readCell(column: Column, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (column.type !== 'text') return cellFromJson(column, value);
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}
