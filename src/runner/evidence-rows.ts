import type { Judge } from '../checks/judge.ts';
import { valueColumns } from '../checks/relations.ts';
import type { Cell, Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { formatInstant } from '../contract/instant.ts';
import { cellToJson } from '../duckdb/rows.ts';
import { readExpected } from '../oracle/duckdb/read.ts';
import type { JsonRow, Money, VersionRow } from './report.ts';

/** What a finding shows of one key after one batch. */
export interface KeyEvidence {
  readonly key: JsonRow;
  readonly expected: readonly VersionRow[];
  readonly actual: readonly VersionRow[];
  readonly money: Money | null;
}

type Place = { readonly feed: number; readonly step: number; readonly key: number };
type Found = Readonly<Record<string, Cell>>;

/** Reads the rows behind a violation, expected beside actual, with what differs marked, and the money that moves. */
export async function readEvidence(judge: Judge, contract: Contract, place: Place): Promise<KeyEvidence> {
  const expected = await expectedRows(judge, contract, place);
  const actual = await actualRows(judge, contract, place);
  const paired = markDifferences(expected, actual);
  return {
    key: await keyValues(judge, contract, place.key),
    ...paired,
    money: await money(judge, contract, place),
  };
}

async function expectedRows(judge: Judge, contract: Contract, place: Place): Promise<VersionRow[]> {
  const steps = await readExpected(judge.db, contract, judge.traces.length, place);
  const key = steps[place.feed]?.[place.step]?.keys.find(({ number }) => number === place.key);
  const columns = valueColumns(contract).map(({ column }) => column);
  return (key?.versions ?? []).map((version) => ({
    values: jsonRow(columns, [...version.key, ...version.tracked, ...version.untracked]),
    validFrom: formatInstant(version.validFrom),
    validTo: version.validTo === null ? null : formatInstant(version.validTo),
    isCurrent: contract.columns.isCurrent === null ? null : version.validTo === null,
    isDeleted: version.isDeleted,
    differs: [],
  }));
}

async function actualRows(
  judge: Judge,
  contract: Contract,
  { feed, step, key }: Place,
): Promise<VersionRow[]> {
  const named = valueColumns(contract);
  const rows =
    await judge.db.rows<Found>(`SELECT v.valid_from, v.valid_to, v.is_current, v.is_deleted${named.map(({ alias }) => `, h.${alias}`).join('')}
    FROM version v JOIN held_values h USING (feed, step, row)
    WHERE v.feed = ${feed} AND v.step = ${step} AND v.key = ${key} ORDER BY v.valid_from NULLS FIRST, v.valid_to NULLS LAST, v.row`);
  return rows.map((row) => ({
    values: jsonRow(
      named.map(({ column }) => column),
      named.map(({ alias }) => row[alias] ?? null),
    ),
    validFrom: instantText(row['valid_from']),
    validTo: instantText(row['valid_to']),
    isCurrent: row['is_current'] as boolean | null,
    isDeleted: row['is_deleted'] === true,
    differs: [],
  }));
}

async function keyValues(judge: Judge, contract: Contract, key: number): Promise<JsonRow> {
  const { columns } = contract;
  const list = columns.key.map((_, index) => `k${index}`).join(', ');
  const [row] = await judge.db.rows<Found>(`SELECT ${list} FROM (
      SELECT ${list}, d.feed, d.batch, d.pos FROM delivered_values d JOIN delivered n USING (feed, batch, pos) WHERE n.key = ${key}
      UNION ALL SELECT ${list}, h.feed, 1000000, h.row FROM held_values h JOIN version v USING (feed, step, row) WHERE v.key = ${key})
    ORDER BY feed, batch, pos LIMIT 1`);
  return jsonRow(
    columns.key,
    columns.key.map((_, index) => row?.[`k${index}`] ?? null),
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
    (e, a) => differences(e, a).length === 0,
    (e, a) => e.validFrom === a.validFrom && e.isDeleted === a.isDeleted,
    (e, a) => JSON.stringify(e.values) === JSON.stringify(a.values) && e.isDeleted === a.isDeleted,
    () => true,
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

async function money(judge: Judge, contract: Contract, { feed, step, key }: Place): Promise<Money | null> {
  const where = `m.feed = ${feed} AND m.step = ${step} AND m.key = ${key}`;
  const rows = await judge.db.rows<Found>(`SELECT m.instant, m.expected_state, r.state, r.amount, m.meets
    FROM fact_met m JOIN fact_row r USING (feed, step, key, instant) WHERE ${where}`);
  const totals = new Map<string, { from: string; to: string; amount: number }>();
  const label = await labels(judge, contract);
  const moved = new Set<Cell | undefined>();
  const add = (row: Found, from: string, to: string) => {
    const entry = totals.get(`${from}\u0000${to}`) ?? { from, to, amount: 0 };
    entry.amount += Number(row['amount']);
    totals.set(`${from}\u0000${to}`, entry);
    moved.add(row['instant']);
  };
  const settled = new Set<Cell | undefined>();
  // A fact that meets its right version and others too counts once rightly, and once again for each other.
  for (const row of [...rows].sort(
    (a, b) => Number(b['state'] === b['expected_state']) - Number(a['state'] === a['expected_state']),
  )) {
    const expected = label(row['expected_state']);
    const met = label(row['state']);
    if (settled.has(row['instant'])) add(row, 'counted twice', met);
    else if (expected !== met) add(row, expected, met);
    settled.add(row['instant']);
  }
  if (moved.size === 0) return null;
  const moves = [...totals.values()].sort((a, b) => b.amount - a.amount);
  return {
    facts: moved.size,
    total: settled.size,
    moved: moves.reduce((sum, { amount }) => sum + amount, 0),
    moves,
  };
}

/** What a tracked state is called in a sum by attribute. */
async function labels(judge: Judge, { columns }: Contract): Promise<(state: Cell | undefined) => string> {
  const list = columns.tracked.map((_, index) => `a${index}`).join(', ');
  const rows = await judge.db.rows<Found>(`SELECT DISTINCT ON (state) state, ${list} FROM (
      SELECT n.state, ${list} FROM delivered n JOIN delivered_values USING (feed, batch, pos)
      UNION ALL SELECT v.state, ${list} FROM version v JOIN held_values USING (feed, step, row))`);
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
