import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package, from `src/` as well as from `dist/src/`. */
const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

/** Where the Python package `scd2check` lies. */
export const PYTHON_KIT = join(ROOT, 'kits', 'python');

let name: string | null = null;

/** How the harness names itself in `hello`. */
export function harness(): string {
  name ??= `scd2check ${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}`;
  return name;
}

/**
 * The environment of a program: ours, with the Python kit at the end of PYTHONPATH, so that an adapter can say
 * `import scd2check` without installing anything, and one that is installed there already comes first. Its local time is UTC wherever it
 * runs, as the instants are that it is told: verdicts do not depend on the machine.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const paths = [process.env['PYTHONPATH'], PYTHON_KIT].filter((path) => path !== undefined && path !== '');
  return { ...process.env, TZ: 'UTC', PYTHONPATH: paths.join(delimiter) };
}

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('scd2check cannot find its own package.json');
  return findRoot(parent);
}
