import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { interpreter } from '../python.ts';

/**
 * Folders of the Python that submissions run in, which may be a virtual environment anywhere: to be shown to them. None where there is no Python,
 * of which the submissions that need it will say so themselves.
 */
export function pythonFolders(env: NodeJS.ProcessEnv): readonly string[] {
  let program: string;
  try {
    program = interpreter(env);
  } catch {
    return [];
  }
  const asked = 'import sys; print(sys.prefix, sys.base_prefix, sys.exec_prefix, sep="\\n")';
  const { stdout, status } = spawnSync(program, ['-I', '-c', asked], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
  if (status !== 0) return [];
  return [...new Set(stdout.split('\n').map((line) => line.trim()))].filter(
    (path) => path !== '' && isOwn(path),
  );
}

/** A prefix such as `/` or a home would show what it is not for. */
function isOwn(path: string): boolean {
  const folder = resolve(path);
  return folder !== '/' && folder !== '/usr' && folder !== homedir() && dirname(folder) !== folder;
}
