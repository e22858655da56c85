import type { Contract } from '../../contract/contract.ts';
import type { Content, Observation } from './history.ts';

/*
 * Rule 5: from the observations of one key, one for each instant and in their order, to its versions. One pass opens
 * and closes versions; what the contract then moves or adds (bridges, first starts, marker rows) is done to the
 * finished list.
 */

/** A version (or marker row) of one key. */
export interface Version {
  /** The observation that opened it; a marker row has that of the version it marks the end of. */
  readonly opening: Observation;
  readonly content: Content;
  readonly from: bigint;
  /** Exclusive; null is open. */
  readonly to: bigint | null;
  readonly isDeleted: boolean;
  /** The key was not there before it. */
  readonly isAnew: boolean;
}

interface Building {
  readonly opening: Observation;
  readonly content: Content;
  readonly afterAbsence: boolean;
  readonly isAnew: boolean;
  from: bigint;
  to: bigint | null;
  endsAbsent: boolean;
}

export function foldVersions(contract: Contract, observations: readonly Observation[]): readonly Version[] {
  const versions = openAndClose(contract, observations);
  if (contract.reappearance === 'bridge' && contract.deletes !== 'marker-row') bridge(versions);
  startFirst(versions);
  return versions.flatMap((version, index) => {
    const { opening, content, from, to, endsAbsent, isAnew } = version;
    const plain: Version = { opening, content, from, to, isDeleted: false, isAnew };
    if (contract.deletes !== 'marker-row' || !endsAbsent) return [plain];
    const end = versions[index + 1]?.from ?? null;
    return [plain, { opening, content, from: to!, to: end, isDeleted: true, isAnew: false }];
  });
}

function openAndClose(contract: Contract, observations: readonly Observation[]): Building[] {
  const versions: Building[] = [];
  let before: Observation | null = null;
  for (const observation of observations) {
    const opens = opensVersion(contract, before, observation);
    const current = versions.at(-1);
    if (current?.to === null && (opens || observation.content === null)) {
      current.to = observation.instant;
      current.endsAbsent = observation.content === null;
    }
    if (opens) versions.push(open(observation, before));
    before = observation;
  }
  return versions;
}

function opensVersion(contract: Contract, before: Observation | null, observation: Observation): boolean {
  if (observation.content === null) return false;
  if (before === null || before.content === null) return true;
  if (observation.content.state !== before.content.state) return true;
  return observation.reopening || contract.changeBy === 'row-time';
}

function open(opening: Observation, before: Observation | null): Building {
  return {
    opening,
    content: opening.content!,
    afterAbsence: before !== null && before.content === null,
    isAnew: before === null || before.content === null || opening.reopening,
    from: opening.instant,
    to: null,
    endsAbsent: false,
  };
}

/** `reappearance: bridge`: after an absence, a version starts where the one before it ended. */
function bridge(versions: readonly Building[]): void {
  versions.forEach((version, index) => {
    const end = versions[index - 1]?.to ?? null;
    if (version.afterAbsence && end !== null) version.from = end;
  });
}

/** `firstStart`: the first version reaches back, never forward. */
function startFirst(versions: readonly Building[]): void {
  const first = versions[0];
  const start = first?.opening.firstStart ?? null;
  if (first !== undefined && start !== null && start < first.from) first.from = start;
}
