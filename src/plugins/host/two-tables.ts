import { Bool, type DataType, Table, type Vector, vectorFromArray } from 'apache-arrow';

/**
 * A current table and a history table (type 4) as one relation, with a flag of the rows of the history. A column that one of them has not is
 * NULL there.
 *
 * @throws Error where a column has another type in the one than in the other
 */
export function asOneRelation(current: Table, history: Table, flag: string): Table {
  const types = new Map<string, DataType>();
  for (const { name, type } of [...current.schema.fields, ...history.schema.fields]) {
    const known = types.get(name);
    if (known !== undefined && String(known) !== String(type))
      throw new Error(
        `column "${name}" is ${known} in the current table and ${type} in the history. Give both the same type`,
      );
    types.set(name, type);
  }
  const widened = (table: Table, isHistory: boolean) => {
    const columns: Record<string, Vector> = {};
    for (const [name, type] of types)
      columns[name] = table.getChild(name) ?? vectorFromArray(Array(table.numRows).fill(null), type);
    columns[flag] = vectorFromArray(Array<boolean>(table.numRows).fill(isHistory), new Bool());
    return new Table(columns);
  };
  return new Table([...widened(current, false).batches, ...widened(history, true).batches]);
}
