import { BOUNDARY_IDS, CASES } from '../../cases/index.ts';
import { loadProjectCases, type ProjectCase } from '../../cases/project.ts';
import { CHECK_IDS } from '../checks/index.ts';
import type { Config } from '../config/config.ts';
import { suggestion } from '../contract/nearest.ts';
import type { Arguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';

export { inferTypes, readFeedFile, toFeed } from '../feed/feed-file.ts';
export { run } from '../runner/run.ts';
export { loadFailures, placeOf, type StoredFailure, samePlace } from '../search/store.ts';
/** What a run needs beside the implementation, in one module that is loaded while the implementation comes up. */
export { loadProjectCases };

/** The cases that flags or configuration name, the project's own too; null for all. `boundary` stands for the seven. */
export function selectCases(
  args: Arguments,
  config: Config,
  own: readonly ProjectCase[],
): readonly string[] | null {
  if (args.flag('no-cases')) return [];
  const wanted = args.values('case').length > 0 ? args.values('case') : (config.cases ?? null);
  if (wanted === null) return null;
  const ids = wanted.flatMap((id) => (id === 'boundary' ? BOUNDARY_IDS : [id]));
  refuseUnknown(
    'case',
    ids,
    [...CASES, ...own].map(({ id }) => id),
  );
  return ids;
}

export function selectChecks(args: Arguments, config: Config) {
  const checks = args.values('check').length > 0 ? args.values('check') : (config.checks ?? null);
  const skipChecks = [...args.values('skip'), ...(config.skip ?? [])];
  refuseUnknown('check', [...(checks ?? []), ...skipChecks], CHECK_IDS);
  return { checks, skipChecks };
}

function refuseUnknown(what: string, ids: readonly string[], known: readonly string[]): void {
  const strange = ids.find((id) => !known.includes(id));
  if (strange !== undefined)
    throw new UsageError(`There is no ${what} \`${strange}\`.${suggestion(strange, known)}`);
}
