import type { Contract } from '../../contract/contract.ts';
import { type Acceptance, accept, remember } from './accept.ts';
import { type Arrival, emptyPast, later, type Observation, type Past } from './history.ts';
import { settleBetween } from './observe.ts';
import { foldVersions, type Version } from './versions.ts';

/*
 * Rule 6: the answer of an implementation that knows nothing but its own dimension. Before each batch the dimension
 * is read back as if it were one earlier batch: each start is a state, each end without a successor an absence. What
 * changed nothing when it came is not in there, and where that makes a difference, the evidence is lost.
 *
 * `Dimension` also carries the two facts that rule 6 lets such an implementation know: partitions, first load.
 */
export interface Dimension {
  /** By folded key; only keys that have a version. */
  readonly versions: ReadonlyMap<string, readonly Version[]>;
  readonly partitionOf: Past['partitionOf'];
  readonly firstLoad: Past['firstLoad'];
}

export const EMPTY_DIMENSION: Dimension = { versions: new Map(), partitionOf: new Map(), firstLoad: null };

/** D(p) from D(p−1) and batch p, and what became of the batch here. */
export function loadDimension(
  contract: Contract,
  dimension: Dimension,
  arrival: Arrival,
): { readonly dimension: Dimension; readonly outcome: Acceptance['outcome'] } {
  const past = readBack(dimension);
  const acceptance = accept(contract, past, arrival);
  if (acceptance.outcome !== 'counts') return { dimension, outcome: acceptance.outcome };
  remember(contract, past, acceptance);

  const versions = new Map<string, readonly Version[]>();
  for (const [key, history] of past.histories) {
    const answer = foldVersions(contract, settleBetween(contract, history.observations).observations);
    if (answer.length > 0) versions.set(key, answer);
  }
  const { partitionOf, firstLoad } = past;
  return { dimension: { versions, partitionOf, firstLoad }, outcome: 'counts' };
}

/** The dimension as the one earlier batch it stands for. */
function readBack(dimension: Dimension): Past {
  const past: Past = {
    ...emptyPast(),
    partitionOf: new Map(dimension.partitionOf),
    firstLoad: dimension.firstLoad,
  };
  for (const [key, rows] of dimension.versions) {
    const observations = observeVersions(
      key,
      rows.filter((row) => !row.isDeleted),
    );
    past.histories.set(key, { key: rows[0]!.content.key, observations, isAmbiguous: false });
    past.latest = observations.map((one) => one.instant).reduce(later, past.latest);
  }
  return past;
}

function observeVersions(key: string, versions: readonly Version[]): Observation[] {
  // The first start was moved when it was made (`firstStart`); it is not moved again.
  const known = { key, batch: -1, alsoDelivered: [], beforeNamed: false, firstStart: null };
  return versions.flatMap((version, index) => {
    const before = versions[index - 1];
    const reopening = before?.to === version.from && before.content.state === version.content.state;
    const start = { ...known, instant: version.from, content: version.content, reopening };
    if (version.to === null || versions.some((other) => other.from === version.to)) return [start];
    return [start, { ...known, instant: version.to, content: null, reopening: false }];
  });
}

/** Whether two answers for one key differ in what rule 6 compares. */
export function answersDiffer(a: readonly Version[], b: readonly Version[]): boolean {
  if (a.length !== b.length) return true;
  return a.some((version, index) => {
    const other = b[index]!;
    if (version.from !== other.from || version.to !== other.to) return true;
    return version.isDeleted !== other.isDeleted || version.content.state !== other.content.state;
  });
}
