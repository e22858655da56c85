import type { Finding, Report } from '../../src/runner/report.ts';
import { batchTable } from '../text/batch-table.ts';
import { CELL_LIMIT } from '../text/cell.ts';
import { visible, visibleLines } from '../text/escape.ts';
import { drawTimeline } from '../text/timeline.ts';
import { type TextOptions, versionLegend, versionTable } from '../text/version-table.ts';
import { decisionLine, findingInstants, moneySentence, placeOf } from '../text/words.ts';
import { joinParts, wrap } from '../text/wrap.ts';
import { indented, inner, labelled, type Page, proseWidth, spaced } from './page.ts';

/** Most rows of a table in a short report. */
const ROW_LIMIT = 10;

/** One finding: the sentence, the picture, how to get there, the rows, the cost, and the command that shows it again. */
export function findingLines(finding: Finding, report: Report, page: Page): string[] {
  const instants = findingInstants(finding);
  const inside = inner(page);
  const options: TextOptions = {
    width: inside.width,
    style: page.style,
    rowLimit: page.full ? Number.POSITIVE_INFINITY : ROW_LIMIT,
    cellLimit: page.full ? Number.POSITIVE_INFINITY : CELL_LIMIT,
  };
  const table = versionTable(finding, instants, options);
  return [
    ...headline(finding, page),
    ...caseTitle(finding, report, page),
    ...indented(
      spaced([
        joinParts(placeOf(finding), proseWidth(inside)).map(page.style.dim),
        drawTimeline(finding, report.contract, instants, options),
        batchTable(finding.counterexample, instants, options),
        table.length === 0
          ? []
          : [...table, ...joinParts(legendParts(finding, report), inside.width).map(page.style.dim)],
        [
          ...costLines(finding, inside),
          ...decisionLines(finding, report, inside),
          ...replayLines(finding, inside),
        ],
      ]),
    ),
  ];
}

/** The words for the table's signs. Ends are shown as the oracle compares them, which users of inclusive ends must know. */
function legendParts(finding: Finding, report: Report): string[] {
  const shifted = report.contract['end'] === 'inclusive' ? ['ends shown exclusive'] : [];
  return [...versionLegend(finding), ...shifted];
}

function headline(finding: Finding, page: Page): string[] {
  const sign = finding.decision === null ? '✗' : '≈';
  const start = `${sign} ${visible(finding.check)}`;
  const paint = finding.decision === null ? page.style.bad : page.style.warn;
  const [first, ...rest] = visibleLines(finding.message).flatMap((line, index) =>
    wrap(index === 0 ? `${start}: ${line}` : `  ${line}`, proseWidth(page), '  '),
  );
  if (!first!.startsWith(start)) return [first!, ...rest];
  return [page.style.strong(paint(start)) + first!.slice(start.length), ...rest];
}

/** What the case is about, in its own words. */
function caseTitle(finding: Finding, report: Report, page: Page): string[] {
  const title = report.cases.find(({ id }) => id === finding.case)?.title;
  return title === undefined
    ? []
    : indented(wrap(`In this case: ${visible(title)}`, proseWidth(inner(page))).map(page.style.dim));
}

function costLines(finding: Finding, page: Page): string[] {
  return [
    ...(finding.money === undefined ? [] : labelled('costs', moneySentence(finding.money), page)),
    ...(finding.implies.length === 0
      ? []
      : labelled('follows', finding.implies.map(visible).join(', '), page)),
  ];
}

function decisionLines(finding: Finding, report: Report, page: Page): string[] {
  if (finding.decision === null) return [];
  const { where, line } = decisionLine(report.implementation.kind, finding.decision);
  const meaning = `${finding.decision.field}: ${visible(finding.decision.option)}`;
  const sentence = `this is what \`${meaning}\` means; if it is intended, add this line ${where}:`;
  // Never wrapped: it is there to be copied.
  const indent = ' '.repeat(page.width < 60 ? 2 : 10);
  return [...labelled('decision', sentence, page), indent + page.style.strong(line)];
}

/** The command stays on one line, however long: it is there to be copied. */
function replayLines(finding: Finding, page: Page): string[] {
  const command = page.style.strong(visible(finding.replay));
  if (page.width < 60) return [page.style.dim('replay'), ...indented([command])];
  return [page.style.dim('replay    ') + command];
}
