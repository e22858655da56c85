import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding, Report } from '../../src/runner/report.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const BIN = join(ROOT, 'bin', 'scd2check.js');

export interface Run {
  readonly exitCode: number;
  readonly report: Report;
}

/** The named cases alone: short enough for every change, and the same each time. */
const CASES_ALONE = ['--scope', '0', '--histories', '0'];

/** Runs the built `scd2check` on an adapter, in the environment of its package, from an empty folder: the cases alone. */
export function check(python: string, adapter: string, ...flags: readonly string[]): Promise<Run> {
  return checkIn({ ...process.env, SCD2CHECK_PYTHON: python }, adapter, ...flags);
}

export function checkIn(env: NodeJS.ProcessEnv, adapter: string, ...flags: readonly string[]): Promise<Run> {
  return runCheck([adapter, ...CASES_ALONE, ...flags], env);
}

/** Runs the built `scd2check` from an empty folder. Throws what it says where it ends with anything but a verdict. */
export async function runCheck(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-engine-'));
  const json = join(folder, 'report.json');
  try {
    const exitCode = await exitCodeOf([BIN, '--reporter', `json:${json}`, ...argv], folder, env);
    return { exitCode, report: JSON.parse(readFileSync(json, 'utf8')) as Report };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function exitCodeOf(argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, argv, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (code === 0 || code === 1 || code === 3) resolve(code);
      else reject(new Error(`scd2check ended with ${code}.\n${stderr}\n${stdout}`));
    });
  });
}

/** Verdict and findings, each as `case: check`; the leading one first, the others by name. */
export function outcome({ exitCode, report }: Run) {
  const [first, ...others] = report.findings.map(name);
  return {
    exitCode,
    verdict: report.verdict,
    problems: report.problems.map(({ message }) => message),
    first: first ?? null,
    others: others.sort(),
  };
}

function name({ feed, case: caseId, check }: Finding): string {
  return `${caseId ?? feed.slice(feed.lastIndexOf('/') + 1)}: ${check}`;
}
