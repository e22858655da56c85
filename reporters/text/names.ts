import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Report } from '../../src/runner/report.ts';
import { visible } from './escape.ts';

/** Where the run took place, as far as names depend on it. */
export interface Place {
  readonly cwd: string;
  /** Root of the repository, to which `file` is relative. */
  readonly root: string;
}

export function currentPlace(): Place {
  const cwd = process.cwd();
  return { cwd, root: repositoryRoot(cwd) };
}

function repositoryRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return from;
  }
}

/** The implementation's file, relative to the repository; undefined where it is none, or lies elsewhere. */
export function fileOf({ name, kind }: Report['implementation'], { cwd, root }: Place): string | undefined {
  if (kind === 'command' || !/[./\\]/.test(name)) return undefined;
  const path = relative(root, resolve(cwd, name));
  return path.startsWith('..') || isAbsolute(path) ? undefined : path.split(sep).join('/');
}

/**
 * `scd2check.<implementation>.<group>`. Readers cut at dots, so the implementation has none; and the name is the same
 * on every machine, so an absolute path is not part of it.
 */
export function classNameOf(implementation: Report['implementation'], group: string, place: Place): string {
  const name = fileOf(implementation, place) ?? implementation.name;
  return `scd2check.${visible(name).replace(/^\.\//, '').replaceAll('.', '_')}.${group}`;
}
