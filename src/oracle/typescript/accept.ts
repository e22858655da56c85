import type { Contract } from '../../contract/contract.ts';
import {
  type Arrival,
  type ArrivedRow,
  groupBy,
  type History,
  later,
  type Observation,
  type Past,
} from './history.ts';
import {
  absencesNow,
  contradicts,
  earlierAbsences,
  observeRow,
  type RowObservation,
  settleInside,
  snapshotOf,
} from './observe.ts';

/*
 * Rules 1 and 3: whether a batch counts, and what of it is late. `accept` looks at a batch and at the past and says
 * what the batch adds; `remember` adds it. A batch is rejected as a whole, so this is the one place where keys meet.
 *
 * The order is that of the rules: what the rows look like; what they observe; what of it is late; what stays inside
 * the batch; whether that contradicts earlier batches.
 */

/** What a batch that counts adds to the past. */
export interface Accepted {
  readonly outcome: 'counts';
  readonly arrival: Arrival;
  readonly keys: readonly AcceptedKey[];
  /** The latest instant for `lateScope: batch`. */
  readonly latest: bigint | null;
}

interface AcceptedKey {
  readonly key: string;
  /** The first row of this batch that names the key; null where the batch does not. */
  readonly firstRow: ArrivedRow | null;
  /** Absences from earlier batches included, where the key is named for the first time. */
  readonly observations: readonly Observation[];
  readonly isAmbiguous: boolean;
}

/** `ignored`: applied, but it observes nothing and does not count. */
export type Acceptance = Accepted | { readonly outcome: 'rejected' } | { readonly outcome: 'ignored' };

const REJECTED: Acceptance = { outcome: 'rejected' };
const IGNORED: Acceptance = { outcome: 'ignored' };

export function accept(contract: Contract, past: Past, arrival: Arrival): Acceptance {
  if (isRefusedByItself(contract, arrival)) return REJECTED;
  if (contract.emptySnapshot === 'ignore' && isEmptySnapshot(contract, arrival)) return IGNORED;

  const said = arrival.rows.map((row) => ({ row, observation: observeRow(contract, past, arrival, row) }));
  const silent = absencesNow(contract, past, arrival);

  const isLate = (one: Observation | null) => one !== null && isObservationLate(contract, past, one);
  if (contract.late === 'reject') {
    if (said.some((one) => isLate(one.observation)) || silent.some(isLate)) return REJECTED;
    const saysNothing = said.every((one) => one.observation === null) && silent.length === 0;
    if (saysNothing && isAsOfLate(contract, past, arrival)) return REJECTED;
  }
  const isDropped = (one: Observation | null) => contract.late === 'ignore' && isLate(one);
  const rows = said.filter((one) => !isDropped(one.observation));
  const absences = silent.filter((one) => !isDropped(one));

  const keys = [...settleNamed(contract, past, rows), ...absences.map(unnamed)];
  if (contract.sameInstant === 'reject' && keys.some((one) => contradictsPast(past, arrival, one))) {
    return REJECTED;
  }
  const latest = rows.map((one) => one.observation?.instant ?? null).reduce(later, null);
  return {
    outcome: 'counts',
    arrival,
    keys,
    latest: asOfCounts(contract) ? later(latest, arrival.asOf) : latest,
  };
}

/** The keys that rows name, with what stays of each inside the batch. */
function settleNamed(contract: Contract, past: Past, rows: readonly SaidRow[]): readonly AcceptedKey[] {
  return [...groupBy(rows, (one) => one.row.key)].map(([key, ofKey]) => {
    const [{ row: firstRow }] = ofKey;
    const { observations, isAmbiguous } = settleInside(contract, ofKey.filter(isObserved));
    const before = past.histories.has(key) ? [] : earlierAbsences(contract, past, key, firstRow.partition);
    return { key, firstRow, observations: [...before, ...observations], isAmbiguous };
  });
}

function unnamed(absence: Observation): AcceptedKey {
  return { key: absence.key, firstRow: null, observations: [absence], isAmbiguous: false };
}

/** A row, and what it says; null where `deletes: ignore` drops that. The row names its key all the same. */
interface SaidRow {
  readonly row: ArrivedRow;
  readonly observation: Observation | null;
}

function isObserved(said: SaidRow): said is RowObservation {
  return said.observation !== null;
}

/** The tests of rule 1 that need no other batch. */
function isRefusedByItself(contract: Contract, arrival: Arrival): boolean {
  if (contract.emptySnapshot === 'reject' && isEmptySnapshot(contract, arrival)) return true;
  if (contract.nullKey === 'reject' && arrival.hasNullKey) return true;
  return contract.duplicates === 'reject' && hasDuplicates(arrival);
}

function isEmptySnapshot(contract: Contract, arrival: Arrival): boolean {
  return contract.feed === 'snapshot' && arrival.isEmpty;
}

function hasDuplicates(arrival: Arrival): boolean {
  const distinct = new Set(arrival.rows.map((row) => `${row.instant} ${row.key}`));
  return distinct.size < arrival.rows.length;
}

/** Rule 3. */
function isObservationLate(contract: Contract, past: Past, { key, instant }: Observation): boolean {
  const latest = contract.lateScope === 'batch' ? past.latest : latestOfKey(past, key);
  return latest !== null && instant < latest;
}

function latestOfKey(past: Past, key: string): bigint | null {
  const observations = past.histories.get(key)?.observations ?? [];
  return observations.map((one) => (one.beforeNamed ? null : one.instant)).reduce(later, null);
}

/** Rule 3: whether a batch's own instant is among those that decide what is late. */
function asOfCounts(contract: Contract): boolean {
  return contract.feed === 'snapshot' || (contract.feed !== 'changes' && contract.stamp === 'as-of');
}

/** What a batch says at its `asOf` is late by `lateScope: batch`. */
function isAsOfLate(contract: Contract, past: Past, arrival: Arrival): boolean {
  if (contract.lateScope !== 'batch' || !asOfCounts(contract)) return false;
  return past.latest !== null && arrival.asOf < past.latest;
}

/** Absences that earlier snapshots imply for a key that is named first by this batch are statements of those. */
function contradictsPast(past: Past, arrival: Arrival, { key, observations }: AcceptedKey): boolean {
  const earlier = [
    ...(past.histories.get(key)?.observations ?? []),
    ...observations.filter((one) => one.batch < arrival.batch),
  ];
  const own = observations.filter((one) => one.batch === arrival.batch);
  return own.some((next) => earlier.some((one) => contradicts(next, one)));
}

/** Adds a batch that counts to the past. */
export function remember(contract: Contract, past: Past, { arrival, keys, latest }: Accepted): void {
  for (const { key, firstRow, observations, isAmbiguous } of keys) {
    const history = past.histories.get(key) ?? nameKey(past, key, firstRow!);
    history.observations.push(...observations);
    history.isAmbiguous ||= isAmbiguous;
  }
  const isDropped = contract.late === 'ignore' && isAsOfLate(contract, past, arrival);
  past.snapshots.push(snapshotOf(contract, arrival, isDropped));
  past.firstLoad ??= new Set(keys.map((one) => one.key));
  past.latest = later(past.latest, latest);
}

function nameKey(past: Past, key: string, row: ArrivedRow): History {
  const history: History = { key: row.content.key, observations: [], isAmbiguous: false };
  past.histories.set(key, history);
  past.partitionOf.set(key, row.partition);
  return history;
}
