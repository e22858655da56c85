import type { Cell } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { ReadRow } from './coverage-rows.ts';
import type { SituationId } from './situations.ts';

/** What a batch says of a key at an instant. A null state is absence. */
export interface Statement {
  readonly instant: bigint;
  readonly state: string | null;
  readonly row: ReadRow | null;
  readonly batch: number;
  /** A row time before the key's last close, put at that close. */
  readonly isReopening: boolean;
}

interface Entry {
  readonly instant: bigint;
  state: string | null;
  row: ReadRow | null;
  batch: number;
  readonly isBeforeNamed: boolean;
}

/** What is known of a key: one entry for each instant, in the order of time. */
export interface Known {
  readonly log: Entry[];
  readonly partition: string;
  /** Its last close, where row times may not reach back over it. */
  closedAt: bigint | null;
  /** How its key was spelled last. */
  spelling: string;
}

type Counts = Record<SituationId, number>;

/** The latest instant of a key; absences from before it was named do not count. */
export function latestOf({ log }: Known): bigint | null {
  for (let at = log.length - 1; at >= 0; at--) if (!log[at]!.isBeforeNamed) return log[at]!.instant;
  return null;
}

export function contradictsKnown({ log }: Known, { instant, state, isReopening }: Statement): boolean {
  const entry = log.find((other) => other.instant === instant);
  return entry !== undefined && entry.state !== state && !(isReopening && entry.state === null);
}

/** Counts the situations that a statement is in, and adds it to what is known unless it is dropped as late. */
export function observe(
  contract: Contract,
  known: Known,
  said: Statement,
  counts: Counts,
  isKept: boolean,
): void {
  if (said.row !== null && said.row.spelling !== known.spelling) {
    counts['key-respelled']++;
    known.spelling = said.row.spelling;
  }
  const { log } = known;
  let after = log.length;
  while (after > 0 && log[after - 1]!.instant > said.instant) after--;
  const same = after > 0 && log[after - 1]!.instant === said.instant ? log[after - 1]! : null;
  if (contract.deletes === 'ignore' && said.state === null) {
    if (after === log.length && log.at(-1)?.state != null) counts.delete++;
    return;
  }
  if (same !== null && !(said.isReopening && same.state === null)) {
    if (same.state !== said.state) counts['same-instant']++;
    else if (isRowTimeSnapshot(contract) && said.row !== null && after === log.length) {
      countSameState(same, said.row, counts);
    }
    if (contract.sameInstant !== 'first' && isKept) {
      same.state = said.state;
      same.row = said.row;
      same.batch = said.batch;
    }
    return;
  }
  if (same !== null) {
    // Back with an instant from before its close.
    if (said.row !== null && said.row.instant < said.instant) counts['restored-instant']++;
    countReturn(contract, log, after, said.state!, counts);
    same.state = said.state;
    same.row = said.row;
    same.batch = said.batch;
    return;
  }
  if (after === log.length) countInOrder(contract, log, said, counts);
  else countLate(contract, log, after, said, counts);
  if (!isKept) return;
  const closes = isRowTimeSnapshot(contract) && said.state === null && lastArrived(log)?.state != null;
  if (closes) known.closedAt = said.instant;
  log.splice(after, 0, {
    instant: said.instant,
    state: said.state,
    row: said.row,
    batch: said.batch,
    isBeforeNamed: false,
  });
}

function isRowTimeSnapshot({ feed, stamp }: Contract): boolean {
  return feed === 'snapshot' && stamp === 'row-time';
}

function lastArrived(log: readonly Entry[]): Entry | null {
  let last: Entry | null = null;
  for (const entry of log) if (last === null || entry.batch >= last.batch) last = entry;
  return last;
}

/** The same row time once more: a snapshot that repeats what did not change, or does so with other untracked values. */
function countSameState(same: Entry, row: ReadRow, counts: Counts): void {
  if (same.row === null) return;
  counts[same.row.extra === row.extra ? 'no-op' : 'untracked-only']++;
  if (same.row.stateSpelling !== row.stateSpelling) counts['value-respelled']++;
}

function countInOrder(contract: Contract, log: readonly Entry[], said: Statement, counts: Counts): void {
  const before = log.at(-1);
  if (said.state === null) {
    if (before?.state == null) return;
    counts.delete++;
    if (contract.deletes === 'marker-row') counts['marker-row']++;
    return;
  }
  if (before === undefined) return;
  if (before.state === null) {
    countReturn(contract, log, log.length, said.state, counts);
    return;
  }
  if (before.row === null || said.row === null) return;
  if (before.state === said.state) {
    if (before.row.stateSpelling !== said.row.stateSpelling) counts['value-respelled']++;
    const isSame = before.row.extra === said.row.extra;
    counts[isSame ? 'no-op' : 'untracked-only']++;
    if (isSame && (contract.feed === 'changes' || contract.stamp === 'row-time')) counts['row-time-only']++;
    return;
  }
  counts.change++;
  countCells(before.row.tracked, said.row.tracked, counts);
  if (log.some((entry) => entry.state === said.state)) counts['a-b-a']++;
}

function countCells(before: readonly Cell[], after: readonly Cell[], counts: Counts): void {
  if (after.some((cell, at) => cell !== null && before[at] === null)) counts['null-to-value']++;
  if (after.some((cell, at) => cell === null && before[at] !== null)) counts['value-to-null']++;
  const moved = after.some(
    (cell, at) =>
      cell !== null &&
      cell !== before[at] &&
      before.some((other, from) => from !== at && Object.is(other, cell)),
  );
  if (moved) counts['value-moves']++;
}

/** A state after an absence; a return where there was a state before that. */
function countReturn(
  contract: Contract,
  log: readonly Entry[],
  end: number,
  state: string,
  counts: Counts,
): void {
  for (let at = end - 1; at >= 0; at--) {
    const entry = log[at]!;
    if (entry.state === null) continue;
    counts[entry.state === state ? 'reappear-same' : 'reappear-changed']++;
    if (contract.deletes === 'marker-row') counts['marker-row-ends']++;
    return;
  }
}

/** A statement before others of its key. `at` is the place where it goes. */
function countLate(
  contract: Contract,
  log: readonly Entry[],
  at: number,
  said: Statement,
  counts: Counts,
): void {
  const before = log[at - 1];
  const next = log[at]!;
  if (said.state === null) {
    if (before?.state != null) counts['late-delete']++;
    return;
  }
  // Between two equal statements, the second changed nothing when it came: a dimension alone does not hold it.
  const isRepeat = before !== undefined && before.state === next.state && before.state !== said.state;
  if (isRepeat && contract.late === 'apply' && contract.changeBy === 'value') counts['lost-evidence']++;
  if (before?.state != null) {
    if (before.state === said.state) counts['late-equal']++;
    else {
      const isClosed = log.some((entry, place) => place >= at && entry.state !== before.state);
      counts[isClosed ? 'late-inside-closed' : 'late-inside-open']++;
    }
    return;
  }
  const wasThere = log.some((entry, place) => place < at && entry.state !== null);
  const willBe = log.some((entry, place) => place >= at && entry.state !== null);
  if (wasThere) counts['late-inside-gap']++;
  else if (willBe) counts['late-before-all']++;
}
