import type { Column, Row } from '../../src/contract/columns.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { formatInstant, parseInstant } from '../../src/contract/instant.ts';
import { Database } from '../../src/duckdb/connection.ts';
import { tableFromRows } from '../../src/duckdb/rows.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { foldState } from '../../src/oracle/typescript/index.ts';
import type { Raw } from './entry.ts';
import { instantOf } from './feed.ts';
import { readCell } from './layout.ts';

/*
 * Where the fault is in the reader, an entry says what it found and not how it joined. So joins that people write are tried: a
 * condition on the start with one on the end, the usual ones first. The first that finds what the report's reader found is that reader.
 * An entry may also tell the join itself; then only that is tried.
 */

/** A dimension, and the predicate over `f.ts` and `v.<columns>` by which it is read. */
export interface Reading {
  readonly rows: readonly Row[];
  readonly join: string;
}

const UNITS = ['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY'];
const HOURS = Array.from({ length: 14 }, (_, index) => index + 1).flatMap((hours) => [hours, -hours]);

/** Rounded up to a unit, as a store without fractions keeps it. */
const roundedUp = (unit: string) =>
  `date_trunc('${unit}', v.valid_from + INTERVAL 1 ${unit} - INTERVAL 1 MICROSECOND)`;

const STARTS: readonly string[] = [
  'v.valid_from <= f.ts',
  'true',
  'v.valid_from < f.ts',
  ...UNITS.map((unit) => `${roundedUp(unit)} <= f.ts`),
  ...UNITS.map((unit) => `v.valid_from <= date_trunc('${unit}', f.ts)`),
  ...UNITS.map((unit) => `date_trunc('${unit}', v.valid_from) <= f.ts`),
  ...HOURS.map((hours) => `v.valid_from + INTERVAL (${hours}) HOUR <= f.ts`),
];

function ends(isOpen: string): readonly string[] {
  const guarded = (condition: string) => `(${isOpen} OR ${condition})`;
  return [
    guarded('f.ts < v.valid_to'),
    guarded('f.ts <= v.valid_to'),
    'f.ts <= v.valid_to',
    'f.ts < v.valid_to',
    ...['MICROSECOND', ...UNITS].map((unit) => guarded(`f.ts <= v.valid_to - INTERVAL 1 ${unit}`)),
    'true',
    isOpen,
    `NOT ${isOpen}`,
    'v.valid_to IS NULL',
    ...UNITS.map((unit) => guarded(`date_trunc('${unit}', f.ts) < v.valid_to`)),
    ...UNITS.map((unit) => guarded(`date_trunc('${unit}', f.ts) <= v.valid_to`)),
    ...HOURS.map((hours) => guarded(`f.ts < v.valid_to + INTERVAL (${hours}) HOUR`)),
  ];
}

/** The dimension and join that give the lookups of the report; null where no join known here does. */
export async function findReading(
  contract: Contract,
  feed: Feed,
  right: readonly Row[],
  lookups: readonly Raw[],
  told: string | null,
): Promise<Reading | null> {
  // A reader that trusts the dimension is only wrong where the dimension is: it holds each row that was delivered.
  for (const rows of [right, rowsAsDelivered(contract, feed)]) {
    const join = await findJoin(contract, rows, lookups, told);
    if (join !== null) return { rows, join };
  }
  return null;
}

async function findJoin(
  contract: Contract,
  rows: readonly Row[],
  lookups: readonly Raw[],
  told: string | null,
): Promise<string | null> {
  const isOpen =
    contract.openMarker === 'null'
      ? 'v.valid_to IS NULL'
      : `v.valid_to = TIMESTAMP '${formatInstant(instantOf(contract.openMarker)).slice(0, -1)}'`;
  const conditions =
    told === null ? { starts: STARTS, ends: ends(isOpen) } : { starts: [told], ends: ['true'] };
  const met = await evaluate(conditions, rows, lookups);
  const sums = conditions.starts
    .flatMap((_, start) => conditions.ends.map((_, end) => ({ start, end })))
    .sort((a, b) => a.start + a.end - (b.start + b.end));
  const found = sums.find(({ start, end }) =>
    lookups.every((lookup, index) => {
      const hits = rows.filter((row, at) => sameKey(contract, row, lookup) && met(index, at, start, end));
      return isFound(contract, lookup, hits);
    }),
  );
  if (found === undefined) return null;
  const parts = [conditions.starts[found.start]!, conditions.ends[found.end]!].filter(
    (part) => part !== 'true',
  );
  return parts.join(' AND ') || 'true';
}

