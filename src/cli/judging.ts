import { loadProjectCases, type ProjectCase } from '../../cases/project.ts';
import type { Config } from '../config/config.ts';
import { casesNamed, refuseUnknownChecks } from '../runner/selection.ts';
import type { Arguments } from './arguments.ts';

export { inferTypes, readFeedFile, toFeed } from '../feed/feed-file.ts';
export { run } from '../runner/run.ts';
export { loadFailures, placeOf, type StoredFailure, samePlace } from '../search/store.ts';
/** What a run needs beside the implementation, in one module that is loaded while the implementation comes up. */
export { loadProjectCases };

/** The cases that flags or configuration name; null for all. */
export function selectCases(
  args: Arguments,
  config: Config,
  own: readonly ProjectCase[],
): readonly string[] | null {
  if (args.flag('no-cases')) return [];
  return casesNamed(args.values('case').length > 0 ? args.values('case') : (config.cases ?? null), own);
}

export function selectChecks(args: Arguments, config: Config) {
  const checks = args.values('check').length > 0 ? args.values('check') : (config.checks ?? null);
  const skipChecks = [...args.values('skip'), ...(config.skip ?? [])];
  refuseUnknownChecks([...(checks ?? []), ...skipChecks]);
  return { checks, skipChecks };
}
