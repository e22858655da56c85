/**
 * A dimension that stays right when loads come late, twice or empty: keep the snapshots, derive the rest.
 *
 * A dimension cannot be repaired from itself. Where A was seen on Monday and again on Wednesday it has one
 * row, from Monday on; when a late Tuesday says B, nothing in it remembers that Wednesday said A. So all
 * snapshots are kept, and late data needs no code of its own: it is sorted in.
 */
type Row = Record<string, unknown>;
type Columns = Record<'key' | 'tracked' | 'untracked', string[]> &
  Record<'validFrom', string> &
  Record<'validTo' | 'isCurrent', string | null>;
type Version = { row: Row; from: string; to: string | null };

/** It takes its columns from the contract, whatever they are. */
export const anyColumns = true;

/** Rows by key, by instant. ISO text of one length sorts as time does. */
let snapshots = new Map<string, Map<string, Row>>();
let columns: Columns;

/** Equal texts for equal values, NULL, NaN, −0 and bigint included. The type keeps NULL apart from 'null'. */
function identity(row: Row, names: string[]): string {
  return JSON.stringify(names.map((name) => row[name] ?? null).map((value) => `${typeof value} ${value}`));
}

function start(): void {
  snapshots = new Map();
}

/** A snapshot that is delivered again takes the place of its former self. */
function apply(rows: Row[], { asOf, contract }: { asOf: string; contract: { columns: Columns } }): void {
  columns = contract.columns;
  snapshots.set(asOf, new Map(rows.map((row) => [identity(row, columns.key), row])));
}

function read(): Row[] {
  const versions: Version[] = [];
  const open = new Map<string, Version>();
  for (const [asOf, rows] of [...snapshots].sort(([a], [b]) => (a < b ? -1 : 1))) {
    // What is missing or differs ends here, exclusively: no instant has two versions.
    for (const [key, version] of open) {
      const row = rows.get(key);
      if (row && identity(row, columns.tracked) === identity(version.row, columns.tracked)) continue;
      version.to = asOf;
      open.delete(key);
    }
    for (const [key, row] of rows) {
      const version = open.get(key) ?? { row, from: asOf, to: null };
      if (!open.has(key)) versions.push(version);
      version.row = row; // Same tracked values; the untracked ones may be newer.
      open.set(key, version);
    }
  }
  return versions.map(({ row, from, to }) => ({
    ...Object.fromEntries(
      [...columns.key, ...columns.tracked, ...columns.untracked].map((name) => [name, row[name] ?? null]),
    ),
    [columns.validFrom]: from,
    ...(columns.validTo && { [columns.validTo]: to }),
    ...(columns.isCurrent && { [columns.isCurrent]: to === null }),
  }));
}

export default { start, apply, read };
