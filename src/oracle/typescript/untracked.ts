import type { Contract } from '../../contract/contract.ts';
import { later, type Observation } from './history.ts';
import type { Version } from './versions.ts';

/*
 * Rule 7: which untracked attributes are right on a version. Several may be: where batches arrive out of order, "the
 * latest" is that of the latest instant or that of the latest arrival, and both readings are sound.
 */

/** Observations of the key whose untracked attributes are right on this version. Never empty. */
export function rightDeliveries(
  contract: Contract,
  version: Version,
  observations: readonly Observation[],
): readonly Observation[] {
  const present = observations.filter((one) => one.content !== null);
  const delivered = present.filter((one) => wasDelivered(version, one));
  if (contract.untracked === 'any') return delivered;
  if (contract.untracked === 'current') return [...atLatestInstant(delivered), ...ofLatestBatch(delivered)];
  if (contract.untracked === 'frozen')
    return [...atEarliestInstant(delivered), ...ofEarliestBatch(delivered)];
  return [...atLatestInstant(present), ...ofLatestBatch(present)];
}

/** Whether the rule judges this version at all. */
export function isUntrackedJudged(
  contract: Contract,
  version: Version,
  observations: readonly Observation[],
): boolean {
  if (contract.untracked === 'all') return true;
  if (version.isDeleted) return false;
  // A start that moved back keeps an untracked value that a dimension alone cannot place any more.
  const lenient = contract.untracked === 'any' && contract.lateEvidence === 'log';
  return lenient || version.to === null || isInOrder(observations);
}

/** In the version's state, while the version held. */
function wasDelivered(version: Version, { content, instant }: Observation): boolean {
  if (content?.state !== version.content.state || instant < version.opening.instant) return false;
  const end = version.isDeleted ? version.from : version.to;
  return end === null || instant < end;
}

/** No observation lies before one of an earlier batch. */
function isInOrder(observations: readonly Observation[]): boolean {
  const counted = observations.filter((one) => !one.beforeNamed);
  return !counted.some((one) =>
    counted.some((other) => other.batch < one.batch && one.instant < other.instant),
  );
}

function atLatestInstant(observations: readonly Observation[]): readonly Observation[] {
  const latest = observations.map((one) => one.instant).reduce(later, null);
  return observations.filter((one) => one.instant === latest);
}

function atEarliestInstant(observations: readonly Observation[]): readonly Observation[] {
  return observations.filter((one) => observations.every((other) => one.instant <= other.instant));
}

function ofLatestBatch(observations: readonly Observation[]): readonly Observation[] {
  const latest = Math.max(...observations.map((one) => one.batch));
  return observations.filter((one) => one.batch === latest);
}

function ofEarliestBatch(observations: readonly Observation[]): readonly Observation[] {
  const earliest = Math.min(...observations.map((one) => one.batch));
  return observations.filter((one) => one.batch === earliest);
}
