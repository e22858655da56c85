import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join, parse, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { UsageError } from '../cli/usage-error.ts';
import { formByName } from '../plugins/forms.ts';
import { isBeside } from '../plugins/open.ts';
import { CopyError, copyFile, copySubmission } from './copy.ts';
import { UnzipError, unzip } from './unzip.ts';

/** What somebody handed in, copied to where it is run. */
export interface Submission {
  /** Unique, and fit for the name of a file. */
  readonly id: string;
  /** As it was found: the name of a file or folder. */
  readonly name: string;
  /** The folder of the copy, which holds nothing else. */
  readonly copy: string;
  /** The file in it that is graded; or why there is none. */
  readonly entry: { readonly file: string } | { readonly none: string };
}

export interface FoundSubmissions {
  readonly submissions: readonly Submission[];
  /** Sentences on what was passed over. */
  readonly notes: readonly string[];
}

/** Something that is one submission. */
interface Found {
  readonly name: string;
  /** A file or folder; null where it could not be unpacked, for the reason. */
  readonly path: string | null;
  readonly reason?: string;
}

export interface SubmissionOptions {
  readonly cwd: string;
  /** An empty folder for copies and what is unpacked. */
  readonly work: string;
  /** Name of the file to grade, where a submission has several. */
  readonly file: string | null;
  readonly limitBytes: number;
}

/**
 * Finds the submissions that paths, patterns and archives name, in the order of their names, and copies each into a folder of its own.
 *
 * A file is one submission. A folder that holds one implementation is one; a folder of folders, or of several implementations, is many: one each.
 * An archive is as the folder that it unpacks to.
 * @throws UsageError where a path does not exist, or nothing is found at all
 */
export async function findSubmissions(
  targets: readonly string[],
  options: SubmissionOptions,
): Promise<FoundSubmissions> {
  const notes: string[] = [];
  const found: Found[] = [];
  for (const path of await pathsOf(targets, options.cwd))
    found.push(...(await lookInto(path, options, notes)));
  if (found.length === 0)
    throw new UsageError(
      `There is no submission in ${targets.map((target) => `\`${target}\``).join(', ')}: no SQL script, JavaScript or TypeScript module, Python file, nor a folder or archive with one.`,
    );
  const ids = uniqueIds(found.map(({ name }) => name));
  const submissions = found.map((one, index) => prepared(one, ids[index]!, options));
  return { submissions: submissions.sort((a, b) => (a.id < b.id ? -1 : 1)), notes };
}

/** A shell that does not expand patterns leaves it to us. */
async function pathsOf(targets: readonly string[], cwd: string): Promise<string[]> {
  const all: string[] = [];
  for (const target of targets) {
    const path = resolve(cwd, target);
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) {
      all.push(path);
      continue;
    }
    const matches = isDynamicPattern(target)
      ? await glob([target], { cwd, absolute: true, onlyFiles: false, expandDirectories: false })
      : [];
    if (matches.length === 0)
      throw new UsageError(`There is no \`${target}\`, so there is nothing to grade.`);
    all.push(...matches.map((match) => match.replace(/\/$/, '')).sort());
  }
  return [...new Set(all)];
}

async function lookInto(path: string, options: SubmissionOptions, notes: string[]): Promise<Found[]> {
  if (statSync(path).isDirectory()) return lookIntoFolder(path, basename(path), options, notes);
  if (!isArchive(path)) return [{ name: basename(path), path }];
  const unpacked = await unpackedBy(path, options.work);
  if (unpacked.path === null) return [unpacked];
  return lookIntoFolder(onlyFolder(unpacked.path), basename(path), options, notes);
}

