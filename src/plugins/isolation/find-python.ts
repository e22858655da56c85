import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { interpreter } from '../interpreter.ts';

/** The Python that submissions run in. */
export interface OwnPython {
  /** The interpreter itself: what the PATH names may be a script that looks for it. */
  readonly program: string;
  /** Its folders, which may be those of a virtual environment anywhere: to be shown to submissions. */
  readonly folders: readonly string[];
}

/** Null where there is none, of which the submissions that need it will say so themselves. */
export function findPython(env: NodeJS.ProcessEnv): OwnPython | null {
  let program: string;
  try {
    program = interpreter(env);
  } catch {
    return null;
  }
  const asked = 'import sys; print(sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, sep="\\n")';
  const { stdout, status } = spawnSync(program, ['-I', '-c', asked], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
  const [executable = '', ...folders] = stdout.split('\n').map((line) => line.trim());
  if (status !== 0 || executable === '') return null;
  return { program: executable, folders: [...new Set(folders)].filter((path) => path !== '' && isOwn(path)) };
}

/** A prefix such as `/` or a home would show what it is not for. */
function isOwn(path: string): boolean {
  const folder = resolve(path);
  return folder !== '/' && folder !== '/usr' && folder !== homedir() && dirname(folder) !== folder;
}
