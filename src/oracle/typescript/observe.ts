import type { Contract } from '../../contract/contract.ts';
import {
  type Arrival,
  type ArrivedRow,
  groupBy,
  type History,
  later,
  type Observation,
  type Past,
  type Snapshot,
} from './history.ts';
import { compareCells } from './values.ts';

/*
 * Rules 2 and 4: what a batch says of each key, and which of several statements about one key and instant holds.
 *
 * A row says that its key is in a state, or absent (a delete). A snapshot says by silence that the other keys are
 * absent: those named before at once, those named later as soon as they are (`earlierAbsences`). Conflicts are
 * settled twice: inside a batch when it arrives (`settleInside`), and between batches at each prefix
 * (`settleBetween`), because a later batch may bring another statement about an instant long past.
 */

/** Rule 2, one row. Null where `deletes: ignore` drops what it says. */
export function observeRow(
  contract: Contract,
  past: Past,
  arrival: Arrival,
  row: ArrivedRow,
): Observation | null {
  if (row.isDelete && contract.deletes === 'ignore') return null;
  const closed = closedAt(contract, past.histories.get(row.key));
  const reopening = closed !== null && row.instant <= closed;
  return {
    key: row.key,
    batch: arrival.batch,
    instant: reopening ? closed : row.instant,
    content: row.isDelete ? null : row.content,
    alsoDelivered: [],
    reopening,
    beforeNamed: false,
    firstStart: hasFirstStart(contract, past, row.key) ? row.firstStart : null,
  };
}

/** The last close of a key, before which no row time may reach back. Null where row times are taken as they are. */
function closedAt(contract: Contract, history: History | undefined): bigint | null {
  if (contract.feed !== 'snapshot' || contract.stamp !== 'row-time' || history === undefined) return null;
  const closes = history.observations.filter((one) => one.content === null);
  return closes.map((close) => close.instant).reduce(later, null);
}

function hasFirstStart(contract: Contract, past: Past, key: string): boolean {
  if (contract.firstStartScope === 'every-key') return true;
  // Before the first load, this batch is the first load.
  return past.firstLoad === null || past.firstLoad.has(key);
}

/** Rule 2, silence: keys that were named before and that this snapshot does not deliver. By row time, one is absent once, when it goes. */
export function absencesNow(contract: Contract, past: Past, arrival: Arrival): readonly Observation[] {
  if (!silenceCounts(contract)) return [];
  const snapshot = snapshotOf(contract, arrival, false);
  return [...past.histories]
    .filter(([key]) => isMissing(snapshot, key, past.partitionOf.get(key)))
    .filter(([, history]) => contract.stamp === 'as-of' || history.observations.at(-1)?.content != null)
    .map(([key]) => absence(key, snapshot, false));
}

/** Rule 2, silence: a key that is named now for the first time was absent from the snapshots before. */
export function earlierAbsences(
  contract: Contract,
  past: Past,
  key: string,
  partition: string,
): readonly Observation[] {
  if (!silenceCounts(contract) || contract.stamp === 'row-time') return [];
  return past.snapshots
    .filter((snapshot) => !snapshot.isDropped && isMissing(snapshot, key, partition))
    .map((snapshot) => absence(key, snapshot, true));
}

function silenceCounts(contract: Contract): boolean {
  return contract.feed === 'snapshot' && contract.deletes !== 'ignore';
}

/** Rows that are dropped as late were delivered all the same: their key is not missing, their partition is named. */
export function snapshotOf(contract: Contract, arrival: Arrival, isDropped: boolean): Snapshot {
  const { batch, asOf, rows } = arrival;
  const partitions = contract.columns.partition === null ? null : new Set(rows.map((row) => row.partition));
  return { batch, asOf, keys: new Set(rows.map((row) => row.key)), partitions, isDropped };
}

function isMissing(snapshot: Snapshot, key: string, partition: string | undefined): boolean {
  if (snapshot.keys.has(key)) return false;
  return snapshot.partitions === null || (partition !== undefined && snapshot.partitions.has(partition));
}

