import type { ContractJson, VersionRow } from '../../src/runner/report.ts';

/**
 * Names of a role's columns as the report's contract has them. The contract is plain JSON, written by whatever
 * version of scd2check made the report, so nothing about its shape is taken for granted.
 */
export function roleColumns(contract: ContractJson, role: 'key' | 'tracked' | 'untracked'): string[] {
  const columns = contract['columns'];
  const list = isObject(columns) ? columns[role] : undefined;
  return Array.isArray(list) ? list.flatMap(columnName) : [];
}

/** The name in `customer_id text not null`, which is quoted where it is no plain word. */
function columnName(column: unknown): string[] {
  if (isObject(column)) return typeof column['name'] === 'string' ? [column['name']] : [];
  const match = typeof column === 'string' ? /^\s*(?:"((?:[^"]|"")+)"|(\S+))/.exec(column) : null;
  if (match === null) return [];
  return [match[1]?.replaceAll('""', '"') ?? match[2]!];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Names of all columns that the rows have, in the order in which they first appear. */
export function namesOf(rows: readonly { readonly [name: string]: unknown }[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** Whether the row was paired with none: then everything about it differs. */
export function isUnpaired(row: VersionRow): boolean {
  const names = [...Object.keys(row.values), 'validFrom', 'validTo'];
  return names.every((name) => row.differs.includes(name));
}
