import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../cli/usage-error.ts';
import { nearest } from '../contract/nearest.ts';
import { isDbtProject, snapshotHint } from './dbt-project.ts';
import { type Form, formByName } from './forms.ts';
import { type CallLimits, DEFAULT_LIMITS } from './implementation.ts';
import type { Isolation } from './isolation/isolation.ts';
import type { OpenedImplementation } from './opened.ts';
import type { SparkOptions } from './spark.ts';

export interface OpenOptions {
  readonly limits?: CallLimits;
  /** Where SQL scripts run, whatever they say themselves. */
  readonly engine?: string | null;
  /** Keeps SQL scripts from files, the network and DuckDB's settings. */
  readonly sandbox?: boolean;
  /** Where Spark runs, for what needs it. */
  readonly spark?: SparkOptions | null;
  /** Folder that a relative path starts from; the process's own, unless given. */
  readonly cwd?: string;
  /** How it is confined, where it is the code of strangers. */
  readonly isolation?: Isolation | null;
}

/**
 * Opens the implementation at a path: a SQL script, a JavaScript or TypeScript module, a Python file, any other
 * program, a folder that holds exactly one of these, or a dbt project, whose snapshot is named after a `#`.
 *
 * @throws UsageError where there is no such path, or it is not clear what is meant
 * @throws ImplementationFailure of kind `start` where what is there cannot be loaded
 */
export async function openImplementation(
  target: string,
  options: OpenOptions = {},
): Promise<OpenedImplementation> {
  const cwd = options.cwd ?? process.cwd();
  const path = resolve(cwd, target);
  const kind = await kindOf(path);
  const snapshot = kind === 'missing' ? await snapshotNamed(path) : null;
  if (snapshot !== null) return openProject(snapshot.folder, snapshot.name, options);
  if (kind === 'missing') throw await missing(target, path, cwd);
  if (kind === 'folder' && isDbtProject(path)) return openProject(path, null, options);
  if (kind === 'folder') return openFile(await onlyImplementation(target, path), options);
  return openFile(path, options);
}

/** `folder#name`, where the folder is there and nothing is at the whole path. */
async function snapshotNamed(path: string) {
  const at = path.lastIndexOf('#');
  const folder = path.slice(0, Math.max(0, at));
  if (at < 0 || (await kindOf(folder)) !== 'folder') return null;
  return { folder, name: path.slice(at + 1) };
}

async function openProject(folder: string, snapshot: string | null, options: OpenOptions) {
  if (!isDbtProject(folder))
    throw new UsageError(
      `\`--snapshot ${snapshot}\` names a snapshot of a dbt project, and ${folder} is none: it has no dbt_project.yml.`,
    );
  if ((options.isolation ?? null) !== null || options.sandbox === true)
    throw new UsageError(
      `${folder} is a dbt project, which runs on the database of its profile: it cannot be kept apart, as code of strangers is.`,
    );
  const { DBT_LIMITS, openDbt } = await import('./dbt.ts');
  return openDbt(folder, snapshot, options.limits ?? DBT_LIMITS);
}

/** Each form is loaded when it is needed: what a run does not use, it does not wait for. */
async function openFile(path: string, options: OpenOptions): Promise<OpenedImplementation> {
  const limits = options.limits ?? DEFAULT_LIMITS;
  const isolation = options.isolation ?? null;
  const form = await formOf(path);
  if (options.spark != null && form !== 'sql' && form !== 'python')
    throw new UsageError(
      `Flags of Spark are for Python files and SQL scripts; ${basename(path)} is neither. Leave them out.`,
    );
  switch (form) {
    case 'sql':
      refuseSnapshot(path);
      return (await import('./sql.ts')).openSql(path, limits, {
        sandbox: options.sandbox ?? false,
        engine: options.engine ?? null,
        spark: options.spark ?? null,
        isolation,
      });
    case 'function':
      return (await import('./function.ts')).openFunction(path, limits, isolation);
    case 'python':
      return (await import('./python.ts')).openPython(path, limits, isolation, options.spark ?? null);
    case 'executable':
      return (await import('./command.ts')).openCommand([path], limits, { isolation });
    case null:
      throw new UsageError(
        `${path} is neither a SQL script, a JavaScript or TypeScript module, a Python file, nor executable. ` +
          `If a program runs it, name that program: scd2check -- <program> ${basename(path)}`,
      );
  }
}

/** A snapshot's file is a template that no engine reads. */
function refuseSnapshot(path: string): void {
  const hint = snapshotHint(path);
  if (hint !== null) throw new UsageError(`${path} cannot be run as a SQL script. ${hint}`);
}

async function formOf(path: string): Promise<Form | null> {
  const form = formByName(path);
  if (form !== null) return form;
  const executable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  return executable ? 'executable' : null;
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'missing'> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 'missing';
  return found.isDirectory() ? 'folder' : 'file';
}

async function onlyImplementation(target: string, folder: string): Promise<string> {
  const candidates: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!isBeside(entry.name) && (await kindOf(path)) === 'file' && (await formOf(path)) !== null) {
      candidates.push(entry.name);
    }
  }
  if (candidates.length === 1) return join(folder, candidates[0]!);
  if (candidates.length > 1) {
    const list = candidates.sort().map((name) => `  ${join(target, name)}`);
    throw new UsageError(
      `${target} holds several things that could be the implementation. Name one:\n${list.join('\n')}`,
    );
  }
  throw new UsageError(
    `${target} is a folder without an implementation: no .sql, .ts, .js, .mjs or .py file, and nothing executable. ` +
      'Name the file, or a command: scd2check -- <program> <arguments>',
  );
}

/** Files that stand beside an implementation and are none. */
export function isBeside(name: string): boolean {
  return /^\.|^__|\.(test|spec|config|d)\.[cm]?[jt]s$|^(test_.*|.*_test|conftest|setup)\.py$/.test(name);
}

const MAX_NAMES = 10;

/** Says what there is instead, in the nearest folder that exists. */
async function missing(target: string, path: string, cwd: string): Promise<UsageError> {
  const installed = join('node_modules', 'scd2check', target);
  // The guides name examples as the repository has them; in a project they are in the package.
  if (/^(\.\/)?examples\//.test(target) && (await kindOf(resolve(cwd, installed))) !== 'missing')
    return new UsageError(`There is no ${target} here. In a project it is ${installed}.`);
  let folder = dirname(path);
  let wanted = basename(path);
  while ((await kindOf(folder)) !== 'folder') {
    wanted = basename(folder);
    folder = dirname(folder);
  }
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  const near = nearest(wanted, names);
  const listed = names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ', …' : '');
  const instead =
    near !== null
      ? `Did you mean ${join(folder === dirname(path) ? dirname(target) : folder, near)}?`
      : `${folder} holds ${names.length === 0 ? 'nothing' : listed}.`;
  return new UsageError(`There is no ${target}, so there is nothing to check. ${instead}`);
}
