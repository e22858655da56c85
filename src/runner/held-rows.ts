import { isYes } from '../checks/flag.ts';
import { openMarkerMicros } from '../checks/interpret.ts';
import type { Trace } from '../checks/judge.ts';
import type { Cell, Row } from '../contract/columns.ts';
import { type Contract, grainMicros } from '../contract/contract.ts';
import { besideColumns, hasCurrentTable, hasVersions } from '../contract/types.ts';
import type { Database } from '../duckdb/connection.ts';
import type { ExpectedVersion } from '../oracle/expected.ts';
import { foldState, type JudgedStep, type JudgedVersion } from '../oracle/typescript/index.ts';

/** A row of the dimension as it was read, before any contract reads meaning into it. */
export interface HeldRow {
  readonly key: readonly Cell[];
  readonly tracked: readonly Cell[];
  readonly untracked: readonly Cell[];
  readonly from: bigint | null;
  readonly to: bigint | null;
  readonly isDeleted: boolean;
  /** A row of a table that is overwritten, and no version. */
  readonly isCurrentTable: boolean;
  /** Previous values (type 3) or current ones (type 6). */
  readonly beside: readonly Cell[];
}

/**
 * The rows that were read after each batch, by `feed/step`, from a judge's database. Where the dimension has no column for ends, a version
 * ends where the next one of its key starts.
 */
export async function readHeld(
  db: Database,
  contract: Contract,
): Promise<ReadonlyMap<string, readonly HeldRow[]>> {
  const { columns } = contract;
  const rows = await db.rows<Row>('SELECT * FROM held_values ORDER BY feed, step, row');
  const cells = (row: Row, prefix: string, { length }: readonly unknown[]) =>
    Array.from({ length }, (_, index) => row[`${prefix}${index}`] ?? null);
  const held = new Map<string, HeldRow[]>();
  for (const row of rows) {
    const place = `${row['feed']}/${row['step']}`;
    const list = held.get(place) ?? [];
    list.push({
      key: cells(row, 'k', columns.key),
      tracked: cells(row, 'a', columns.tracked),
      untracked: cells(row, 'u', columns.untracked),
      from: row['from_us'] as bigint | null,
      to: row['to_us'] as bigint | null,
      isDeleted: isYes(row['is_deleted']),
      isCurrentTable: hasCurrentTable(contract) && !(hasVersions(contract) && isYes(row['in_history'])),
      beside: cells(row, 'b', besideColumns(contract)),
    });
    held.set(place, list);
  }
  if (columns.validTo !== null) return held;
  return new Map([...held].map(([place, list]) => [place, withEnds(contract, list)]));
}

function withEnds({ columns, keyCompare }: Contract, rows: readonly HeldRow[]): readonly HeldRow[] {
  const keyOf = (row: HeldRow) => foldState(row.key, columns.key, keyCompare);
  return rows.map((row) => {
    const later = rows.filter(
      (other) =>
        keyOf(other) === keyOf(row) &&
        other.isCurrentTable === row.isCurrentTable &&
        row.from !== null &&
        other.from !== null &&
        other.from > row.from,
    );
    const next = later
      .map(({ from }) => from!)
      .reduce<bigint | null>((least, at) => (least === null || at < least ? at : least), null);
    return { ...row, to: next };
  });
}

/** Under `clock: wall`, stamps that lie within the time of a load are the instant of its batch. */
export function atBatches(
  { clock }: Contract,
  { feed, steps }: Trace,
  step: number,
  held: readonly HeldRow[],
): readonly HeldRow[] {
  if (clock !== 'wall') return held;
  const instant = (stamp: bigint | null) => {
    const load = steps.findLastIndex(
      ({ window }, at) =>
        at <= step && stamp !== null && window !== undefined && window.from <= stamp && stamp <= window.to,
    );
    return load < 0 ? stamp : feed.batches[load]!.asOf;
  };
  return held.map((row) => ({ ...row, from: instant(row.from), to: instant(row.to) }));
}

