import type { Report, RunEvent } from '../src/runner/report.ts';
import type { CreateReporter, ReporterOutput } from './reporter.ts';

/** What a reporter writes for events and a report: for the tests of reporters, and for whoever writes a new one. */
export function written(
  create: CreateReporter,
  report: Report | null,
  options: Partial<ReporterOutput> = {},
  events: readonly RunEvent[] = [],
): string {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const reporter = create({
    write,
    writeFile: null,
    width: 80,
    color: false,
    full: false,
    quiet: false,
    ...options,
  });
  for (const event of events) reporter.onEvent?.(event);
  if (report !== null) void reporter.onEnd?.(report);
  return text;
}
