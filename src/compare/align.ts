import type { Layout } from '../audit/layout.ts';
import type { AuditTable } from '../audit/table.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { suggestion } from '../contract/nearest.ts';
import { quoteIdentifier } from '../duckdb/sql.ts';

/** A table with the columns that are compared, under the names and types that both share. */
export interface Side {
  readonly table: AuditTable;
  readonly contract: Contract;
}

export interface Aligned {
  readonly sides: readonly [old: Side, new: Side];
  readonly notes: readonly string[];
}

/**
 * Two tables that hold one dimension, brought to one form: the key of the first, the attributes that both have, and of columns whose types
 * differ the type that can hold both. What a migration does not keep, such as surrogate keys, is left aside.
 *
 * @throws UsageError where the second has no such key, or a declared attribute is missing in one of them
 */
export function align(
  old: Side & { readonly layout: Layout },
  next: Side & { readonly layout: Layout },
): Aligned {
  const notes: string[] = [];
  const key = old.contract.columns.key.map((column) => ({ ...column }));
  for (const { name } of key) requireColumn(name, next.table);
  const tracked = old.layout.trackedDeclared
    ? old.contract.columns.tracked
    : shared(old.contract.columns.tracked, next.contract.columns.tracked);
  if (old.layout.trackedDeclared) for (const { name } of tracked) requireColumn(name, next.table);
  const alone = (side: Side, other: Side) =>
    side.contract.columns.tracked
      .filter(({ name }) => columnOf(other.table, name) === undefined)
      .map(({ name }) => `\`${name}\` of \`${side.table.name}\``);
  const aside = [...alone(old, next), ...alone(next, old)];
  if (aside.length > 0) notes.push(`Not compared, because only one of the two has it: ${aside.join(', ')}.`);
  const compared = [...key, ...tracked];
  const cast = (side: Side): Side => {
    const { columns } = side.contract;
    const own = (column: Column): Column => ({ ...column, name: columnOf(side.table, column.name)!.name });
    const casts = compared.flatMap(({ name }) => {
      const type = commonType(columnOf(old.table, name)!.type, columnOf(next.table, name)!.type);
      const column = quoteIdentifier(columnOf(side.table, name)!.name);
      return type === null ? [] : [`CAST(${column} AS ${type}) AS ${column}`];
    });
    const from =
      casts.length === 0
        ? side.table.from
        : `(SELECT * REPLACE (${casts.join(', ')}) FROM ${side.table.from})`;
    return {
      table: { ...side.table, from },
      contract: { ...side.contract, columns: { ...columns, key: key.map(own), tracked: tracked.map(own) } },
    };
  };
  return { sides: [cast(old), cast(next)], notes };
}

function shared(old: readonly Column[], next: readonly Column[]): readonly Column[] {
  return old.filter(({ name }) => next.some((other) => other.name.toLowerCase() === name.toLowerCase()));
}

function columnOf({ columns }: AuditTable, name: string) {
  return columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
}

function requireColumn(name: string, table: AuditTable): void {
  if (columnOf(table, name) !== undefined) return;
  const names = table.columns.map((column) => column.name);
  throw new UsageError(
    `\`${table.name}\` has no column \`${name}\`, by which the two are compared.${suggestion(name, names)} ` +
      'Where it has another name, compare a view that renames it; or declare the key: --key <columns>.',
  );
}

/** The type in which equal values are equal texts: 1 and 1.00, a day and its first instant. Null where the types are the same already. */
function commonType(old: string, next: string): string | null {
  if (old === next) return null;
  const both = (test: RegExp) => test.test(old) && test.test(next);
  if (both(WHOLE)) return 'HUGEINT';
  if (both(EXACT)) return `DECIMAL(38, ${Math.max(scaleOf(old), scaleOf(next))})`;
  if (both(NUMBER)) return 'DOUBLE';
  if (both(ZONELESS)) return 'TIMESTAMP';
  return null;
}

function scaleOf(type: string): number {
  return Number(/^DECIMAL\(\d+,\s*(\d+)\)/.exec(type)?.[1] ?? 0);
}

const WHOLE = /^(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER)/;
const EXACT = /^(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|DECIMAL)/;
const NUMBER = /^(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|DECIMAL|FLOAT|DOUBLE)/;
const ZONELESS = /^(DATE|TIMESTAMP(_S|_MS|_NS)?)$/;
