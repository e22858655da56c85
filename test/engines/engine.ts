import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Finding, Report } from '../../src/runner/report.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const BIN = join(ROOT, 'bin', 'scd2check.js');

export interface Run {
  readonly exitCode: number;
  readonly report: Report;
}

/** The named cases alone: short enough for every change, and the same each time. */
const CASES_ALONE = ['--scope', '0', '--histories', '0'];

/** Runs the built `scd2check` on an adapter, in the environment of its package, from an empty folder. */
export function check(python: string, adapter: string, ...flags: readonly string[]): Promise<Run> {
  return checkIn({ ...process.env, SCD2CHECK_PYTHON: python }, adapter, ...flags);
}

export async function checkIn(
  env: NodeJS.ProcessEnv,
  adapter: string,
  ...flags: readonly string[]
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-engine-'));
  const json = join(folder, 'report.json');
  try {
    const exitCode = await exitCodeOf(
      [BIN, adapter, ...CASES_ALONE, ...flags, '--reporter', `json:${json}`],
      folder,
      env,
    );
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

/** A version as `by-hand.py` prints it: segment, first day, day of the end. */
export type PlainVersion = readonly [string | null, string | null, string | null];

/** What the package itself, called without scd2check, holds after each of the feeds that `by-hand.py` knows. */
export async function byHand(
  python: string,
  script: string,
): Promise<Readonly<Record<string, readonly PlainVersion[]>>> {
  const { stdout } = await promisify(execFile)(python, [script]);
  return JSON.parse(stdout);
}

/** What the report says that the package holds, for the cases that were looked at by hand. */
export function reported(
  runs: readonly Run[],
  cases: readonly string[],
): Record<string, readonly PlainVersion[]> {
  const findings = runs.flatMap(({ report }) => report.findings);
  return Object.fromEntries(
    cases.flatMap((id) => {
      const finding = findings.find((one) => name(one).startsWith(`${id}: `));
      return finding === undefined ? [] : [[id, finding.actual.map(plainVersion)]];
    }),
  );
}

function plainVersion({ values, validFrom, validTo }: Finding['actual'][number]): PlainVersion {
  return [values['customer_segment'] as string | null, day(validFrom), day(validTo)];
}

function day(instant: string | null): string | null {
  return instant === null ? null : instant.slice(0, 10);
}
