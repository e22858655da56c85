import type { Cell, ColumnType } from '../src/contract/columns.ts';
import type { Contract } from '../src/contract/contract.ts';

/**
 * A named case: a feed that someone's implementation once got wrong, and what `strict` expects of it.
 *
 * Its columns are roles and not names: they are mapped to the columns of the implementation under test, in
 * order, and the case is skipped where that implementation has too few of them or of other types.
 */
export interface Case {
  /** Never changes. Lower case, hyphens. */
  readonly id: string;
  /** A sentence. */
  readonly title: string;
  /** Why it hurts, in a sentence or two: what goes wrong in the warehouse. */
  readonly why: string;
  /** Where it was reported, e.g. a repository and number; absent for the seven. */
  readonly source?: string;
  /** What the columns must be able to hold. Each role takes the first columns of that role whose types fit. */
  readonly columns: {
    readonly key: readonly CaseColumn[];
    readonly tracked: readonly CaseColumn[];
    readonly untracked?: readonly CaseColumn[];
    readonly changedAt?: true;
    readonly operation?: true;
    readonly sequence?: true;
    readonly partition?: true;
    /** The contract's `firstStart` names a column of the batch. */
    readonly firstStart?: true;
    readonly isDeleted?: true;
  };
  /**
   * Contract fields under which the case makes sense: the contract must have one of the named options. A field that
   * is not named may have any. A case says nothing of `never` fields that its feed does not touch. Where `firstStart`
   * or `openMarker` names a literal, any literal will do.
   */
  readonly needs: Needs;
  readonly batches: readonly CaseBatch[];
  /** What the dimension holds after the last batch, under `strict` and then the first option of each field in `needs`. */
  readonly expected: {
    /** Versions of all keys; marker rows are none. */
    readonly versions: number;
    readonly open: number;
    /** Key and tracked values with start and end, for all keys; ends are exclusive, null is open. Untracked values where the case fixes them. */
    readonly rows: readonly CaseVersion[];
  };
}

export interface CaseColumn {
  /** How the case's rows name it. */
  readonly name: string;
  /**
   * Types of which the implementation's column must be one. `any` where nothing matters but which values are equal:
   * a column that cannot hold the case's texts (an integer key, an enumeration) then gets as many distinct stand-ins.
   */
  readonly types: readonly (ColumnType | 'decimal')[] | 'any';
  /** The column must be able to hold NULL. */
  readonly nullable?: true;
  /** Left out of the rows where the implementation has no such column. */
  readonly optional?: true;
}

export type Needs = {
  readonly [F in Exclude<keyof Contract, 'columns' | 'compare' | 'keyCompare'>]?: readonly Contract[F][];
} & {
  /** Foldings that must be declared (and no other); `[]` is `sql`. */
  readonly compare?: Contract['compare'];
  readonly keyCompare?: Contract['keyCompare'];
};

export interface CaseBatch {
  /** ISO text, UTC. */
  readonly asOf: string;
  readonly rows: readonly CaseRow[];
  /** Another order in which this batch delivers its columns. */
  readonly columns?: readonly string[];
}

/** Cells by the names in `columns`; roles by `changedAt`, `operation`, `sequence`, `partition`, `firstStart`. */
export type CaseRow = Readonly<Record<string, Cell>>;

export interface CaseVersion {
  readonly values: CaseRow;
  readonly from: string;
  readonly to: string | null;
  /** A marker row. */
  readonly isDeleted?: true;
}
