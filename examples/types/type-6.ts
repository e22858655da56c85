import { bounded, type Columns, type Contract, type Row, Snapshots } from './snapshots.ts';

/** Type 6: every version, as in type 2, and on each the value that the tracked attributes have now, `current_<name>`. */
export const contract = { type: '6' };
export const anyColumns = true;

let snapshots = new Snapshots();
let columns: Columns;
/** Whose value a column holds. */
let of: Contract['of'];

function start(): void {
  snapshots = new Snapshots();
}

function apply(rows: Row[], { asOf, contract }: { asOf: string; contract: Contract }): void {
  columns = contract.columns;
  of = contract.of;
  snapshots.add(rows, asOf, columns);
}

function read(): Row[] {
  return snapshots.versions(columns).flatMap((versions) => {
    const { row } = versions.at(-1)!;
    const now = columns.current.map((name) => [name, row[of[name]!] ?? null]);
    return versions.map((version) => ({ ...bounded(version, columns), ...Object.fromEntries(now) }));
  });
}

export default { start, apply, read };
