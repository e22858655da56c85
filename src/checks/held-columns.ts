import { Table } from 'apache-arrow';
import { dimensionColumns } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Database } from '../duckdb/connection.ts';
import { quoteIdentifier, quoteText } from '../duckdb/sql.ts';
import type { Held } from './held.ts';

/** Finding the contract's columns in a dimension that spells them otherwise, or has them in structs. */

/** Names such as `validity.start_at`, of a field in a struct or a JSON document, where the dimension has no column of that name. */
export function nestedNames(contract: Contract, names: readonly string[]): readonly string[] {
  const wanted = dimensionColumns(contract).map(({ name }) => name);
  return [...new Set(wanted)].filter(
    (name) => name.includes('.') && !names.includes(name) && names.includes(name.slice(0, name.indexOf('.'))),
  );
}

/** Structs come as JSON texts. */
export async function takeOut(db: Database, raw: string, name: string): Promise<void> {
  const dot = name.indexOf('.');
  const path = name
    .slice(dot + 1)
    .split('.')
    .map((part) => `.${JSON.stringify(part)}`);
  const column = quoteIdentifier(name);
  await db.run(`ALTER TABLE ${raw} ADD COLUMN ${column} VARCHAR;
    UPDATE ${raw} SET ${column} = json_extract_string(${quoteIdentifier(name.slice(0, dot))}, ${quoteText(`$${path.join('')}`)})`);
}

/**
 * DuckDB takes `a` and `A` for one column, and so do most engines. The contract's spelling is taken for whatever the dimension has; where it
 * has two, that is `schema-kept`'s.
 */
export function oneSpelling(given: Held, contract: Contract): Held {
  const item = inContractsSpelling(given, contract);
  const names = item.table.schema.fields.map(({ name }) => name);
  const { key, tracked, untracked } = contract.columns;
  const wanted = new Set([...key, ...tracked, ...untracked].map(({ name }) => name));
  const kept = new Map<string, string>();
  for (const name of names) {
    const folded = name.toLowerCase();
    if (!kept.has(folded) || (wanted.has(name) && !wanted.has(kept.get(folded)!))) kept.set(folded, name);
  }
  return kept.size === names.length ? item : { ...item, table: item.table.select([...kept.values()]) };
}

function inContractsSpelling(item: Held, contract: Contract): Held {
  const { fields } = item.table.schema;
  const names = new Set(fields.map(({ name }) => name));
  const wanted = new Map(
    dimensionColumns(contract).flatMap(({ name }) => (names.has(name) ? [] : [[name.toLowerCase(), name]])),
  );
  if (!fields.some(({ name }) => wanted.has(name.toLowerCase()))) return item;
  const entries = fields.map(({ name }, at) => {
    const folded = name.toLowerCase();
    const spelled = wanted.get(folded) ?? name;
    wanted.delete(folded);
    return [spelled, item.table.getChildAt(at)!] as const;
  });
  return { ...item, table: new Table(Object.fromEntries(entries)) };
}

export function everHad(held: readonly Held[], feed: number, name: string): boolean {
  return held.some(
    (item) =>
      item.feed === feed &&
      item.table.schema.fields.some((field) => field.name.toLowerCase() === name.toLowerCase()),
  );
}
