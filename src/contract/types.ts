import type { Column } from './columns.ts';
import type { Contract } from './contract.ts';

/**
 * What the tables of each type of slowly changing dimension hold:
 *
 * | type | versions                    | a current table | beside the attributes                        |
 * | ---- | --------------------------- | --------------- | -------------------------------------------- |
 * | 1    |                             | yes             |                                              |
 * | 2    | yes                         |                 |                                              |
 * | 3    |                             | yes             | the previous values of some                  |
 * | 4    | yes, in a table of their own | yes             |                                              |
 * | 6    | yes                         |                 | the current values of some, on every row     |
 */
export type Type = Contract['type'];

export const TYPES: readonly Type[] = ['1', '2', '3', '4', '6'];

/** Types whose tables hold versions, with their bounds. */
export const VERSIONED: readonly Type[] = ['2', '4', '6'];
/** Types that have a table with one row for each key, which is overwritten. */
export const OVERWRITTEN: readonly Type[] = ['1', '3', '4'];

/** Fields of which a table without versions shows nothing. */
export const FIELDS_OF_VERSIONS: ReadonlySet<string> = new Set<keyof Contract>([
  'end',
  'openMarker',
  'firstStart',
  'firstStartScope',
  'changeBy',
  'lateEvidence',
  'untracked',
  'grain',
]);

export function hasVersions({ type }: Pick<Contract, 'type'>): boolean {
  return VERSIONED.includes(type);
}

export function hasCurrentTable({ type }: Pick<Contract, 'type'>): boolean {
  return OVERWRITTEN.includes(type);
}

/** Columns that hold a value of a tracked attribute at another time than the row's own. */
export function besideColumns({ type, columns }: Pick<Contract, 'type' | 'columns'>): readonly Column[] {
  if (type === '3') return columns.previous;
  return type === '6' ? columns.current : [];
}

/** The columns of types 3 and 6 where nobody names them: one for each tracked attribute. */
export function usualBeside(
  type: Type,
  tracked: readonly Column[],
): { readonly previous: readonly Column[]; readonly current: readonly Column[] } {
  const named = (role: string) =>
    tracked.map(
      (column): Column => ({ ...column, name: `${role}_${column.name}`, nullable: true, of: column.name }),
    );
  return { previous: type === '3' ? named('previous') : [], current: type === '6' ? named('current') : [] };
}

/** For each of them, the position of its attribute among the tracked ones. */
export function besideOf(contract: Pick<Contract, 'type' | 'columns'>): readonly number[] {
  const { tracked } = contract.columns;
  return besideColumns(contract).map(({ of }) => tracked.findIndex(({ name }) => name === of));
}
