import { formatColumn } from './column-text.ts';
import type { Column, Role } from './columns.ts';
import type { Contract } from './contract.ts';
import { hasVersions } from './types.ts';

/** The contract as plain JSON, in the form in which it can be declared again. */
export function contractToJson(contract: Contract): Record<string, unknown> {
  const { columns, compare, keyCompare, ...fields } = contract;
  // A table without versions has no bounds, and may not declare any.
  const own = hasVersions(contract) ? columns : { ...columns, validFrom: null };
  const roles = Object.entries(own) as [Role, readonly Column[] | Column | null][];
  return {
    ...fields,
    compare: compare.length === 0 ? 'sql' : compare,
    keyCompare: keyCompare.length === 0 ? 'sql' : keyCompare,
    columns: Object.fromEntries(roles.map(([role, value]) => [role, columnJson(value)])),
  };
}

function columnJson(value: readonly Column[] | Column | null): unknown {
  if (value === null) return null;
  return Array.isArray(value) ? value.map(formatColumn) : formatColumn(value as Column);
}

/** One line a field, as `--print-contract` shows it: what differs from `strict` is marked. */
export function printContract(contract: Contract, strict: Omit<Contract, 'columns'>): string {
  const { columns, ...fields } = contractToJson(contract);
  const lines = Object.entries(fields).map(([name, value]) => {
    const plain = Array.isArray(value) ? value.join(' ') : String(value);
    const standard = strict[name as keyof typeof strict];
    const differs = plain !== (Array.isArray(standard) ? standard.join(' ') || 'sql' : standard);
    return `  ${name.padEnd(16)} ${plain}${differs ? `   (strict: ${Array.isArray(standard) ? 'sql' : standard})` : ''}`;
  });
  const roles = Object.entries(columns as Record<string, unknown>).map(([role, value]) => {
    const text = Array.isArray(value) ? value.join(', ') || 'none' : (value ?? 'none');
    return `  ${role.padEnd(16)} ${text}`;
  });
  return ['decisions', ...lines, 'columns', ...roles, ''].join('\n');
}
