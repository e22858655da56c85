import type { Finding, Report } from '../../../src/runner/report.ts';
import { shortened, visible } from '../../text/escape.ts';
import { freshFindings, placeOf, splitFindings } from '../../text/words.ts';
import { counted } from '../../text/wrap.ts';
import { type Element, el, table } from '../element.ts';
import { findingArticle } from '../finding.ts';
import { section } from './section.ts';

/** Findings that are shown whole, and those that get a line; pages that are longer open slowly. */
const WHOLE_LIMIT = 50;
const LINE_LIMIT = 500;

/** The findings: some whole, more of them in a line each, and how many there are in all. */
export function findingsPart(report: Report, full: boolean): Element | null {
  const all = orderedFindings(report);
  if (all.length === 0) return null;
  const whole = full ? all : all.slice(0, WHOLE_LIMIT);
  const lines = all.slice(whole.length, whole.length + LINE_LIMIT);
  const rest = all.length - whole.length - lines.length;
  const { decisions, defects } = splitFindings(all);
  return section(
    'findings',
    `Findings (${all.length})`,
    el(
      'p',
      null,
      `${counted(defects.length, 'defect')} under every contract (✗), ${counted(decisions.length, 'decision')} that another option of the contract would explain (≈).`,
    ),
    ...whole.map((finding, index) =>
      findingArticle(finding, report, { number: index + 1, shown: whole.length }),
    ),
    all.length === whole.length
      ? null
      : el(
          'p',
          { class: 'cut' },
          `${whole.length} of ${all.length} findings are shown whole, ${lines.length} more in a line each${rest > 0 ? `, and ${rest} not at all` : ''}. The JSON report has them, and so has this page with --full.`,
        ),
    lines.length === 0 ? null : findingLines(lines),
  );
}

/** Defects first: they need no decision. Within each, as the report has them. */
function orderedFindings(report: Report): readonly Finding[] {
  const { decisions, defects } = splitFindings(freshFindings(report));
  return [...defects, ...decisions];
}

function findingLines(findings: readonly Finding[]): Element {
  return table(
    {
      caption: 'More findings',
      headings: ['check', 'where', 'message'],
      rows: findings.map((finding) => [
        el('th', { scope: 'row' }, visible(finding.check)),
        el('td', null, placeOf(finding).join(' · ')),
        el('td', null, shortened(visible(finding.message), 300)),
      ]),
    },
    'More findings',
  );
}
