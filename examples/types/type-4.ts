import { attributes, bounded, type Columns, type Contract, type Row, Snapshots } from './snapshots.ts';

/**
 * Type 4: a current table, and the history in another one. A function gives all rows at once, and says of each by `in_history` in which of
 * the two tables it is.
 */
export const contract = { type: '4' };
export const anyColumns = true;

let snapshots = new Snapshots();
let columns: Columns;

function start(): void {
  snapshots = new Snapshots();
}

function apply(rows: Row[], { asOf, contract }: { asOf: string; contract: Contract }): void {
  columns = contract.columns;
  snapshots.add(rows, asOf, columns);
}

function read(): Row[] {
  const versions = snapshots.versions(columns).flat();
  const flag = columns.inHistory!;
  return [
    ...versions
      .filter(({ to }) => to === null)
      .map((version) => ({ ...attributes(version, columns), [flag]: false })),
    ...versions.map((version) => ({ ...bounded(version, columns), [flag]: true })),
  ];
}

export default { start, apply, read };
