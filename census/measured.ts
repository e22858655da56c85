import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, Report } from '../src/runner/report.ts';
import type { Run } from '../test/engines/engine.ts';

/** What one run of a row gave, as the page needs it. */
export interface Measured {
  readonly exitCode: number;
  readonly verdict: Report['verdict'];
  /** The option of each field of the contract. */
  readonly contract: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
  readonly cases: { readonly passed: number; readonly failed: number; readonly skipped: number };
  /** Ids by verdict. */
  readonly checks: { readonly held: number; readonly failed: readonly string[]; readonly skipped: number };
  /** Of all findings, `case: check`, or `scope: check` and the like; each once, in order of name. */
  readonly findings: readonly string[];
  readonly histories: number;
  readonly forgiven: number;
  readonly loads: number;
  readonly totalMs: number;
  readonly implementationMs: number;
  /** What each red shows where its smallest feed is sent alone, by the red's id. */
  readonly reds: Readonly<Record<string, Shown>>;
}

/** A finding, without what belongs to the run. */
export type Shown = Pick<Finding, 'check' | 'message' | 'expected' | 'actual' | 'counterexample'>;

export type MeasuredRows = Readonly<Record<string, Measured>>;

/** `measured.json` of an entry's folder; nothing where it was never written. */
export function readMeasured(folder: string): MeasuredRows {
  const path = join(folder, 'measured.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as MeasuredRows) : {};
}

export function writeMeasured(folder: string, rows: MeasuredRows): void {
  writeFileSync(join(folder, 'measured.json'), `${JSON.stringify(rows, null, 2)}\n`);
}

/** What a run gave, but for the reds. */
export function measure({ exitCode, report }: Run): Omit<Measured, 'reds'> {
  const { cases, checks, timings } = report;
  const count = (verdict: string) => cases.filter((one) => one.verdict === verdict).length;
  return {
    exitCode,
    verdict: report.verdict,
    contract: decisions(report),
    problems: report.problems.map(({ message }) => message),
    cases: { passed: count('pass'), failed: count('fail'), skipped: count('skipped') },
    checks: {
      held: checks.filter(({ verdict }) => verdict === 'pass').length,
      failed: checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
      skipped: checks.filter(({ verdict }) => verdict === 'skipped').length,
    },
    findings: [...new Set(report.findings.map(findingName))].sort(),
    histories: (report.scope?.histories ?? 0) + (report.random?.histories ?? 0),
    forgiven: (report.scope?.forgiven ?? 0) + (report.random?.forgiven ?? 0),
    loads: timings.loads,
    totalMs: timings.totalMs,
    implementationMs: timings.implementationMs,
  };
}

/** `case: check`; for a finding of another part, the part's name, since the number behind it follows the search. */
export function findingName({ feed, case: caseId, check }: Finding): string {
  return `${caseId ?? feed.split('/')[0]!}: ${check}`;
}

export function shown({ check, message, expected, actual, counterexample }: Finding): Shown {
  return { check, message, expected, actual, counterexample };
}

function decisions({ contract }: Report): Readonly<Record<string, string>> {
  const { columns: _, ...fields } = contract;
  return Object.fromEntries(Object.entries(fields).map(([field, option]) => [field, String(option)]));
}
