import * as arrow from 'apache-arrow';

const TYPE_KEY = 'duckdb.type';

/** Metadata of a decimal field that holds what was a HUGEINT: see types.ts. */
export const HUGEINT_MARK: ReadonlyMap<string, string> = new Map([[TYPE_KEY, 'HUGEINT']]);

/** Whether a field holds what was a HUGEINT. */
export function isHugeint(field: arrow.Field): boolean {
  return field.metadata.get(TYPE_KEY) === 'HUGEINT' && arrow.DataType.isDecimal(field.type);
}
