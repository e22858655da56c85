import type { Cell, Row } from '../../../src/contract/columns.ts';
import type { Contract } from '../../../src/contract/contract.ts';
import { identity, instantCell, RIGHT, type Rules, type Saying, type Version } from '../base.ts';

/** What many mutants say: of versions, of rows that are written already, and of what is late. */

/** The right versions of each key, changed. */
export function versionsBecome(
  change: (
    versions: readonly Version[],
    about: { readonly observed: readonly Saying[]; readonly memory: Parameters<Rules['shape']>[2] },
  ) => readonly Version[],
): Partial<Rules> {
  return {
    shape: (versions, observed, memory) =>
      change(RIGHT.shape(versions, observed, memory), { observed, memory }),
  };
}

/** Each right row of the table, changed. */
export function rowsBecome(change: (row: Row, contract: Contract) => Row): Partial<Rules> {
  return {
    write: (version, memory) => change(RIGHT.write(version, memory), memory.contract),
  };
}

export function isOpen(row: Row, { columns }: Contract): boolean {
  return row[columns.isCurrent!.name] === true;
}

/** Whether the row starts or ends at the instant. */
export function isStamped(
  row: Row,
  role: 'validFrom' | 'validTo',
  at: bigint,
  { columns }: Contract,
): boolean {
  return row[columns[role]!.name] === instantCell(at, columns[role]!);
}

export function closedAt(row: Row, at: bigint, { columns }: Contract): Row {
  const { validTo, isCurrent } = columns;
  return { ...row, [validTo!.name]: instantCell(at, validTo!), [isCurrent!.name]: false };
}

export function trackedIn(row: Row, { columns }: Contract): string {
  return identity(row, columns.tracked);
}

export function withKey(row: Row, { columns }: Contract, cell: Cell): Row {
  return { ...row, ...Object.fromEntries(columns.key.map(({ name }) => [name, cell])) };
}

/** Said after something of a later instant had been said of the key. */
export function cameLate(said: Saying, observed: readonly Saying[]): boolean {
  return observed.some(({ load, at }) => load < said.load && at > said.at);
}

/** Where two neighbours are to be one, the later one has the start of the earlier. */
export function merged(
  versions: readonly Version[],
  isOne: (before: Version, version: Version) => boolean,
): readonly Version[] {
  const made: Version[] = [];
  for (const version of versions) {
    const before = made.at(-1);
    if (before === undefined || !isOne(before, version)) made.push(version);
    else made[made.length - 1] = { ...version, from: before.from };
  }
  return made;
}
