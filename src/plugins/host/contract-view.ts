import type { Column } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';

/**
 * The contract as user code receives it, functions and programs (as JSON) alike: the decisions as they are, and under `columns` the *names* by role (lists
 * for `key`, `tracked`, `untracked`, `previous` and `current`, a name or null for the others). `types` has each column's type by its name, `of`
 * the name of the attribute whose previous or current value a column holds (types 3 and 6).
 * Frozen, since the same object goes into every call.
 */
export interface ContractView extends Omit<Contract, 'columns'> {
  readonly columns: Readonly<Record<string, readonly string[] | string | null>>;
  readonly types: Readonly<Record<string, string>>;
  readonly of: Readonly<Record<string, string>>;
}

export function contractView(contract: Contract): ContractView {
  const names: Record<string, readonly string[] | string | null> = {};
  const types: Record<string, string> = {};
  const of: Record<string, string> = {};
  for (const [role, columns] of Object.entries(contract.columns) as [
    string,
    Column | readonly Column[] | null,
  ][]) {
    const list = columns === null ? [] : [columns].flat();
    for (const column of list) {
      types[column.name] = column.type;
      if (column.of !== undefined) of[column.name] = column.of;
    }
    names[role] = Array.isArray(columns)
      ? Object.freeze(list.map((column) => column.name))
      : (list[0]?.name ?? null);
  }
  return Object.freeze({
    ...contract,
    columns: Object.freeze(names),
    types: Object.freeze(types),
    of: Object.freeze(of),
  });
}
