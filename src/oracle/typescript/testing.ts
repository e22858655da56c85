import type { Cell, Column, Columns, ColumnType, Row } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import { formatInstant } from '../../contract/instant.ts';
import type { FeedBatch } from '../../feed/feed.ts';
import { expectFeed, type JudgedStep, type JudgedVersion } from './index.ts';

/*
 * What the tests of this folder are written in: instants are small numbers (microseconds), a dimension is a line of
 * text, `A [1,2) †A [2,3) B [3,∞)`, where † is a marker row.
 */

export function column(name: string, type: ColumnType = 'text'): Column {
  return { name, type, nullable: true };
}

const COLUMNS: Columns = {
  key: [column('k')],
  tracked: [column('a')],
  untracked: [column('u')],
  validFrom: column('valid_from', 'timestamp'),
  validTo: column('valid_to', 'timestamp'),
  isCurrent: column('is_current', 'boolean'),
  isDeleted: null,
  hash: null,
  surrogateKey: null,
  previous: [],
  current: [],
  inHistory: null,
  changedAt: null,
  operation: null,
  sequence: null,
  partition: null,
};

/** The strict contract over key `k`, tracked `a`, untracked `u`, with some decisions changed. */
export function strict(changes: Partial<Contract> = {}, columns: Partial<Columns> = {}): Contract {
  return {
    type: '2',
    historyHolds: 'all',
    feed: 'snapshot',
    columns: { ...COLUMNS, ...columns },
    stamp: 'as-of',
    changeBy: 'value',
    clock: 'injected',
    grain: 'microsecond',
    end: 'exclusive',
    openMarker: 'null',
    firstStart: 'observed',
    firstStartScope: 'every-key',
    deletes: 'close',
    reappearance: 'gap',
    late: 'apply',
    lateScope: 'batch',
    lateEvidence: 'log',
    sameInstant: 'never',
    duplicates: 'never',
    batchStates: 'all',
    nullKey: 'never',
    emptySnapshot: 'close-all',
    compare: [],
    keyCompare: [],
    untracked: 'any',
    transaction: 'script',
    ...changes,
  };
}

/** A delta with an `op` column. */
export function delta(changes: Partial<Contract> = {}, columns: Partial<Columns> = {}): Contract {
  return strict({ feed: 'delta', ...changes }, { operation: column('op'), ...columns });
}

/** Changes with `op` and `at` (the row's own instant). */
export function changes(decisions: Partial<Contract> = {}, columns: Partial<Columns> = {}): Contract {
  return delta({ feed: 'changes', ...decisions }, { changedAt: column('at', 'timestamp'), ...columns });
}

/** Snapshots whose rows carry their own instant, `at`. */
export function rowTime(decisions: Partial<Contract> = {}, columns: Partial<Columns> = {}): Contract {
  return strict({ stamp: 'row-time', ...decisions }, { changedAt: column('at', 'timestamp'), ...columns });
}

export function batch(asOf: number, ...rows: Row[]): FeedBatch {
  return { asOf: BigInt(asOf), rows };
}

/** A row of key x. */
export function x(a: Cell, more: Row = {}): Row {
  return { k: 'x', a, ...more };
}

/** A row of key y. */
export function y(a: Cell, more: Row = {}): Row {
  return { k: 'y', a, ...more };
}

export const deleted: Row = { op: 'D' };

/** Cells of a row's own instant. */
export function at(micros: number): Row {
  return { at: iso(micros) };
}

export function iso(micros: number): string {
  return formatInstant(BigInt(micros));
}

export function expected(contract: Contract, ...batches: FeedBatch[]): JudgedStep[] {
  return expectFeed(contract, { id: 'test', batches });
}

/** One key after each batch. */
export function timelines(contract: Contract, batches: readonly FeedBatch[], key: Cell = 'x'): string[] {
  return expected(contract, ...batches).map((step) => timeline(step, key));
}

/** One key after the last batch. */
export function timelineOf(contract: Contract, batches: readonly FeedBatch[], key: Cell = 'x'): string {
  return timelines(contract, batches, key).at(-1)!;
}

export function outcomes(contract: Contract, ...batches: FeedBatch[]): string[] {
  return expected(contract, ...batches).map((step) => step.outcome);
}

function timeline(step: JudgedStep, key: Cell): string {
  const judged = step.keys.find((one) => one.key[0] === key);
  if (judged === undefined) return 'not named';
  const versions = judged.versions.map(versionText).join(' ') || 'no version';
  return `${versions}${judged.forgiven ? ' (forgiven)' : ''}${judged.ambiguous ? ' (ambiguous)' : ''}`;
}

function versionText({ tracked, validFrom, validTo, isDeleted }: JudgedVersion): string {
  return `${isDeleted ? '†' : ''}${tracked.join()} [${validFrom},${validTo ?? '∞'})`;
}

/** For each version of x after the last batch: the right untracked values, in order of text, or null. */
export function untrackedOf(contract: Contract, ...batches: FeedBatch[]): (readonly string[] | null)[] {
  const judged = expected(contract, ...batches)
    .at(-1)!
    .keys.find((one) => one.key[0] === 'x');
  return judged!.versions.map(
    ({ untrackedRight }) => untrackedRight?.map((cells) => String(cells[0])).sort() ?? null,
  );
}
