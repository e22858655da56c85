import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { ImplementationFailure } from '../implementation.ts';
import type { Program } from './program.ts';

/** Why a program cannot be started, in words for whoever typed its name; null where it can. */
export function missingProgram({ argv, cwd = process.cwd(), env }: Program): ImplementationFailure | null {
  const [command = ''] = argv;
  const failure = (message: string) => new ImplementationFailure('start', message);
  if (command === '')
    return failure('There is no command to test. Write it after `--`: `scd2check -- python3 load.py`.');
  if (!existsSync(cwd))
    return failure(`The folder \`${cwd}\`, in which \`${command}\` should run, does not exist.`);
  // Windows tries endings of its own on every name.
  if (process.platform === 'win32') return null;
  if (!command.includes('/')) {
    if (findOnPath(command, env) !== null) return null;
    const here = existsSync(resolve(cwd, command))
      ? ` A file of that name is in this folder: write \`./${command}\`.`
      : '';
    return failure(
      `There is no program \`${command}\` on the PATH, so nothing could be started.${here} Check its name, or install it.`,
    );
  }
  const path = resolve(cwd, command);
  if (!existsSync(path))
    return failure(
      `There is no program \`${command}\` in \`${cwd}\`, so nothing could be started. Check its path.`,
    );
  if (statSync(path).isDirectory()) return failure(`\`${command}\` is a folder, not a program.`);
  if (isExecutable(path)) return null;
  return failure(
    `\`${command}\` is not executable, so it cannot be started. Make it so (\`chmod +x ${command}\`), or name its interpreter first: \`-- python3 ${command}\`.`,
  );
}

/** The path of a program, as a shell finds it, or null. */
export function findOnPath(command: string, env: NodeJS.ProcessEnv): string | null {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder === '' ? '.' : folder, command);
    if (existsSync(path) && statSync(path).isFile() && isExecutable(path)) return path;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
