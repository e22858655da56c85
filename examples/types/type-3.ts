import {
  attributes,
  type Columns,
  type Contract,
  identity,
  type Row,
  Snapshots,
  type Version,
} from './snapshots.ts';

/** Type 3: as type 1, with the previous value of each tracked attribute, `previous_<name>`, beside it. */
export const contract = { type: '3' };
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
  return snapshots
    .versions(columns)
    .filter((versions) => versions.at(-1)!.to === null)
    .map((versions) => ({ ...attributes(versions.at(-1)!, columns), ...previousValues(versions) }));
}

/** The last value that was another one. Who came back after a delete begins anew. */
function previousValues(versions: Version[]): Row {
  const last = versions.at(-1)!;
  const afterDelete = versions.findLastIndex(({ from }, at) => versions[at - 1]?.to !== from);
  return Object.fromEntries(
    columns.previous.map((name) => {
      const attribute = of[name]!;
      const before = versions
        .slice(afterDelete)
        .findLast(({ row }) => identity(row, [attribute]) !== identity(last.row, [attribute]));
      return [name, before?.row[attribute] ?? null];
    }),
  );
}

export default { start, apply, read };
