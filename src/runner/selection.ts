import { BOUNDARY_IDS, CASES } from '../../cases/index.ts';
import type { ProjectCase } from '../../cases/project.ts';
import { CHECK_IDS } from '../checks/index.ts';
import { UsageError } from '../cli/usage-error.ts';
import { suggestion } from '../contract/nearest.ts';

/**
 * The cases that names stand for, the project's own too; null for all. `boundary` stands for the seven.
 *
 * @throws UsageError where there is no such case
 */
export function casesNamed(
  wanted: readonly string[] | null,
  own: readonly ProjectCase[],
): readonly string[] | null {
  if (wanted === null) return null;
  const ids = wanted.flatMap((id) => (id === 'boundary' ? BOUNDARY_IDS : [id]));
  const all = [...CASES, ...own].map(({ id }) => id);
  refuseUnknown('case', ids, all);
  return ids;
}

/** @throws UsageError where there is no such check */
export function refuseUnknownChecks(ids: readonly string[]): void {
  refuseUnknown('check', ids, CHECK_IDS);
}

function refuseUnknown(what: string, ids: readonly string[], known: readonly string[]): void {
  const strange = ids.find((id) => !known.includes(id));
  if (strange !== undefined)
    throw new UsageError(`There is no ${what} \`${strange}\`.${suggestion(strange, known)}`);
}
