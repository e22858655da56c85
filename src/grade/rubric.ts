/**
 * What a submission is graded by: items with points, each over cases or over checks. An item's cases (or checks) are its *units*; each unit is
 * right, wrong, or was not judged, and the item's points follow from how many are right.
 */
export interface Rubric {
  readonly items: readonly RubricItem[];
}

export interface RubricItem {
  /** Lower case, digits and hyphens. What is called by it (columns of a table, tests of a report) keeps its name for ever. */
  readonly id: string;
  /** A sentence for people. */
  readonly title: string;
  readonly points: number;
  /** Ids of cases; the project's own are `project/<name>`. Either this or `checks`. */
  readonly cases: readonly string[];
  /** Ids of checks: judged over all that is sent. */
  readonly checks: readonly string[];
  /** Points by the share of units that are right; else all of them or none. */
  readonly partial: boolean;
  /** Extra: it makes up for points lost elsewhere, and costs none itself. */
  readonly optional: boolean;
  readonly visibility: Visibility;
}

/** The words are Gradescope's. Elsewhere all but `visible` is kept from what a student gets. */
export type Visibility = 'visible' | 'hidden' | 'after_due_date' | 'after_published';

export const VISIBILITIES = ['visible', 'hidden', 'after_due_date', 'after_published'] as const;

/** What is sent to each submission. The same for all, so that grades can be compared, and fixed by count, so that they repeat. */
export interface Work {
  /** Ids of cases; null for all of them. */
  readonly cases: readonly string[] | null;
  /** Every history of up to so many batches; 0 for none. */
  readonly scope: number;
  readonly histories: number;
  readonly seed: number;
  readonly maxFailures: number;
}

/** Ids of everything that a rubric names, in its order. */
export function casesOf({ items }: Rubric): readonly string[] {
  return [...new Set(items.flatMap(({ cases }) => cases))];
}

export function maximumOf({ items }: Rubric): number {
  return items.reduce((sum, { points, optional }) => sum + (optional ? 0 : points), 0);
}

/** Whether everything may be shown to a student: where it may not, neither may the sum, from which the rest could be told. */
export function isPublic({ items }: Rubric): boolean {
  return items.every(({ visibility }) => visibility === 'visible');
}
