import type { Cell, Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { ballastKeys } from './keys.ts';
import { plainStates, plainUntracked } from './palette.ts';
import { rowWriter } from './rows.ts';
import { sendable } from './sendable.ts';

/**
 * The constant rows that every snapshot of a feed has (one for each partition that it names), so that no batch is empty because one history
 * is absent from it. None where silence says nothing. `since` is the earliest `asOf` of the feed: the rows never change after it.
 */
export function ballast(
  contract: Contract,
  since: bigint,
): (asOf: bigint, partitions?: readonly Cell[]) => readonly Row[] {
  const { mode, touched } = sendable(contract);
  const write = rowWriter(contract);
  const keys = ballastKeys(contract);
  return (asOf, partitions) =>
    keys
      .filter(({ partition }) => partitions === undefined || partitions.includes(partition))
      .map(({ spellings, partition }) =>
        write({
          key: spellings[0]!,
          tracked: plainStates(contract, 0).A,
          untracked: plainUntracked(contract)[0]!,
          instant: mode === 'row-time' && !touched ? since : asOf,
          isDelete: false,
          isFirst: asOf === since,
          sequence: 0,
          partition,
          firstStart: since,
        }),
      );
}

/** The earliest `asOf` of some loads, at least one. */
export function earliest(loads: readonly { readonly asOf: bigint }[]): bigint {
  const instants = loads.map(({ asOf }) => asOf).sort((a, b) => (a < b ? -1 : 1));
  return instants[0]!;
}
