import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './engine.ts';

const run = promisify(execFile);

/**
 * Whether there is a Python that can make virtual environments. In CI the answer is always yes: a test that cannot run
 * there is to fail, not to be skipped.
 */
export function hasPython(): boolean {
  if (process.env['CI'] === 'true') return true;
  return spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
}

/**
 * The Python of the virtual environment `.engines/<name>`, made from a requirements file with exact versions. It is made
 * anew only where the requirements, or the Python, are not those that it was made from.
 */
export async function environment(name: string, requirements: string): Promise<string> {
  const folder = join(ROOT, '.engines', name);
  const python = join(folder, 'bin', 'python');
  const made = join(folder, 'made-from');
  const { stdout: version } = await run('python3', ['-VV']);
  const source = createHash('sha256').update(version).update(readFileSync(requirements)).digest('hex');
  if (readIfThere(made) === source) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run('python3', ['-m', 'venv', folder]);
  await run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
  // Last, so that one that was interrupted is not taken for whole.
  writeFileSync(made, source);
  return python;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
