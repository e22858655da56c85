import { resolve } from 'node:path';
import type { RenderText } from '../../reporters/text-report.ts';
import type { Arguments } from './arguments.ts';
import { parseReporter, requireWritable, writeWhole } from './output.ts';
import { UsageError } from './usage-error.ts';

/**
 * The reporters of a report that is rendered as a whole, once it is there; without one that writes to stdout, `terminal` does.
 * @throws UsageError for an unknown reporter, or a file that cannot be written
 */
export async function openTextOutput<R>(
  args: Arguments,
  configured: readonly string[],
  cwd: string,
  load: (name: string) => Promise<RenderText<R>>,
): Promise<(report: R) => void> {
  const named = args.values('reporter').length > 0 ? args.values('reporter') : configured;
  const wanted = named.map(parseReporter);
  if (wanted.every(({ file }) => file !== null)) wanted.unshift({ name: 'terminal', file: null });
  if (wanted.filter(({ file }) => file === null).length > 1)
    throw new UsageError(
      'Two reporters write to stdout. Give all but one a file: --reporter json:report.json',
    );
  const opened = await Promise.all(
    wanted.map(async ({ name, file }) => {
      const render = await load(name);
      const path = file === null ? null : resolve(cwd, file);
      if (path !== null) requireWritable(path);
      return { render, path };
    }),
  );
  return (report) => {
    for (const { render, path } of opened) {
      const terminal = path === null && process.stdout.isTTY === true;
      const text = render(report, {
        writeFile: null,
        width: terminal ? process.stdout.columns : 80,
        color: terminal && !args.flag('no-color') && !process.env['NO_COLOR'],
        full: args.flag('full'),
        quiet: args.flag('quiet'),
      });
      if (path === null) process.stdout.write(text);
      else writeWhole(path, text);
    }
  };
}
