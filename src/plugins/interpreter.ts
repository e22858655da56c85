import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findOnPath } from './command/missing.ts';
import { ImplementationFailure } from './implementation.ts';

/** The Python that is meant: SCD2CHECK_PYTHON, else the `python3` or `python` of the PATH. */
export function interpreter(env: NodeJS.ProcessEnv): string {
  const chosen = env['SCD2CHECK_PYTHON'];
  if (chosen !== undefined && chosen !== '') {
    const isPath = chosen.includes('/');
    // One that is named by its path may be started in another folder, such as that of a dbt project.
    if (isPath && existsSync(chosen)) return resolve(chosen);
    if (!isPath && findOnPath(chosen, env) !== null) return chosen;
    throw new ImplementationFailure(
      'start',
      `SCD2CHECK_PYTHON says \`${chosen}\`, and there is no such program. Set it to the path of a Python 3.9 or newer, or unset it to use the \`python3\` of the PATH.`,
    );
  }
  const found = ['python3', 'python'].find((name) => findOnPath(name, env) !== null);
  if (found !== undefined) return found;
  throw new ImplementationFailure(
    'start',
    'This needs Python, and there is neither `python3` nor `python` on the PATH. Install Python 3.9 or newer, or set SCD2CHECK_PYTHON to the path of one.',
  );
}
