import { chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A submission that is not copied, with the reason. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

/** Never part of a submission, and often large. */
const LEFT_OUT = new Set([
  '.git',
  'node_modules',
  '__pycache__',
  '.venv',
  'venv',
  '.DS_Store',
  '__MACOSX',
  '.scd2check',
]);

const MOST_FILES = 2000;

/**
 * Copies a submission's files, which the user that it is run by must be able to read. Links and what is no file (a pipe would wait for ever) stay
 * behind: a link that points outside would show whoever follows it a file of this machine.
 *
 * @throws CopyError where there is more than `limitBytes`, or too many files
 */
export function copySubmission(from: string, to: string, limitBytes: number): void {
  const budget = { bytes: limitBytes, files: MOST_FILES };
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  copyInto(from, to, budget, limitBytes);
}

function copyInto(
  from: string,
  to: string,
  budget: { bytes: number; files: number },
  limitBytes: number,
): void {
  for (const name of readdirSync(from).sort()) {
    if (LEFT_OUT.has(name)) continue;
    const source = join(from, name);
    const target = join(to, name);
    const stat = lstatSync(source);
    if (stat.isDirectory()) {
      mkdirSync(target);
      chmodSync(target, 0o755);
      copyInto(source, target, budget, limitBytes);
    } else if (stat.isFile()) {
      budget.bytes -= stat.size;
      budget.files -= 1;
      if (budget.bytes < 0) throw new CopyError(`it has more than ${limitBytes / 2 ** 20} MiB of files`);
      if (budget.files < 0) throw new CopyError(`it has more than ${MOST_FILES} files`);
      copyFile(source, target, (stat.mode & 0o100) !== 0);
    }
  }
}

export function copyFile(source: string, target: string, isExecutable: boolean): void {
  copyFileSync(source, target);
  chmodSync(target, isExecutable ? 0o755 : 0o644);
}
