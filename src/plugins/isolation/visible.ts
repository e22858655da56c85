import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../cli/version.ts';
import { PYTHON_KIT } from '../command/package.ts';

/** Folders that every program needs, as Linux has them. Not `/home`, `/root`, `/var`, `/opt`, `/srv`, `/run`, and of `/etc` only what follows. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Of `/etc`: how libraries are found, which alternative a name stands for, certificates, the names of users. No passwords. */
export const SYSTEM_FILES = [
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/ssl/openssl.cnf',
  '/etc/localtime',
  '/etc/passwd',
  '/etc/group',
  '/etc/nsswitch.conf',
];

/**
 * What a host process loads of scd2check itself, and no more: a submission could import the oracle and return its answers, or read the cases
 * with the rows that are right. A test follows the imports of the host and holds them against this.
 */
export const HOST_PARTS = ['cli/usage-error', 'contract', 'duckdb', 'plugins'];

export interface HarnessView {
  /** The package's folder, which is hidden first. */
  readonly root: string;
  /** Other copies of the package that are hidden too. */
  readonly others: readonly string[];
  /** Folders of libraries around the package, shown before it is hidden. */
  readonly libraries: readonly string[];
  /** Shown again after it was hidden. */
  readonly parts: readonly string[];
}

export function harnessView(): HarnessView {
  const root = realpathSync(packageRoot());
  // `src/` of the sources, or `dist/src/`.
  const sources = fileURLToPath(new URL('../../', import.meta.url));
  const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const parts = HOST_PARTS.map((part) => join(sources, part)).map((path) =>
    existsSync(path) ? path : `${path}${ending}`,
  );
  return {
    root,
    others: globalCopies().filter((path) => realpathSync(path) !== root),
    libraries: libraryFolders(dirname(root)),
    parts: [
      ...[join(root, 'node_modules')].filter((path) => existsSync(path)),
      join(root, 'package.json'),
      PYTHON_KIT,
      ...parts,
    ],
  };
}

/** `node_modules` of a folder and those above it, outermost first, as Node looks them up. */
function libraryFolders(folder: string): string[] {
  const own = folder.endsWith(`${sep}node_modules`) ? folder : join(folder, 'node_modules');
  const parent = dirname(folder);
  const above = parent === folder ? [] : libraryFolders(parent);
  return existsSync(own) && !above.includes(own) ? [...above, own] : above;
}

function globalCopies(): string[] {
  const folders = ['/usr/lib', '/usr/local/lib', join(dirname(dirname(process.execPath)), 'lib')];
  return [...new Set(folders)]
    .map((folder) => join(folder, 'node_modules', 'scd2check'))
    .filter((path) => existsSync(path));
}
