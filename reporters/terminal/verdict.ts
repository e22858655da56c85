import type { Report, Verdict } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import type { Style } from '../text/style.ts';
import { totalParts } from '../text/totals.ts';
import { verdictSentence } from '../text/words.ts';
import { joinParts, wrap } from '../text/wrap.ts';
import { type Page, proseWidth } from './page.ts';

export function paintVerdict(verdict: Verdict | 'skipped', text: string, style: Style): string {
  const paints = { pass: style.good, fail: style.bad, inconclusive: style.warn, skipped: style.dim };
  return paints[verdict](text);
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
  return joinParts(totalParts(report), proseWidth(page));
}