async function lookIntoFolder(
  folder: string,
  name: string,
  options: SubmissionOptions,
  notes: string[],
): Promise<Found[]> {
  const entries = entriesOf(folder);
  const isNamed = (entry: string) =>
    options.file === null ? isImplementation(entry) : entry === options.file;
  const implementations = entries.filter((entry) => isFile(join(folder, entry)) && isNamed(entry));
  if (implementations.length === 1 && !entries.some((entry) => isArchive(entry)))
    return [{ name, path: folder }];
  const found: Found[] = [];
  for (const entry of entries) {
    const path = join(folder, entry);
    const stat = lstatSync(path);
    if (stat.isDirectory()) found.push({ name: entry, path });
    else if (stat.isFile() && isArchive(entry)) found.push(await unpackedBy(path, options.work));
    else if (stat.isFile() && isImplementation(entry)) found.push({ name: entry, path });
    else notes.push(`\`${entry}\` in \`${name}\` is no submission, and was passed over.`);
  }
  return found;
}

let unpackings = 0;

/** One submission, of an archive: its folder, or why it was not unpacked. */
async function unpackedBy(path: string, work: string): Promise<Found> {
  const name = basename(path);
  const folder = join(work, `unpacked-${++unpackings}`);
  mkdirSync(folder);
  try {
    await unzip(path, folder);
    return { name, path: folder };
  } catch (error) {
    if (!(error instanceof UnzipError)) throw error;
    return { name, path: null, reason: `The archive \`${name}\` was not unpacked: ${error.message}.` };
  }
}

/** Archives often have one folder, in which all is. */
function onlyFolder(folder: string): string {
  const entries = entriesOf(folder);
  const [only] = entries;
  if (only === undefined || entries.length > 1 || !lstatSync(join(folder, only)).isDirectory()) return folder;
  return onlyFolder(join(folder, only));
}

function prepared({ name, path, reason = '' }: Found, id: string, options: SubmissionOptions): Submission {
  const copy = join(options.work, 'copies', id);
  if (path === null) return { id, name, copy, entry: { none: reason } };
  try {
    if (!statSync(path).isDirectory()) {
      mkdirSync(copy, { recursive: true, mode: 0o755 });
      copyFile(path, join(copy, basename(path)), (statSync(path).mode & 0o100) !== 0);
      return { id, name, copy, entry: { file: join(copy, basename(path)) } };
    }
    copySubmission(onlyFolder(path), copy, options.limitBytes);
    return { id, name, copy, entry: entryOf(copy, options.file) };
  } catch (error) {
    if (!(error instanceof CopyError)) throw error;
    return { id, name, copy, entry: { none: `It was not copied: ${error.message}.` } };
  }
}

/** The one file of a submission that is graded. */
function entryOf(copy: string, wanted: string | null): Submission['entry'] {
  const files = entriesOf(copy).filter((name) => isFile(join(copy, name)));
  if (wanted !== null) {
    if (files.includes(wanted)) return { file: join(copy, wanted) };
    return { none: `There is no file \`${wanted}\`, which is the one to be graded.` };
  }
  const [only, ...more] = files.filter(isImplementation);
  if (only === undefined) {
    const there = files.length === 0 ? 'It is empty' : `It has ${files.slice(0, 5).join(', ')}`;
    return {
      none: `There is no SQL script, JavaScript or TypeScript module, or Python file in it. ${there}.`,
    };
  }
  if (more.length === 0) return { file: join(copy, only) };
  return {
    none: `It holds several things that could be the implementation: ${[only, ...more].join(', ')}. Hand in one, or name the one to be graded in the configuration: grade.file.`,
  };
}

function entriesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && name !== '__MACOSX' && name !== 'node_modules')
    .sort();
}

function isFile(path: string): boolean {
  return lstatSync(path).isFile();
}

function isImplementation(name: string): boolean {
  return formByName(name) !== null && !isBeside(name);
}

function isArchive(path: string): boolean {
  return extname(path).toLowerCase() === '.zip';
}

/** A folder may be called `ada.lovelace`. */
function withoutEnding(name: string): string {
  return formByName(name) !== null || isArchive(name) ? parse(name).name : name;
}

/** Names without their endings, as far as a file can be called so, and numbered where two are the same. */
function uniqueIds(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const plain =
      withoutEnding(name)
        .replace(/[^\w.-]+/g, '_')
        .replace(/^[._-]+/, '')
        .slice(0, 100) || 'submission';
    let id = plain;
    for (let number = 2; used.has(id.toLowerCase()); number++) id = `${plain}-${number}`;
    used.add(id.toLowerCase());
    return id;
  });
}
