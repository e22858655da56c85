import { quoteIdentifier } from '../../duckdb/sql.ts';

/** A table name as people write it: `batch`, `raw.customers`, `"My Table"`, `my.recipes.dim_customer`; in double quotes or backticks where it has to be. */
export interface TableName {
  /** The schema, or catalog and schema, or none. */
  readonly schema: readonly string[];
  readonly table: string;
}

/** Null where the text is not a name. */
export function parseTableName(text: string): TableName | null {
  const part = '(?:"(?:[^"]|"")+"|`(?:[^`]|``)+`|[A-Za-z_\\u0080-\\uffff][\\w$\\u0080-\\uffff]*)';
  if (!new RegExp(`^${part}(?:\\.${part}){0,2}$`).test(text)) return null;
  const parts = [...text.matchAll(new RegExp(part, 'g'))].map(([name]) =>
    /^["`]/.test(name) ? name.slice(1, -1).replaceAll(name[0]!.repeat(2), name[0]!) : name,
  );
  return { schema: parts.slice(0, -1), table: parts.at(-1)! };
}

export function quoteTableName({ schema, table }: TableName): string {
  return [...schema, table].map(quoteIdentifier).join('.');
}
