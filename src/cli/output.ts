import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadReporter } from '../../reporters/index.ts';
import type { Reporter } from '../../reporters/reporter.ts';
import type { Report, RunEvent } from '../runner/report.ts';
import type { Arguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** Where the reports of a run go. */
export interface Output {
  onEvent(event: RunEvent): void;
  end(report: Report): Promise<void>;
}

/**
 * Opens the reporters that were asked for. Without any that writes to stdout, `terminal` does. A file is written as a whole when the run
 * is over, so that an interrupted one leaves what was there.
 * @throws UsageError for an unknown reporter, or a file that cannot be written
 */
export async function openOutput(
  args: Arguments,
  configured: readonly string[],
  cwd: string,
): Promise<Output> {
  const named = args.values('reporter').length > 0 ? args.values('reporter') : configured;
  const wanted = named.map(parseReporter);
  if (wanted.every(({ file }) => file !== null)) wanted.unshift({ name: 'terminal', file: null });
  if (wanted.filter(({ file }) => file === null).length > 1) {
    throw new UsageError(
      'Two reporters write to stdout. Give all but one a file: --reporter json:report.json',
    );
  }
  const opened: Opened[] = [];
  for (const { name, file } of wanted) opened.push(await open(name, file, args, cwd));
  const progress = await openProgress(args);
  const all = progress === null ? opened : [...opened, { reporter: progress, flush: () => undefined }];
  return {
    onEvent: (event) => {
      for (const { reporter } of all) reporter.onEvent?.(event);
    },
    end: async (report) => {
      for (const { reporter } of all) reporter.onEvent?.({ type: 'run-end', report });
      for (const { reporter, flush } of all) {
        await reporter.onEnd?.(report);
        flush();
      }
    },
  };
}

interface Opened {
  readonly reporter: Reporter;
  flush(): void;
}

export function parseReporter(text: string): { name: string; file: string | null } {
  const at = text.indexOf(':');
  const name = at < 0 ? text : text.slice(0, at);
  const file = at < 0 ? '-' : text.slice(at + 1);
  if (file === '')
    throw new UsageError(
      `\`--reporter ${text}\` names no file. Write \`${name}:report.txt\`, or \`${name}:-\` for stdout.`,
    );
  return { name, file: file === '-' ? null : file };
}

async function open(name: string, file: string | null, args: Arguments, cwd: string): Promise<Opened> {
  const create = await loadReporter(name);
  const shared = { full: args.flag('full'), quiet: args.flag('quiet') };
  if (file === null) {
    const color = process.stdout.isTTY === true && !args.flag('no-color') && !process.env['NO_COLOR'];
    const width = process.stdout.isTTY ? process.stdout.columns : 80;
    const forced =
      process.env['FORCE_COLOR'] !== undefined &&
      process.env['FORCE_COLOR'] !== '0' &&
      !args.flag('no-color');
    return {
      reporter: create({
        ...shared,
        width,
        color: color || forced,
        write: (text) => void process.stdout.write(text),
      }),
      flush: () => undefined,
    };
  }
  const path = resolve(cwd, file);
  requireWritable(path);
  let text = '';
  const reporter = create({ ...shared, width: 80, color: false, write: (part) => (text += part) });
  return { reporter, flush: () => writeWhole(path, text) };
}

/** Writes a file as a whole: a reader never sees half of it, nor do two runs write into each other's. */
export function writeWhole(path: string, text: string): void {
  const part = partOf(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(part, text);
    renameSync(part, path);
  } catch (error) {
    throw cannotWrite(path, error as Error);
  }
}

/** A report that could not be written is better known before the run than after it. */
export function requireWritable(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(partOf(path), '');
    rmSync(partOf(path));
  } catch (error) {
    throw cannotWrite(path, error as Error);
  }
}

function partOf(path: string): string {
  return `${path}.${process.pid}.part`;
}

function cannotWrite(path: string, { message }: Error): UsageError {
  return new UsageError(
    `Cannot write the report \`${path}\`: ${message}. Name another file: --reporter <name>:<file>.`,
  );
}

async function openProgress(args: Arguments): Promise<Reporter | null> {
  if (process.stderr.isTTY !== true || args.flag('quiet')) return null;
  const { createProgress } = await import('../../reporters/progress.ts');
  return createProgress({
    write: (text) => void process.stderr.write(text),
    width: process.stderr.columns,
    color: !args.flag('no-color') && !process.env['NO_COLOR'],
    full: false,
    quiet: false,
  });
}
