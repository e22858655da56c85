import { UsageError } from '../src/cli/usage-error.ts';
import { suggestion } from '../src/contract/nearest.ts';
import type { ReporterOutput } from './reporter.ts';

/** Turns a whole report into text. */
export type RenderText<R> = (report: R, output: Omit<ReporterOutput, 'write'>) => string;

/** Reporters by name; each is loaded when it is asked for. */
export type TextReporters<R> = Readonly<Record<string, () => Promise<{ readonly render: RenderText<R> }>>>;

/**
 * @param of what is reported, in the plural, for the message
 * @throws UsageError that names the nearest where there is no reporter of that name
 */
export async function loadTextReporter<R>(
  reporters: TextReporters<R>,
  name: string,
  of: string,
): Promise<RenderText<R>> {
  const load = Object.hasOwn(reporters, name) ? reporters[name] : undefined;
  if (load === undefined)
    throw new UsageError(
      `There is no reporter \`${name}\` for ${of}.${suggestion(name, Object.keys(reporters))}`,
    );
  return (await load()).render;
}