function isFound({ columns }: Contract, lookup: Raw, hits: readonly Row[]): boolean {
  if (hits.length !== Number(lookup['matches'])) return false;
  const named = [...columns.tracked, ...columns.untracked].filter(({ name }) => name in lookup);
  return hits.every((hit) =>
    named.every((column) => hit[column.name] === readCell(column, lookup[column.name])),
  );
}

function sameKey({ columns, keyCompare }: Contract, row: Row, lookup: Raw): boolean {
  const fold = (cell: (column: Column) => Row[string]) =>
    foldState(columns.key.map(cell), columns.key, keyCompare);
  return (
    fold((column) => row[column.name] ?? null) === fold((column) => readCell(column, lookup[column.name]))
  );
}

/** Each condition, evaluated by DuckDB for each lookup and row: the same text is the join afterwards. */
async function evaluate(
  { starts, ends }: { readonly starts: readonly string[]; readonly ends: readonly string[] },
  rows: readonly Row[],
  lookups: readonly Raw[],
): Promise<(lookup: number, row: number, start: number, end: number) => boolean> {
  const number: Column = { name: 'n', type: 'integer', nullable: false };
  const instant = (name: string): Column => ({ name, type: 'timestamp', nullable: true });
  const db = await Database.open({ threads: 1 });
  try {
    await db.createTable(
      'f',
      tableFromRows(
        [number, instant('ts')],
        lookups.map(({ at }, n) => ({ n, ts: formatInstant(instantOf(at)) })),
      ),
    );
    await db.createTable(
      'v',
      tableFromRows(
        [number, instant('valid_from'), instant('valid_to')],
        rows.map((row, n) => ({ n, valid_from: row['valid_from']!, valid_to: row['valid_to']! })),
      ),
    );
    const list = (conditions: readonly string[]) =>
      conditions.map((condition) => `coalesce(${condition}, false)`).join(', ');
    const answers = await db.rows<{ f: number; v: number; met: string }>(
      `SELECT f.n AS f, v.n AS v, array_to_string(list_transform([${list([...starts, ...ends])}], lambda c: if(c, '1', '0')), '') AS met FROM f, v`,
    );
    const byPair = new Map(answers.map(({ f, v, met }) => [`${f}/${v}`, met]));
    return (lookup, row, start, end) => {
      const met = byPair.get(`${lookup}/${row}`);
      return met?.[start] === '1' && met[starts.length + end] === '1';
    };
  } finally {
    db.close();
  }
}

/** Every delivered row as a version, until the key's next instant: what a load makes that trusts its input. */
function rowsAsDelivered(contract: Contract, feed: Feed): readonly Row[] {
  const { columns } = contract;
  const ownInstants = contract.feed === 'changes' || contract.stamp === 'row-time';
  const delivered = feed.batches.flatMap(({ asOf, rows }) =>
    rows.map((row) => {
      const own = ownInstants && columns.changedAt !== null ? row[columns.changedAt.name] : null;
      const key = foldState(
        columns.key.map(({ name }) => row[name] ?? null),
        columns.key,
        contract.keyCompare,
      );
      return { row, key, instant: (own == null ? null : parseInstant(String(own))) ?? asOf };
    }),
  );
  const open = contract.openMarker === 'null' ? null : formatInstant(instantOf(contract.openMarker));
  return delivered.map(({ row, key, instant }) => {
    const next = delivered
      .filter((other) => other.key === key && other.instant > instant)
      .map((other) => other.instant)
      .sort((a, b) => (a < b ? -1 : 1))[0];
    const attributes = [...columns.key, ...columns.tracked, ...columns.untracked];
    return {
      ...Object.fromEntries(attributes.map(({ name }) => [name, row[name] ?? null])),
      valid_from: formatInstant(instant),
      valid_to: next === undefined ? open : formatInstant(next),
    };
  });
}
