import type { Report } from '../../../src/runner/report.ts';
import { visible } from '../../text/escape.ts';
import { totalParts, verdictText } from '../../text/totals.ts';
import { capital, freshFindings, verdictSentence } from '../../text/words.ts';
import { type Element, el } from '../element.ts';

/** Verdict, totals, and where to go. */
export function headPart(report: Report): Element {
  const { verdict, implementation, contractAssumed, notes, findings } = report;
  const words = { pass: 'PASS', fail: 'FAIL', inconclusive: 'INCONCLUSIVE' };
  const first = firstFailure(report);
  return el(
    'header',
    { id: 'top' },
    el(
      'h1',
      null,
      el('span', { class: `verdict ${verdict}` }, `${verdictText(verdict).slice(0, 1)} ${words[verdict]}`),
      ' ',
      visible(implementation.name),
    ),
    el('p', { class: 'sentence' }, `${capital(verdictSentence(report))}.`),
    el('ul', { class: 'totals' }, ...totalParts(report).map((part) => el('li', null, part))),
    el(
      'p',
      null,
      contractAssumed
        ? 'No contract was declared: it was judged by strict.'
        : 'It was judged by the contract that is declared.',
      ...notes.map((note) => ` ${visible(note)}`),
    ),
    first === null
      ? null
      : el('p', null, el('a', { class: 'jump', href: first }, 'Jump to the first failure')),
    el(
      'nav',
      { 'aria-label': 'Parts of this report' },
      el(
        'ul',
        null,
        ...partNames(report).map(([id, name]) => el('li', null, el('a', { href: `#${id}` }, name))),
      ),
    ),
    findings.length === 0
      ? null
      : el('noscript', null, el('p', { class: 'faint' }, 'All is shown without script too.')),
  );
}

function firstFailure(report: Report): string | null {
  if (freshFindings(report).length > 0) return '#finding-1';
  if (report.problems.length > 0) return '#problems';
  return report.verdict === 'pass' ? null : '#checks';
}

function partNames(report: Report): [id: string, name: string][] {
  const fresh = freshFindings(report).length;
  return [
    ['cases', 'Cases'],
    ...(report.problems.length === 0
      ? []
      : [['problems', `Problems (${report.problems.length})`] as [string, string]]),
    ...(fresh === 0 ? [] : [['findings', `Findings (${fresh})`] as [string, string]]),
    ['tried', 'What was tried'],
    ['checks', 'Checks'],
    ['contract', 'Contract'],
    ['environment', 'Environment'],
  ];
}
