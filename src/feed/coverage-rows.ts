import type { Cell, Column, Row } from '../contract/columns.ts';
import { type Contract, type Folding, grainMicros } from '../contract/contract.ts';
import { parseInstant, truncateInstant } from '../contract/instant.ts';
import { foldState } from '../oracle/typescript/values.ts';
import type { FeedBatch } from './feed.ts';
import { sendable } from './sendable.ts';

/** What a row says, its cells read once. Equal texts are equal under the contract. */
export interface ReadRow {
  readonly key: string;
  /** Null says that the key is gone. */
  readonly state: string | null;
  /** The untracked attributes. */
  readonly extra: string;
  /** Key and tracked cells as they are spelled. */
  readonly spelling: string;
  readonly stateSpelling: string;
  readonly tracked: readonly Cell[];
  readonly instant: bigint;
  readonly partition: string;
}

export interface Arrived {
  readonly batch: number;
  readonly asOf: bigint;
  /** One for each key and instant, those of a key in order of instant. */
  readonly rows: readonly ReadRow[];
  /** As they were delivered, but for rows that `nullKey: skip` drops. */
  readonly delivered: readonly ReadRow[];
  readonly keys: ReadonlySet<string>;
  /** Null without a partition column. */
  readonly partitions: ReadonlySet<string> | null;
  readonly isEmpty: boolean;
  readonly nullKeys: number;
  readonly hasDuplicates: boolean;
  readonly equalDuplicates: number;
  readonly differingDuplicates: number;
  readonly severalStates: number;
  /** Whether its own instant decides what is late after it. */
  readonly asOfCounts: boolean;
}

export function batchReader(contract: Contract): (batch: FeedBatch, at: number) => Arrived {
  const readRow = rowReader(contract);
  const { columns, feed, stamp } = contract;
  const grain = grainMicros(contract.grain);
  const asOfCounts = feed === 'snapshot' || (feed === 'delta' && stamp === 'as-of');
  const isNull = nullTest(contract);
  return (batch, at) => {
    const asOf = truncateInstant(batch.asOf, grain);
    const nullKeys = batch.rows.filter(isNull).length;
    const kept =
      contract.nullKey === 'skip' && nullKeys > 0 ? batch.rows.filter((row) => !isNull(row)) : batch.rows;
    const all = kept.map((row) => readRow(row, asOf));
    const merged = mergeRows(all);
    return {
      batch: at,
      asOf,
      ...merged,
      delivered: all,
      keys: new Set(merged.rows.map(({ key }) => key)),
      partitions:
        columns.partition === null || feed !== 'snapshot' ? null : new Set(all.map((row) => row.partition)),
      isEmpty: batch.rows.length === 0,
      nullKeys,
      asOfCounts,
    };
  };
}

/** Rows of one key and instant count once, the last of them; rows of a key come in the order of their instants. */
function mergeRows(
  all: readonly ReadRow[],
): Pick<Arrived, 'rows' | 'hasDuplicates' | 'equalDuplicates' | 'differingDuplicates' | 'severalStates'> {
  const byKey = new Map<string, ReadRow[]>();
  let equalDuplicates = 0;
  let differingDuplicates = 0;
  for (const row of all) {
    const ofKey = byKey.get(row.key);
    if (ofKey === undefined) {
      byKey.set(row.key, [row]);
      continue;
    }
    const at = ofKey.findIndex((other) => other.instant === row.instant);
    const other = ofKey[at];
    if (other === undefined) ofKey.push(row);
    else {
      if (other.state !== row.state) differingDuplicates++;
      else if (other.extra === row.extra) equalDuplicates++;
      ofKey[at] = row;
    }
  }
  let severalStates = 0;
  const rows: ReadRow[] = [];
  for (const ofKey of byKey.values()) {
    if (ofKey.length > 1) {
      severalStates++;
      ofKey.sort((a, b) => (a.instant < b.instant ? -1 : 1));
    }
    rows.push(...ofKey);
  }
  return {
    rows,
    hasDuplicates: all.length > rows.length,
    equalDuplicates,
    differingDuplicates,
    severalStates,
  };
}

function rowReader(contract: Contract): (row: Row, asOf: bigint) => ReadRow {
  const { columns, keyCompare, compare } = contract;
  const { mode } = sendable(contract);
  const grain = grainMicros(contract.grain);
  const foldKey = folder(columns.key, keyCompare);
  const foldTracked = folder(columns.tracked, compare);
  const foldExtra = folder(columns.untracked, compare);
  const spellKey = keyCompare.length > 0 ? folder(columns.key, []) : null;
  const spellTracked = compare.length > 0 ? folder(columns.tracked, []) : null;
  const ownInstant = mode === 'row-time' || mode === 'events' ? columns.changedAt : null;
  const instants = new Map<Cell, bigint>();
  const instantOf = (cell: Cell): bigint => {
    const known = instants.get(cell) ?? truncateInstant(parseInstant(String(cell))!, grain);
    instants.set(cell, known);
    return known;
  };
  return (row, asOf) => {
    const operation =
      contract.feed === 'snapshot' || columns.operation === null ? null : row[columns.operation.name];
    const isDelete = typeof operation === 'string' && ['D', 'DELETE'].includes(operation.toUpperCase());
    const own = ownInstant === null ? null : (row[ownInstant.name] ?? null);
    const key = foldKey(row);
    const state = isDelete ? null : foldTracked(row);
    return {
      key,
      state,
      extra: foldExtra(row),
      spelling: spellKey?.(row) ?? key,
      stateSpelling: state === null ? '' : (spellTracked?.(row) ?? state),
      tracked: columns.tracked.map(({ name }) => row[name] ?? null),
      instant: own === null ? asOf : instantOf(own),
      partition: columns.partition === null ? '' : String(row[columns.partition.name] ?? '\u0000'),
    };
  };
}

/** One text for equal cells. Where nothing is folded, it is put together without the detours of folding. */
function folder(columns: readonly Column[], foldings: readonly Folding[]): (row: Row) => string {
  const names = columns.map(({ name }) => name);
  if (foldings.length > 0) {
    return (row) =>
      foldState(
        names.map((name) => row[name] ?? null),
        columns,
        foldings,
      );
  }
  if (names.length === 1) return (row) => plain(row[names[0]!] ?? null);
  return (row) => names.map((name) => plain(row[name] ?? null)).join('\u0001');
}

/** −0 is 0; NULL is no text. */
function plain(cell: Cell): string {
  if (typeof cell === 'string') return `"${cell}`;
  return cell === 0 ? '0' : `${cell}`;
}

function nullTest({ columns, keyCompare }: Contract): (row: Row) => boolean {
  const fold = keyCompare.length > 0;
  const texts = columns.key.map((column) => folder([column], keyCompare));
  return (row) =>
    columns.key.some(({ name }, at) => (row[name] ?? null) === null || (fold && texts[at]!(row) === 'null'));
}
