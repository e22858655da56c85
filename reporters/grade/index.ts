import { UsageError } from '../../src/cli/usage-error.ts';
import { suggestion } from '../../src/contract/nearest.ts';
import type { GradeReporter } from './reporter.ts';

/** Reporters of grades by name, each loaded only when asked for. A new one is a file here and a line in this table. */
const REPORTERS: Readonly<Record<string, () => Promise<{ readonly reporter: GradeReporter }>>> = {
  table: () => import('./table.ts'),
  csv: () => import('./csv.ts'),
  json: () => import('./json.ts'),
  html: () => import('./html.ts'),
  gradescope: () => import('./gradescope.ts'),
  prairielearn: () => import('./prairielearn.ts'),
  classroom50: () => import('./classroom50.ts'),
  junit: () => import('./junit.ts'),
};

export const GRADE_REPORTER_NAMES: readonly string[] = Object.keys(REPORTERS);

export async function loadGradeReporter(name: string): Promise<GradeReporter> {
  const load = Object.hasOwn(REPORTERS, name) ? REPORTERS[name] : undefined;
  if (load === undefined)
    throw new UsageError(
      `There is no reporter of grades \`${name}\`.${suggestion(name, GRADE_REPORTER_NAMES)}`,
    );
  return (await load()).reporter;
}
