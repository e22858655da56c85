import { join, resolve } from 'node:path';
import { loadGradeReporter } from '../../reporters/grade/index.ts';
import type { GradeReporter } from '../../reporters/grade/reporter.ts';
import type { Gradebook } from '../grade/gradebook.ts';
import type { Arguments } from './arguments.ts';
import { parseReporter, requireWritable, writeWhole } from './output.ts';
import { UsageError } from './usage-error.ts';

/** Where grades go without a word of it. */
const DEFAULT_REPORTERS = ['table', 'csv:grades/grades.csv', 'json:grades/grades.json', 'html:grades/'];

interface Wanted {
  readonly name: string;
  readonly reporter: GradeReporter;
  /** Absolute; null for stdout. */
  readonly file: string | null;
  readonly isFolder: boolean;
}

export interface GradeOutput {
  /** Writes what there is by now: files as a whole, so that a reader never sees half of one. */
  update(book: Gradebook): void;
  /** The last word, stdout too. */
  end(book: Gradebook): void;
}

/**
 * The reporters of grades that were asked for; without any, a table, and CSV, JSON and a page for each student in `grades/`.
 * @throws UsageError for an unknown one, or a file that cannot be written
 */
export async function openGradeOutput(args: Arguments, cwd: string): Promise<GradeOutput> {
  const named = args.values('reporter');
  const wanted = await Promise.all(
    (named.length > 0 ? named : DEFAULT_REPORTERS).map((text) => read(text, cwd)),
  );
  if (wanted.every(({ file }) => file !== null)) wanted.unshift(await read('table', cwd));
  if (wanted.filter(({ file }) => file === null).length > 1)
    throw new UsageError('Two reporters write to stdout. Give all but one a file: --reporter csv:grades.csv');
  for (const { file, isFolder } of wanted)
    if (file !== null) requireWritable(isFolder ? join(file, 'x') : file);
  const written = new Set<string>();
  const update = (book: Gradebook) => {
    for (const one of wanted) if (one.file !== null) write(one, book, args, written);
  };
  return {
    update,
    end(book) {
      update(book);
      for (const one of wanted) if (one.file === null) process.stdout.write(rendered(one, book, args));
    },
  };
}

async function read(text: string, cwd: string): Promise<Wanted> {
  const { name, file } = parseReporter(text);
  const reporter = await loadGradeReporter(name);
  const isFolder = file?.endsWith('/') ?? false;
  if (isFolder && reporter.of === 'class')
    throw new UsageError(
      `The reporter \`${name}\` writes one file for the class, and \`${file}\` is a folder. Name a file.`,
    );
  return { name, reporter, file: file === null ? null : resolve(cwd, file), isFolder };
}

function write(one: Wanted, book: Gradebook, args: Arguments, written: Set<string>): void {
  const { reporter, name, isFolder } = one;
  const file = one.file!;
  if (reporter.of === 'class' || !isFolder) {
    if (reporter.of === 'submission' && requireOne(name, book).status === 'waiting') return;
    writeWhole(file, rendered(one, book, args));
    return;
  }
  for (const submission of book.submissions) {
    const path = join(file, `${submission.id}${reporter.ending}`);
    if (submission.status === 'waiting' || written.has(path)) continue;
    written.add(path);
    writeWhole(path, reporter.render(submission, book));
  }
}

function rendered({ reporter, name }: Wanted, book: Gradebook, args: Arguments): string {
  if (reporter.of === 'submission') return reporter.render(requireOne(name, book), book);
  const isTerminal = process.stdout.isTTY === true;
  return reporter.render(book, {
    width: isTerminal ? process.stdout.columns : 120,
    color: isTerminal && !args.flag('no-color') && !process.env['NO_COLOR'],
    full: args.flag('full'),
  });
}

function requireOne(name: string, { submissions }: Gradebook) {
  const [only, ...more] = submissions;
  if (only !== undefined && more.length === 0) return only;
  throw new UsageError(
    `The reporter \`${name}\` writes a file for each of the ${submissions.length} submissions. Name a folder: --reporter ${name}:grades/${name}/`,
  );
}
