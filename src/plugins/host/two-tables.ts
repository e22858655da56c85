import { Bool, type DataType, Table, type Vector, vectorFromArray } from 'apache-arrow';

/** A column of the contract is of one type in the current table and of another in the history. */
export class TypesDiffer extends Error {
  override readonly name = 'TypesDiffer';
}

/**
 * A current table and a history table (type 4) as one relation, with a flag of the rows of the history. A column that one of them has not is
 * NULL there. Names are one where they differ in case alone, as for most engines; the history's spelling is taken.
 *
 * @param declared names of the contract's columns; of a column that is none of them two types are left out
 * @throws TypesDiffer where a declared column has another type in the one than in the other
 */
export function asOneRelation(
  current: Table,
  history: Table,
  flag: string,
  declared: readonly string[],
): Table {
  const columns = new Map<string, { readonly name: string; readonly type: DataType }>();
  const fields = [...current.schema.fields, ...history.schema.fields];
  for (const { name, type } of fields) columns.set(name.toLowerCase(), { name, type });
  for (const { name, type } of current.schema.fields) {
    const folded = name.toLowerCase();
    const other = columns.get(folded)!.type;
    if (String(other) === String(type)) continue;
    if (declared.some((one) => one.toLowerCase() === folded))
      throw new TypesDiffer(
        `column "${name}" is ${type} in the current table and ${other} in the history. Give both the same type`,
      );
    columns.delete(folded);
  }
  const widened = (table: Table, isHistory: boolean) => {
    const vectors: Record<string, Vector> = {};
    for (const [folded, { name, type }] of columns) {
      const at = table.schema.fields.findIndex((field) => field.name.toLowerCase() === folded);
      vectors[name] = table.getChildAt(at) ?? vectorFromArray(Array(table.numRows).fill(null), type);
    }
    vectors[flag] = vectorFromArray(Array<boolean>(table.numRows).fill(isHistory), new Bool());
    return new Table(vectors);
  };
  const both = [widened(current, false), widened(history, true)];
  // The batches of an empty table are not always whole.
  const filled = both.filter(({ numRows }) => numRows > 0);
  return filled.length === 0 ? both[0]! : new Table(filled.flatMap(({ batches }) => batches));
}
