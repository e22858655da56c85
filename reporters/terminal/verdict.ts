import type { CaseResult, CheckResult, Report, Verdict } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import type { Style } from '../text/style.ts';
import { BOUNDARY_CASES, freshFindings, verdictSentence } from '../text/words.ts';
import { counted, joinParts, wrap } from '../text/wrap.ts';
import { type Page, proseWidth } from './page.ts';

/** Signs that stand beside the colours. */
const SIGNS = { pass: '✓', fail: '✗', inconclusive: '?', skipped: '-' } as const;

export function paintVerdict(verdict: Verdict | 'skipped', text: string, style: Style): string {
  const paints = { pass: style.good, fail: style.bad, inconclusive: style.warn, skipped: style.dim };
  return paints[verdict](text);
}

/** `✗ fail`. */
export function verdictText(verdict: Verdict | 'skipped'): string {
  return `${SIGNS[verdict]} ${verdict}`;
}

/** What was checked, by which contract, and what had to be guessed. */
export function headerLines(report: Report, page: Page): string[] {
  const { style } = page;
  const contract = report.contractAssumed
    ? 'no contract declared: judged by strict'
    : 'judged by its declared contract';
  const { name, kind } = report.implementation;
  return [
    ...joinParts(
      [`scd2check ${visible(report.tool.version)}`, `${visible(name)} (${kind})`, contract],
      proseWidth(page),
    ),
    ...report.notes.flatMap((note) => wrap(visible(note), proseWidth(page), '  ')).map(style.dim),
    ...verdictLines(report, page),
  ];
}

/** `FAIL  2 defects, 1 decision that differs from strict`. */
export function verdictLines(report: Report, page: Page): string[] {
  const word = report.verdict.toUpperCase();
  const [first, ...rest] = wrap(`${word}  ${verdictSentence(report)}`, proseWidth(page), '  ');
  const painted = paintVerdict(report.verdict, page.style.strong(word), page.style);
  return [painted + first!.slice(word.length), ...rest];
}

/** The one line of `--quiet`. */
export function quietLine(report: Report, page: Page): string {
  const word = paintVerdict(report.verdict, report.verdict.toUpperCase(), page.style);
  return `${word}  ${visible(report.implementation.name)}: ${verdictSentence(report)}`;
}

/** How many of what held, the seed if there was one, and the time it took. */
export function totalsLines(report: Report, page: Page): string[] {
  const parts = [
    ...caseTotals(report.cases),
    ...checkTotals(report.checks),
    counted(freshFindings(report).length, 'finding'),
    ...knownTotals(report),
    ...seedOf(report),
    timeOf(report),
  ];
  return joinParts(parts, proseWidth(page));
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