function absence(key: string, snapshot: Snapshot, beforeNamed: boolean): Observation {
  const { batch, asOf: instant } = snapshot;
  return {
    key,
    batch,
    instant,
    content: null,
    alsoDelivered: [],
    reopening: false,
    beforeNamed,
    firstStart: null,
  };
}

/** What a row says, with the row. */
export interface RowObservation {
  readonly row: ArrivedRow;
  readonly observation: Observation;
}

/** What stays of one key inside a batch. */
export interface Settled {
  /** At most one for each instant, in order of instant. */
  readonly observations: readonly Observation[];
  readonly isAmbiguous: boolean;
}

/** Rule 4, inside a batch: `duplicates`, then `batchStates`, for the rows of one key. */
export function settleInside(contract: Contract, rows: readonly RowObservation[]): Settled {
  const instants = groupBy(rows, ({ observation }) => observation.instant);
  const differ = [...instants.values()].some((group) => statesDiffer(group.map((one) => one.observation)));
  const observations = [...instants.values()]
    .map((group) => pickDuplicate(contract, group))
    .sort((a, b) => compareInstants(a.instant, b.instant));

  const onlyLatest = contract.feed === 'changes' && contract.batchStates !== 'all';
  const anyOfSeveral =
    contract.feed === 'changes' && contract.batchStates === 'one' && observations.length > 1;
  return {
    observations: onlyLatest ? observations.slice(-1) : observations,
    isAmbiguous: (contract.duplicates === 'any' && differ) || anyOfSeveral,
  };
}

function pickDuplicate(
  contract: Contract,
  group: readonly [RowObservation, ...RowObservation[]],
): Observation {
  const { sequence } = contract.columns;
  const wanted = contract.duplicates === 'first' ? -1 : 1;
  const winner = group.reduce((best, next) => {
    const bySequence = sequence === null ? 0 : compareCells(next.row.sequence, best.row.sequence, sequence);
    const order = bySequence || next.row.position - best.row.position;
    return order * wanted > 0 ? next : best;
  });
  return contract.duplicates === 'any' ? withOthers(winner.observation, group) : winner.observation;
}

/** Under `duplicates: any` each row of the winner's state might as well have won. */
function withOthers(winner: Observation, group: readonly RowObservation[]): Observation {
  const contents = group.flatMap(({ observation: { content } }) => (content === null ? [] : [content]));
  return { ...winner, alsoDelivered: contents.filter(({ state }) => state === winner.content?.state) };
}

/** Rule 4, between batches: of one key's observations, the one that holds at each instant, in order of instant. */
export function settleBetween(contract: Contract, observations: readonly Observation[]): Settled {
  const ordered = [...observations].sort(
    (a, b) => compareInstants(a.instant, b.instant) || a.batch - b.batch,
  );
  const instants = [...groupBy(ordered, (observation) => observation.instant).values()].map(withoutReopened);
  return {
    observations: instants.map((group) => {
      const winner = contract.sameInstant === 'first' ? group.at(0)! : group.at(-1)!;
      return { ...winner, reopening: winner.content !== null && group.some((one) => one.reopening) };
    }),
    isAmbiguous: contract.sameInstant === 'any' && instants.some(statesDiffer),
  };
}

/** A reopening observation takes the place of absences at its instant, if they arrived before it. */
function withoutReopened(group: readonly Observation[]): readonly Observation[] {
  if (group.length === 1) return group;
  const isReopened = (absent: Observation) =>
    absent.content === null && group.some((other) => other.reopening && other.batch > absent.batch);
  return group.filter((observation) => !isReopened(observation));
}

/** Whether a new observation contradicts an earlier batch's: same key and instant, another state (`sameInstant`). */
export function contradicts(next: Observation, earlier: Observation): boolean {
  if (next.instant !== earlier.instant) return false;
  if (next.reopening && earlier.content === null) return false;
  return statesDiffer([earlier, next]);
}

/** Absent is a state. */
function statesDiffer(observations: readonly Observation[]): boolean {
  return observations.some(({ content }) => content?.state !== observations[0]?.content?.state);
}

function compareInstants(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