/**
 * Whether the rows are what the oracle says, where it says anything: versions, and untracked attributes.
 * @param only the keys that are asked about, folded as the contract does; null for all that there are
 * @param lost what may be there where evidence is lost: `anything`, or only what the dimension alone could know. A decision is only
 *   one that an implementation follows, so who looks for it asks for the second.
 */
export function sameContent(
  contract: Contract,
  step: JudgedStep,
  held: readonly HeldRow[],
  only: ReadonlySet<string> | null,
  lost: 'anything' | 'alone',
): boolean {
  const { columns, compare, keyCompare } = contract;
  const rowsOf = new Map<string, HeldRow[]>();
  for (const row of held) {
    const key = foldState(row.key, columns.key, keyCompare);
    if (only !== null && !only.has(key)) continue;
    rowsOf.set(key, [...(rowsOf.get(key) ?? []), row]);
  }
  for (const key of step.keys) {
    const name = foldState(key.key, columns.key, keyCompare);
    if (only !== null && !only.has(name)) continue;
    const rows = rowsOf.get(name) ?? [];
    rowsOf.delete(name);
    if (key.ambiguous || (key.forgiven && lost === 'anything')) continue;
    const { versions, current }: Wanted = key.alone ?? key;
    const wanted = [
      ...versions.map((version) => wantedRow(contract, version, `${version.validFrom} ${version.validTo}`)),
      ...(current === null ? [] : [wantedRow(contract, current, OVERWRITTEN)]),
    ];
    if (rows.length !== wanted.length) return false;
    for (const row of rows) {
      const text = rowText(contract, row);
      const index = wanted.findIndex((version) => version.text === text);
      if (index < 0) return false;
      const [version] = wanted.splice(index, 1);
      if (
        version!.right !== null &&
        !version!.right.includes(foldState(row.untracked, columns.untracked, compare))
      )
        return false;
    }
  }
  return rowsOf.size === 0;
}

/** A row of a table that is overwritten, as what is compared: when it began to hold does not show. */
export function withoutBounds(current: ExpectedVersion | null): object | null {
  return current === null ? null : { ...current, validFrom: null, validTo: null };
}

type WantedVersion = Omit<ExpectedVersion, 'untracked'> & Partial<JudgedVersion>;

interface Wanted {
  readonly versions: readonly WantedVersion[];
  readonly current: WantedVersion | null;
}

/** In the place of bounds. */
const OVERWRITTEN = 'overwritten';

function wantedRow(contract: Contract, version: WantedVersion, bounds: string) {
  const { columns, compare } = contract;
  return {
    text: contentText(contract, version, bounds, version.isDeleted),
    right: version.untrackedRight?.map((cells) => foldState(cells, columns.untracked, compare)) ?? null,
  };
}

function contentText(
  contract: Contract,
  { tracked, beside }: Pick<HeldRow, 'tracked' | 'beside'>,
  bounds: string,
  isDeleted: boolean,
): string {
  const { columns, compare } = contract;
  const values = [
    foldState(tracked, columns.tracked, compare),
    foldState(beside, besideColumns(contract), compare),
  ];
  return `${values.join(' | ')} ${bounds} ${isDeleted}`;
}

function rowText(contract: Contract, row: HeldRow): string {
  const { end, deletes, grain } = contract;
  const isDeleted = row.isDeleted && deletes === 'marker-row';
  if (row.isCurrentTable) return contentText(contract, row, OVERWRITTEN, isDeleted);
  const marker = openMarkerMicros(contract);
  const to =
    row.to === null || row.to === marker ? null : end === 'inclusive' ? row.to + grainMicros(grain) : row.to;
  // Without the marker, NULL is no end at all.
  const shown = row.to === null && marker !== null ? 'missing' : to;
  return contentText(contract, row, `${row.from} ${shown}`, isDeleted);
}
