import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './engine.ts';

/** SQLite's driver is compiled where there is no binary for the machine: minutes that nobody who only tries scd2check should wait for. */
const DRIVER = 'better-sqlite3';
const VERSION = '12.6.2';

/** Installs the driver into `.engines/node`, and links it to where users would have it. */
export default function installSqlite(): void {
  const folder = join(ROOT, '.engines', 'node');
  const installed = join(folder, 'node_modules', DRIVER);
  if (!existsSync(join(installed, 'build/Release/better_sqlite3.node'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `${DRIVER}@${VERSION}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const link = join(ROOT, 'node_modules', DRIVER);
  if (isThere(link)) {
    if (!lstatSync(link).isSymbolicLink()) return;
    rmSync(link);
  }
  symlinkSync(installed, link);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
