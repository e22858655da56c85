import type { CaseResult, CheckResult, Report, Verdict } from '../../src/runner/report.ts';
import { BOUNDARY_CASES, freshFindings } from './words.ts';
import { counted } from './wrap.ts';

/** Signs that stand beside the colours. */
const SIGNS = { pass: '✓', fail: '✗', inconclusive: '?', skipped: '-' } as const;

/** `✗ fail`. */
export function verdictText(verdict: Verdict | 'skipped'): string {
  return `${SIGNS[verdict]} ${verdict}`;
}

/** How many of what held, the seed if there was one, and the time it took. */
export function totalParts(report: Report): string[] {
  return [
    ...caseTotals(report.cases),
    ...checkTotals(report.checks),
    counted(freshFindings(report).length, 'finding'),
    ...knownTotals(report),
    ...seedOf(report),
    timeOf(report),
  ];
}

function caseTotals(cases: readonly CaseResult[]): string[] {
  const boundary = cases.filter(({ id }) => BOUNDARY_CASES.includes(id));
  const further = cases.filter(({ id }) => !BOUNDARY_CASES.includes(id));
  return [
    ...(boundary.length === 0 ? [] : [`${passedOf(boundary)} boundary cases`]),
    ...(further.length === 0 ? [] : [`${passedOf(further)} further cases`]),
  ];
}

/** `6/7`: passed of those that apply. */
export function passedOf(results: readonly { readonly verdict: Verdict | 'skipped' }[]): string {
  const applying = results.filter(({ verdict }) => verdict !== 'skipped');
  return `${applying.filter(({ verdict }) => verdict === 'pass').length}/${applying.length}`;
}

function checkTotals(checks: readonly CheckResult[]): string[] {
  return checks.length === 0 ? [] : [`${passedOf(checks)} checks held`];
}

function knownTotals(report: Report): string[] {
  const accepted = report.findings.length - freshFindings(report).length;
  return accepted === 0 ? [] : [`${accepted} known`];
}

function seedOf({ random }: Report): string[] {
  return random === null ? [] : [`seed ${random.seed}`];
}

function timeOf({ timings }: Report): string {
  return `${seconds(timings.totalMs)} (${seconds(timings.implementationMs)} in the implementation)`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 10_000
    ? `${(milliseconds / 1000).toFixed(2)} s`
    : `${(milliseconds / 1000).toFixed(0)} s`;
}
