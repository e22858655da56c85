import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  const release = await turn(`${folder}.lock`);
  try {
    if (readIfThere(made) === source) return python;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await run('python3', ['-m', 'venv', folder]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
    // Last, so that one that was interrupted is not taken for whole.
    writeFileSync(made, source);
    return python;
  } finally {
    release();
  }
}

/** Test files run at once, and several may want the same environment: one makes it, the others wait. */
async function turn(lock: string): Promise<() => void> {
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    // Of one that was killed.
    if (!lives(Number(readIfThere(lock)))) rmSync(lock, { force: true });
    else await sleep(500);
  }
}

/** True too where the number is not written yet: whoever waits looks again. */
function lives(process_: number): boolean {
  if (!(process_ > 0)) return true;
  try {
    process.kill(process_, 0);
    return true;
  } catch {
    return false;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
