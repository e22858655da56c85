import type { CaseResult, CheckResult, Count, Finding, Problem, Report } from '../../src/runner/report.ts';
import { batchTable } from '../text/batch-table.ts';
import { CELL_LIMIT } from '../text/cell.ts';
import { shortened, visible, visibleLines } from '../text/escape.ts';
import { illegalSentence, randomSentence, scopeSentence } from '../text/histories.ts';
import { PLAIN } from '../text/style.ts';
import { drawTimeline } from '../text/timeline.ts';
import { totalParts, verdictText } from '../text/totals.ts';
import { type TextOptions, versionLegend, versionTable } from '../text/version-table.ts';
import {
  BOUNDARY_CASES,
  capital,
  countedUnit,
  decisionLine,
  findingInstants,
  freshFindings,
  moneySentence,
  placeOf,
  verdictSentence,
} from '../text/words.ts';
import { markdownBlock, markdownCode, markdownTable, markdownText } from './escape.ts';
import { PART, type Section } from './fit.ts';

/** Code is shown as it is, in a box that scrolls. */
const OPTIONS: TextOptions = { width: 100, style: PLAIN, rowLimit: 10, cellLimit: CELL_LIMIT };
/** A message that is longer holds data. */
const MESSAGE_LIMIT = 1000;
/** Last lines of an error stream. */
const STDERR_LIMIT = 12;

/** The report in parts, the most important first: where there is no room for all, the last ones go. */
export function markdownSections(report: Report): Section[] {
  const part = (text: string): Section => ({ what: PART, text: () => text });
  const boundary = BOUNDARY_CASES.flatMap((id) => report.cases.filter((result) => result.id === id));
  const tried = triedText(report);
  const failed = failedChecks(report);
  return [
    part(headText(report)),
    ...report.problems.map((problem) => ({ what: 'problem', text: () => problemText(problem) })),
    ...(boundary.length === 0 ? [] : [part(casesTable(boundary))]),
    ...freshFindings(report).map((finding) => ({
      what: 'finding',
      text: () => findingText(finding, report),
    })),
    ...(failed.length === 0 ? [] : [part(checksText(failed))]),
    ...(tried === '' ? [] : [part(tried)]),
    part(
      `<sub>scd2check ${markdownText(visible(report.tool.version))}, run ${markdownCode(visible(report.run.id))}</sub>`,
    ),
  ];
}

const SIGNS = { pass: '✅', fail: '❌', inconclusive: '❔' } as const;

function headText(report: Report): string {
  const { name } = report.implementation;
  const contract = report.contractAssumed ? ['No contract was declared, so it was judged by `strict`.'] : [];
  return [
    `### ${SIGNS[report.verdict]} ${report.verdict.toUpperCase()}: ${markdownCode(shortened(visible(name), 200))}`,
    `${capital(markdownText(verdictSentence(report)))}. ${contract.join('')}`.trimEnd(),
    totalParts(report).join(' · '),
  ].join('\n\n');
}

function casesTable(results: readonly CaseResult[]): string {
  const rows = results.map(({ id, versions, open, verdict }) => [
    markdownCode(visible(id)),
    ...countCells(versions),
    ...countCells(open),
    verdictText(verdict),
  ]);
  const unit = countedUnit(results);
  return markdownTable(['case', `${unit} expected`, 'actual', 'open expected', 'actual', 'verdict'], rows);
}

function countCells(count: Count | null): string[] {
  if (count === null) return ['–', '–'];
  const { expected, actual } = count;
  return [String(expected), expected === actual ? String(actual) : `**≠ ${actual}**`];
}

function findingText(finding: Finding, report: Report): string {
  const sign = finding.decision === null ? '✗' : '≈';
  const place = placeOf(finding).map((text) => markdownText(shortened(text, 300)));
  return [
    `#### ${sign} ${markdownText(visible(finding.check))}`,
    markdownText(shortened(visible(finding.message), MESSAGE_LIMIT)),
    `${place.join(' · ')}${finding.money === undefined ? '' : ` · costs ${markdownText(moneySentence(finding.money))}`}`,
    ...decisionText(finding, report),
    details('Timeline, rows and batches', markdownBlock(evidenceLines(finding, report))),
    `Replay: ${markdownCode(visible(finding.replay))}`,
  ].join('\n\n');
}

function decisionText({ decision }: Finding, report: Report): string[] {
  if (decision === null) return [];
  const { where, line } = decisionLine(report.implementation.kind, decision);
  const meaning = markdownCode(`${decision.field}: ${visible(decision.option)}`);
  return [`This is what ${meaning} means. If it is intended, add this line ${where}: ${markdownCode(line)}`];
}

function evidenceLines(finding: Finding, report: Report): string[] {
  const instants = findingInstants(finding);
  const table = versionTable(finding, instants, OPTIONS);
  const blocks = [
    drawTimeline(finding, report.contract, instants, OPTIONS),
    table.length === 0 ? [] : [...table, versionLegend(finding).join(' · ')],
    batchTable(finding.counterexample, instants, OPTIONS),
    finding.implies.length === 0 ? [] : [`follows: ${finding.implies.map(visible).join(', ')}`],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function problemText({ kind, message, stderr = '' }: Problem): string {
  const lines = stderr.trim() === '' ? [] : visibleLines(stderr).slice(-STDERR_LIMIT);
  const stream = markdownBlock(lines.map((line) => shortened(line, 400)));
  return [
    `#### ? ${markdownText(visible(kind))}`,
    markdownText(shortened(visible(message), MESSAGE_LIMIT)),
    ...(lines.length === 0 ? [] : [details('The end of its error stream', stream)]),
  ].join('\n\n');
}

function failedChecks({ checks }: Report): readonly CheckResult[] {
  return checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');
}

function checksText(checks: readonly CheckResult[]): string {
  const rows = checks.map(({ id, verdict, count, exercised }) => [
    markdownCode(visible(id)),
    verdictText(verdict),
    String(count),
    String(exercised),
  ]);
  return details(
    'Checks that did not hold',
    markdownTable(['check', 'verdict', 'violations', 'exercised'], rows),
  );
}

function triedText(report: Report): string {
  const sentences = [
    scopeSentence(report),
    randomSentence(report),
    ...(report.illegal ?? []).map(illegalSentence),
  ].filter((sentence) => sentence !== null);
  if (sentences.length === 0) return '';
  return details('What was tried', sentences.map((text) => `- ${markdownText(text)}`).join('\n'));
}

/** Folded; the summary is ours and holds no value. */
function details(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}
