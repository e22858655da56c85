import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type LoadedReporter, loadReporter } from '../../reporters/index.ts';
import type { Reporter, ReporterOutput } from '../../reporters/reporter.ts';
import { visible } from '../../reporters/text/escape.ts';
import type { Report, RunEvent } from '../runner/report.ts';
import type { Arguments } from './arguments.ts';
import { fileApart } from './files-apart.ts';
import { guarded } from './guarded-reporter.ts';
import { UsageError } from './usage-error.ts';

/** Where the reports of a run go. */
export interface Output {
  onEvent(event: RunEvent): void;
  /** @returns the exit code of the worst reporter that failed (each has been told of on stderr), or null where none did */
  end(report: Report): Promise<number | null>;
}

export interface OutputOptions {
  /** Reporters of the configuration, which count where no flag names one. */
  readonly configured: readonly string[];
  /** Whether to add what the place asks for: `github` under GitHub Actions. */
  readonly automatic: boolean;
  /** A word in the names of files, where several implementations are reported each in its own; null for one. */
  readonly apart?: string | null;
  readonly cwd: string;
}

/**
 * Opens the reporters that were asked for. Without any that writes to stdout, `terminal` does. A file is written as a whole when the run
 * is over, so that an interrupted one leaves what was there. A reporter that throws is told of and left out; the others go on.
 * @throws UsageError for an unknown reporter, or a file that cannot be written
 */
export async function openOutput(args: Arguments, options: OutputOptions): Promise<Output> {
  const named = args.values('reporter').length > 0 ? args.values('reporter') : options.configured;
  const { apart = null } = options;
  const wanted = named.map(parseReporter).map(({ name, file }) => ({
    name,
    file: file === null || apart === null ? file : fileApart(file, apart),
  }));
  if (wanted.every(({ file }) => file !== null)) wanted.unshift({ name: 'terminal', file: null });
  if (wanted.filter(({ file }) => file === null).length > 1) {
    throw new UsageError(
      'Two reporters write to stdout. Give all but one a file: --reporter json:report.json',
    );
  }
  const opened: Opened[] = [];
  for (const one of wanted) opened.push(await open(one, args, options.cwd));
  const isAutomatic = options.automatic && process.env['GITHUB_ACTIONS'] === 'true';
  if (isAutomatic && !wanted.some(({ name }) => name === 'github'))
    opened.push(await openOnStderr('github', args, options.cwd));
  const progress = await openProgress(args);
  const all = progress === null ? opened : [...opened, { reporter: progress, flush: () => undefined }];
  let worst: number | null = null;
  const told = all.map(({ reporter, flush, name = 'progress', own = true }) =>
    guarded({ reporter, flush, own }, (error) => {
      worst = Math.max(worst ?? 0, own && !(error instanceof UsageError) ? 70 : 2);
      process.stderr.write(`scd2check: ${failureSentence(name, own, error)}\n`);
    }),
  );
  return {
    onEvent: (event) => {
      for (const one of told) one.onEvent(event);
    },
    end: async (report) => {
      for (const one of told) one.onEvent({ type: 'run-end', report });
      for (const one of told) await one.end(report);
      return worst;
    },
  };
}

function failureSentence(name: string, own: boolean, error: unknown): string {
  const message = visible(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) return message;
  const whose = own ? ' This is a fault of scd2check: please report it.' : '';
  return `The reporter \`${visible(name)}\` failed, so its report is not written: ${message}.${whose}`;
}

interface Opened {
  readonly reporter: Reporter;
  /** Writes what the reporter said, where it goes to a file. */
  flush(): void;
  readonly name?: string;
  readonly own?: boolean;
}

interface Wanted {
  readonly name: string;
  /** A path, which ends in `/` where a folder is meant; null for stdout. */
  readonly file: string | null;
}

