import { attributes, type Columns, type Contract, type Row, Snapshots } from './snapshots.ts';

/** Type 1: the open version of each key, and nothing of its bounds. */
export const contract = { type: '1' };
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
  return snapshots
    .versions(columns)
    .flat()
    .filter(({ to }) => to === null)
    .map((version) => attributes(version, columns));
}

export default { start, apply, read };
