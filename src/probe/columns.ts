import { DataType } from 'apache-arrow';
import type { Trace } from '../checks/judge.ts';
import { type Cell, type Column, DIMENSION_ROLES, type Role } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { hasVersions } from '../contract/types.ts';
import { columnCells } from '../duckdb/cells.ts';
import type { ProbedColumn } from './report.ts';

/** Which column plays which role, and what it holds. */
export function describeColumns(
  { steps }: Trace,
  contract: Contract,
  declared: ReadonlySet<Role>,
): readonly ProbedColumn[] {
  const { columns } = contract;
  const tables = steps.map(({ dimension }) => dimension);
  const cells = (name: string): readonly Cell[] =>
    tables.flatMap((table) => {
      const at = table.schema.fields.findIndex((field) => field.name === name);
      return at < 0 ? [] : columnCells(table.getChildAt(at)!, table.schema.fields[at]);
    });
  const typeOf = (name: string) =>
    tables.flatMap(({ schema }) => schema.fields).find((field) => field.name === name)?.type;
  const roles = DIMENSION_ROLES.filter((role) => role !== 'validFrom' || hasVersions(contract));
  return roles.flatMap((role) =>
    ([columns[role]].flat() as (Column | null)[]).flatMap((column): ProbedColumn[] => {
      if (column === null) return [];
      const { name, of } = column;
      const form = formOf(role, typeOf(name), cells(name));
      return [{ role, name, form, guessed: !declared.has(role), ...(of === undefined ? {} : { of }) }];
    }),
  );
}

function formOf(role: Role, type: DataType | undefined, cells: readonly Cell[]): string | null {
  if (type === undefined) return null;
  switch (role) {
    case 'validFrom':
    case 'validTo':
      return timeForm(type);
    case 'isCurrent':
    case 'isDeleted':
    case 'inHistory':
      return flagForm(cells);
    default:
      return null;
  }
}

function timeForm(type: DataType): string {
  if (DataType.isDate(type)) return 'date';
  if (DataType.isTimestamp(type))
    return type.timezone == null ? 'timestamp' : `timestamp in ${type.timezone}`;
  return DataType.isUtf8(type) ? 'text' : String(type).toLowerCase();
}

/** `true/false`, `Y/N`, `1/0`, or whatever there is. */
function flagForm(cells: readonly Cell[]): string {
  const values = [...new Set(cells)].filter((cell) => cell !== null);
  const words = values.map(String);
  const isOn = (word: string) => /^(true|t|1|y|yes|current|active)$/i.test(word);
  const sorted = [...words].sort((a, b) => Number(isOn(b)) - Number(isOn(a)));
  const kind = values.every((value) => typeof value === 'boolean') ? 'boolean, ' : '';
  return `${kind}${sorted.slice(0, 4).join('/')}${cells.includes(null) ? ', NULL' : ''}`;
}
