import type { Check } from '../checks/check.ts';
import type { Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Database } from '../duckdb/connection.ts';
import type { Screened } from './screen.ts';

/** What looking at a table gives beside the tables `violation`, `v:…` and `…_version`. */
export interface Looked {
  readonly rows: number;
  /** Rows whose key is NULL. */
  readonly nulls: number;
  readonly screened: Screened;
  readonly gaps: number;
}

/** Looks at a table, wherever it is. */
export type Look = (
  db: Database,
  contract: Contract,
  checks: readonly Check[],
  shown: readonly Column[],
) => Promise<Looked>;