export function parseReporter(text: string): Wanted {
  const at = text.indexOf(':');
  const name = at < 0 ? text : text.slice(0, at);
  const file = at < 0 ? '-' : text.slice(at + 1);
  if (file === '')
    throw new UsageError(
      `\`--reporter ${text}\` names no file. Write \`${name}:report.txt\`, or \`${name}:-\` for stdout.`,
    );
  return { name, file: file === '-' ? null : file };
}

async function open({ name, file }: Wanted, args: Arguments, cwd: string): Promise<Opened> {
  const loaded = await loadReporter(name, cwd);
  if (file === null) return openOnStdout(loaded, name, args);
  if (!file.endsWith('/')) return openFile(loaded, name, resolve(cwd, file), args);
  const { mainFile } = loaded;
  if (mainFile === undefined)
    throw new UsageError(
      `The reporter \`${name}\` writes one file, and \`${file}\` is a folder. Name a file: --reporter ${name}:${file}report.txt.`,
    );
  return openFile(loaded, name, join(resolve(cwd, file), mainFile), args, true);
}

function openOnStdout(loaded: LoadedReporter, name: string, args: Arguments): Opened {
  const color = process.stdout.isTTY === true && !args.flag('no-color') && !process.env['NO_COLOR'];
  const forced =
    process.env['FORCE_COLOR'] !== undefined && process.env['FORCE_COLOR'] !== '0' && !args.flag('no-color');
  const output: ReporterOutput = {
    ...shared(args),
    width: process.stdout.isTTY ? process.stdout.columns : 80,
    color: color || forced,
    write: (text) => void process.stdout.write(text),
  };
  return { ...create(loaded, name, output), flush: () => undefined };
}

/** For what is read from the log and must not mix with what stdout is for. */
async function openOnStderr(name: string, args: Arguments, cwd: string): Promise<Opened> {
  const write = (text: string) => void process.stderr.write(text);
  const output = { ...shared(args), width: 80, color: false, write };
  return { ...create(await loadReporter(name, cwd), name, output), flush: () => undefined };
}

/** The files are written when the run is over: those beside the main one first, so that it never lacks them. */
function openFile(
  loaded: LoadedReporter,
  name: string,
  path: string,
  args: Arguments,
  isFolder = false,
): Opened {
  requireWritable(path);
  let text = '';
  const beside = new Map<string, string>();
  const output: ReporterOutput = {
    ...shared(args),
    width: 80,
    color: false,
    write: (part) => {
      text += part;
    },
    writeFile: isFolder ? (file, content) => void beside.set(plainName(file), content) : null,
  };
  return {
    ...create(loaded, name, output),
    flush: () => {
      for (const [file, content] of beside) writeWhole(join(dirname(path), file), content);
      writeWhole(path, text);
    },
  };
}

function shared(args: Arguments) {
  return { full: args.flag('full'), quiet: args.flag('quiet'), writeFile: null };
}

function plainName(file: string): string {
  if (!/^[\w-][\w.-]*$/.test(file)) throw new Error(`\`${file}\` is no plain file name`);
  return file;
}

/** A third party's function is called before the run: one that cannot even be made is better known now. */
function create(loaded: LoadedReporter, name: string, output: ReporterOutput): Omit<Opened, 'flush'> {
  const { createReporter, own } = loaded;
  if (own) return { reporter: createReporter(output), name, own };
  let reporter: unknown;
  try {
    reporter = createReporter(output);
  } catch (error) {
    throw new UsageError(`The reporter \`${name}\` cannot be made: ${visible(String(error))}`);
  }
  if (typeof reporter !== 'object' || reporter === null || !('onEvent' in reporter || 'onEnd' in reporter))
    throw new UsageError(
      `The reporter \`${name}\` gives no handlers: its function must return an object with \`onEvent\` or \`onEnd\`.`,
    );
  return { reporter: reporter as Reporter, name, own };
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
    writeFile: null,
    width: process.stderr.columns,
    color: !args.flag('no-color') && !process.env['NO_COLOR'],
    full: false,
    quiet: false,
  });
}
