import type { Judge } from '../checks/judge.ts';
import { heldColumns } from '../checks/value-columns.ts';
import type { Cell, Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { formatInstant } from '../contract/instant.ts';
import { hasCurrentTable } from '../contract/types.ts';
import { cellToJson } from '../duckdb/rows.ts';
import { readExpected } from '../oracle/duckdb/read.ts';
import type { ExpectedVersion } from '../oracle/expected.ts';
import type { FactPoint, JsonRow, KeyStep, Money, VersionRow } from './report.ts';

/** What a finding shows of one key after one batch. */
export interface KeyEvidence {
  readonly key: JsonRow;
  readonly expected: readonly VersionRow[];
  readonly actual: readonly VersionRow[];
  /** The same after each batch up to this one; null where only this one was read. */
  readonly history: readonly KeyStep[] | null;
  readonly facts: readonly FactPoint[];
  readonly money: Money | null;
}

/** Batches whose rows a finding keeps: the last ones, since they are what broke it. */
const HISTORY_LIMIT = 30;
/** Facts that a finding keeps. Five stand at each boundary. */
const FACT_LIMIT = 100;

export interface Place {
  readonly feed: number;
  readonly step: number;
  readonly key: number;
}

type Found = Readonly<Record<string, Cell>>;

/**
 * Reads the rows behind violations, expected beside actual, with what differs marked, the same after each earlier batch, and the money
 * that moves; for all places at once. The answers are in the order of the places.
 */
export async function readEvidence(
  judge: Judge,
  contract: Contract,
  places: readonly Place[],
): Promise<readonly KeyEvidence[]> {
  if (places.length === 0) return [];
  await namePlaces(judge, places);
  const moved = await factsMet(judge, contract);
  await namePlaces(judge, places.flatMap(untilThen));
  const expected = await expectedRows(judge, contract);
  const actual = await actualRows(judge, contract);
  const keys = await keyValues(judge, contract);
  const at = (place: Place) =>
    markDifferences(expected.get(nameOf(place)) ?? [], actual.get(nameOf(place)) ?? []);
  return places.map((place) => ({
    key: keys.get(place.key) ?? {},
    ...at(place),
    history: untilThen(place).map((one) => ({ step: one.step, ...at(one) })),
    facts: moved.get(nameOf(place))?.facts ?? [],
    money: moved.get(nameOf(place))?.money ?? null,
  }));
}

/** The place and the steps before it, as far as they are kept. */
function untilThen(place: Place): Place[] {
  const first = Math.max(0, place.step - HISTORY_LIMIT + 1);
  return Array.from({ length: place.step - first + 1 }, (_, index) => ({ ...place, step: first + index }));
}

/** The rows that a dimension holds of a key at two places, the one as what is expected of the other. */
export async function readTwoSides(
  judge: Judge,
  contract: Contract,
  expected: Place,
  actual: Place,
): Promise<KeyEvidence> {
  await namePlaces(judge, [expected, actual]);
  const rows = await actualRows(judge, contract);
  const keys = await keyValues(judge, contract);
  return {
    key: keys.get(actual.key) ?? {},
    ...markDifferences(rows.get(nameOf(expected)) ?? [], rows.get(nameOf(actual)) ?? []),
    history: null,
    facts: [],
    money: null,
  };
}

async function namePlaces(judge: Judge, places: readonly Place[]): Promise<void> {
  const values = places.map(({ feed, step, key }) => `(${feed}, ${step}, ${key})`).join(', ');
  await judge.db.run(
    `CREATE OR REPLACE TEMP TABLE place AS SELECT DISTINCT * FROM (VALUES ${values}) p (feed, step, key)`,
  );
}

function nameOf({ feed, step, key }: Place): string {
  return `${feed}/${step}/${key}`;
}

function placeOf(row: Found): string {
  return `${row['feed']}/${row['step']}/${row['key']}`;
}

async function expectedRows(judge: Judge, contract: Contract): Promise<ReadonlyMap<string, VersionRow[]>> {
  const feeds = await readExpected(judge.db, contract, judge.traces.length, 'place');
  const columns = heldColumns(contract).map(({ column }) => column);
  const rowOf = (version: ExpectedVersion, table: Partial<Pick<VersionRow, 'table'>>): VersionRow => ({
    ...table,
    values: jsonRow(columns, [...version.key, ...version.tracked, ...version.untracked, ...version.beside]),
    validFrom: table.table === 'current' ? null : formatInstant(version.validFrom),
    validTo: version.validTo === null ? null : formatInstant(version.validTo),
    isCurrent:
      contract.columns.isCurrent === null || table.table === 'current' ? null : version.validTo === null,
    isDeleted: version.isDeleted,
    differs: [],
  });
  const found = new Map<string, VersionRow[]>();
  for (const [feed, steps] of feeds.entries()) {
    for (const { batch, keys } of steps) {
      for (const { number, versions, current } of keys) {
        const rows = [
          ...(current === null ? [] : [rowOf(current, { table: 'current' })]),
          ...versions.map((version) => rowOf(version, tableOf(contract, true))),
        ];
        found.set(nameOf({ feed, step: batch, key: number }), rows);
      }
    }
  }
  return found;
}

/** Which table a row is in is said where it could be another one. */
function tableOf(contract: Contract, isVersion: boolean): Partial<Pick<VersionRow, 'table'>> {
  return hasCurrentTable(contract) ? { table: isVersion ? 'history' : 'current' } : {};
}

async function actualRows(judge: Judge, contract: Contract): Promise<ReadonlyMap<string, VersionRow[]>> {
  const named = heldColumns(contract);
  const rows =
    await judge.db.rows<Found>(`SELECT v.feed, v.step, v.key, v.valid_from, v.valid_to, v.is_current, v.is_deleted, v.is_version${named.map(({ alias }) => `, h.${alias}`).join('')}
    FROM (SELECT *, true AS is_version FROM version UNION ALL SELECT *, false FROM current_row) v
    JOIN place USING (feed, step, key) JOIN held_values h USING (feed, step, row)
    ORDER BY v.is_version, v.valid_from NULLS FIRST, v.valid_to NULLS LAST, v.row`);
  const found = new Map<string, VersionRow[]>();
  for (const row of rows) {
    const version: VersionRow = {
      ...tableOf(contract, row['is_version'] === true),
      values: jsonRow(
        named.map(({ column }) => column),
        named.map(({ alias }) => row[alias] ?? null),
      ),
      validFrom: instantText(row['valid_from']),
      validTo: instantText(row['valid_to']),
      isCurrent: row['is_current'] as boolean | null,
      isDeleted: row['is_deleted'] === true,
      differs: [],
    };
    found.set(placeOf(row), [...(found.get(placeOf(row)) ?? []), version]);
  }
  return found;
}

/** The key columns of each key, in the spelling that came first. */
async function keyValues(judge: Judge, { columns }: Contract): Promise<ReadonlyMap<number, JsonRow>> {
  const parts = columns.key.map((_, index) => `k${index}`);
  const rows = await judge.db.rows<Found>(`SELECT DISTINCT ON (key) key, ${parts.join(', ')} FROM (
      SELECT n.key, ${parts.join(', ')}, feed, batch, pos FROM delivered n JOIN delivered_values USING (feed, batch, pos)
      UNION ALL SELECT v.key, ${parts.join(', ')}, feed, 1000000, row FROM dimension_row v JOIN held_values USING (feed, step, row))
    WHERE key IN (SELECT key FROM place) ORDER BY key, feed, batch, pos`);
  return new Map(
    rows.map((row) => [
      Number(row['key']),
      jsonRow(
        columns.key,
        parts.map((part) => row[part] ?? null),
      ),
    ]),
  );
}

function instantText(micros: Cell | undefined): string | null {
  if (micros === null || micros === undefined) return null;
  const value = BigInt(micros as bigint);
  // Beyond what ISO text with a year can say: an infinite end.
  if (value > 8_000_000_000_000_000_000n || value < -8_000_000_000_000_000_000n)
    return value > 0n ? 'infinity' : '-infinity';
  return formatInstant(value);
}

export function jsonRow(columns: readonly Column[], cells: readonly Cell[]): JsonRow {
  return Object.fromEntries(
    columns.map((column, index) => [column.name, cellToJson(column, cells[index] ?? null)]),
  ) as JsonRow;
}

/** Pairs rows that mean the same version: equal ones, then those with the same start, then with the same attributes, then in order. */
function markDifferences(expected: readonly VersionRow[], actual: readonly VersionRow[]) {
  const pairs = new Map<number, number>();
  const free = new Set(actual.keys());
  const rules: ((e: VersionRow, a: VersionRow) => boolean)[] = [
    (e, a) => e.table === a.table && differences(e, a).length === 0,
    (e, a) => e.table === a.table && e.validFrom === a.validFrom && e.isDeleted === a.isDeleted,
    (e, a) =>
      e.table === a.table &&
      JSON.stringify(e.values) === JSON.stringify(a.values) &&
      e.isDeleted === a.isDeleted,
    (e, a) => e.table === a.table,
  ];
  for (const rule of rules) {
    for (const [index, row] of expected.entries()) {
      if (pairs.has(index)) continue;
      const match = [...free].find((candidate) => rule(row, actual[candidate]!));
      if (match === undefined) continue;
      pairs.set(index, match);
      free.delete(match);
    }
  }
  const partnerOf = new Map([...pairs].map(([index, match]) => [match, index]));
  const mark = (row: VersionRow, partner: VersionRow | undefined): VersionRow => ({
    ...row,
    differs:
      partner === undefined
        ? [...Object.keys(row.values), 'validFrom', 'validTo']
        : differences(row, partner),
  });
  return {
    expected: expected.map((row, index) =>
      mark(row, pairs.has(index) ? actual[pairs.get(index)!] : undefined),
    ),
    actual: actual.map((row, index) =>
      mark(row, partnerOf.has(index) ? expected[partnerOf.get(index)!] : undefined),
    ),
  };
}

function differences(a: VersionRow, b: VersionRow): string[] {
  const names = Object.keys(a.values).filter((name) => !Object.is(a.values[name], b.values[name]));
  const fields = (['validFrom', 'validTo', 'isCurrent', 'isDeleted'] as const).filter(
    (field) => a[field] !== b[field],
  );
  return [...names, ...fields];
}

interface FactsMet {
  readonly facts: readonly FactPoint[];
  readonly money: Money | null;
}

async function factsMet(judge: Judge, contract: Contract): Promise<ReadonlyMap<string, FactsMet>> {
  const rows =
    await judge.db.rows<Found>(`SELECT m.feed, m.step, m.key, m.instant, m.expected_state, r.state, r.amount
    FROM fact_met m JOIN place USING (feed, step, key) JOIN fact_row r USING (feed, step, key, instant)`);
  const label = await labels(judge, contract);
  const byPlace = new Map<string, Found[]>();
  for (const row of rows) byPlace.set(placeOf(row), [...(byPlace.get(placeOf(row)) ?? []), row]);
  return new Map(
    [...byPlace].map(([place, facts]) => [
      place,
      { facts: factPoints(facts, label), money: moneyOf(facts, label) },
    ]),
  );
}

function factPoints(rows: readonly Found[], label: (state: Cell | undefined) => string): FactPoint[] {
  const points = new Map<string, { row: Found; met: string[] }>();
  for (const row of rows) {
    const instant = String(row['instant']);
    const point = points.get(instant) ?? { row, met: [] };
    point.met.push(label(row['state']));
    points.set(instant, point);
  }
  return [...points.values()]
    .sort((a, b) => Number(a.row['instant']) - Number(b.row['instant']))
    .slice(0, FACT_LIMIT)
    .map(({ row, met }) => ({
      instant: formatInstant(BigInt(row['instant'] as bigint)),
      amount: Number(row['amount']),
      expected: label(row['expected_state']),
      met: met.sort(byText),
    }));
}

function moneyOf(rows: readonly Found[], label: (state: Cell | undefined) => string): Money | null {
  const totals = new Map<string, { from: string; to: string; amount: number }>();
  const moved = new Set<Cell | undefined>();
  const settled = new Set<Cell | undefined>();
  const add = (row: Found, from: string, to: string) => {
    const entry = totals.get(`${from}\u0000${to}`) ?? { from, to, amount: 0 };
    entry.amount += Number(row['amount']);
    totals.set(`${from}\u0000${to}`, entry);
    moved.add(row['instant']);
  };
  const isRight = (row: Found) => Number(row['state'] === row['expected_state']);
  // A fact that meets its right version and others too counts once rightly, and once again for each other.
  const inOrder = [...rows].sort(
    (a, b) =>
      isRight(b) - isRight(a) ||
      Number(a['instant']) - Number(b['instant']) ||
      byText(label(a['state']), label(b['state'])),
  );
  for (const row of inOrder) {
    const expected = label(row['expected_state']);
    const met = label(row['state']);
    if (settled.has(row['instant'])) add(row, 'counted twice', met);
    else if (expected !== met) add(row, expected, met);
    settled.add(row['instant']);
  }
  if (moved.size === 0) return null;
  const moves = [...totals.values()].sort(
    (a, b) => b.amount - a.amount || byText(a.from, b.from) || byText(a.to, b.to),
  );
  return {
    facts: moved.size,
    total: settled.size,
    moved: moves.reduce((sum, { amount }) => sum + amount, 0),
    moves,
  };
}

/** The same order on every machine. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What a tracked state is called in a sum by attribute. */
async function labels(judge: Judge, { columns }: Contract): Promise<(state: Cell | undefined) => string> {
  const list = columns.tracked.map((_, index) => `a${index}`).join(', ');
  const rows = await judge.db.rows<Found>(`SELECT DISTINCT ON (state) state, ${list} FROM (
      SELECT n.state, ${list} FROM delivered n JOIN delivered_values USING (feed, batch, pos)
      UNION ALL SELECT v.state, ${list} FROM dimension_row v JOIN held_values USING (feed, step, row))`);
  const names = new Map(
    rows.map((row) => [
      Number(row['state']),
      columns.tracked
        .map((column, index) => String(cellToJson(column, row[`a${index}`] ?? null) ?? 'NULL'))
        .join(' / '),
    ]),
  );
  return (state) => (state === null || state === undefined ? 'UNKNOWN' : (names.get(Number(state)) ?? '?'));
}
