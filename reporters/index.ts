import { UsageError } from '../src/cli/usage-error.ts';
import { suggestion } from '../src/contract/nearest.ts';
import type { CreateReporter } from './reporter.ts';

interface ReporterModule {
  readonly createReporter: CreateReporter;
}

/** Reporters by name, each loaded only when asked for. A new one is a file here and a line in this table. */
const REPORTERS: Readonly<Record<string, () => Promise<ReporterModule>>> = {
  terminal: () => import('./terminal.ts'),
  json: () => import('./json.ts'),
  ndjson: () => import('./ndjson.ts'),
  junit: () => import('./junit.ts'),
};

export const REPORTER_NAMES: readonly string[] = Object.keys(REPORTERS);

/** The reporter of that name. Throws a `UsageError` that names the nearest where there is none. */
export async function loadReporter(name: string): Promise<CreateReporter> {
  const load = Object.hasOwn(REPORTERS, name) ? REPORTERS[name] : undefined;
  if (load === undefined) {
    throw new UsageError(`There is no reporter \`${name}\`.${suggestion(name, REPORTER_NAMES)}`);
  }
  return (await load()).createReporter;
}
