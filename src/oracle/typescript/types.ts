import type { Cell } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import { besideOf, hasCurrentTable, hasVersions } from '../../contract/types.ts';
import { foldState } from './values.ts';
import type { Version } from './versions.ts';

/*
 * Rule 8: which of a key's versions are rows of the dimension, by its type, and what stands beside their attributes.
 */

/** The versions that a table of versions holds. */
export function heldVersions(contract: Contract, versions: readonly Version[]): readonly Version[] {
  if (!hasVersions(contract)) return [];
  return contract.historyHolds === 'past' ? versions.filter(({ to }) => to !== null) : versions;
}

/** The version that a table that is overwritten shows, or null. */
export function heldCurrent(contract: Contract, versions: readonly Version[]): Version | null {
  if (!hasCurrentTable(contract)) return null;
  return versions.find(({ to }) => to === null) ?? null;
}

/** Values of other times beside those of a version: previous ones (type 3), or current ones (type 6). */
export function valuesBeside(
  contract: Contract,
  versions: readonly Version[],
  version: Version,
): readonly Cell[] {
  return besideOf(contract).map((at) =>
    contract.type === '3'
      ? previousValue(contract, versions, version, at)
      : versions.findLast(({ isDeleted }) => !isDeleted)!.content.tracked[at]!,
  );
}

/** Going back in time, the first value that is another one; NULL where there is none before the key was last gone. */
function previousValue(contract: Contract, versions: readonly Version[], version: Version, at: number): Cell {
  const isRemembered = contract.reappearance === 'bridge' || contract.deletes === 'marker-row';
  const column = contract.columns.tracked[at]!;
  const spelled = ({ content }: Version) =>
    foldState([content.tracked[at] ?? null], [column], contract.compare);
  const before = versions.slice(0, versions.indexOf(version));
  let isAnew = version.isAnew;
  while (before.length > 0 && (isRemembered || !isAnew)) {
    const earlier = before.pop()!;
    if (!earlier.isDeleted && spelled(earlier) !== spelled(version))
      return earlier.content.tracked[at] ?? null;
    isAnew = earlier.isAnew;
  }
  return null;
}
