/** A name as DuckDB reads it whatever it contains: `"it""s"`. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as a SQL literal: `'it''s'`. NUL characters, which a literal cannot hold, are spliced in with `chr(0)`. */
export function quoteText(text: string): string {
  const literals = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return literals.length === 1 ? literals[0]! : `(${literals.join(' || chr(0) || ')})`;
}
