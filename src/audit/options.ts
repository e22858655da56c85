import type { Column } from '../contract/columns.ts';
import type { FactColumns } from './facts.ts';
import type { Gates } from './gate.ts';
import type { Layout } from './layout.ts';
import type { Look } from './look.ts';
import { type ScopeOptions, scopeConditions } from './scope.ts';
import type { AuditTable } from './table.ts';

export interface AuditOptions {
  readonly table: AuditTable;
  readonly layout: Layout;
  readonly source: AuditTable | null;
  readonly previous: AuditTable | null;
  readonly facts: {
    readonly table: AuditTable;
    readonly columns: FactColumns;
    readonly join: string | null;
  } | null;
  readonly scope: ScopeOptions;
  readonly gates: Gates;
  readonly warnError: boolean;
  /** Ids that the baseline knows; null where there is none. */
  readonly baseline: readonly string[] | null;
  /** Findings of each check that are reported as rows. */
  readonly examples: number;
  readonly showValues: boolean;
  readonly sensitive: readonly string[];
  /** Every key is looked at closely; nothing is screened. */
  readonly exact: boolean;
  /** Where the table is looked at in another engine; left out, DuckDB reads it here. */
  readonly look?: Look;
  /** Microseconds. */
  readonly now: bigint;
  readonly version: string;
  readonly command: string;
  onPart(part: string): void;
}

/** The condition by which rows are in scope: whole keys, never single rows. */
export function whereOf({ layout, table, scope, now }: AuditOptions): string {
  const conditions = scopeConditions(layout.contract, table.from, scope, now);
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

/** Columns whose values a report shows. */
export function shownColumns({ layout, showValues }: AuditOptions): readonly Column[] {
  const { key, tracked } = layout.contract.columns;
  return showValues ? [...key, ...tracked] : key;
}
