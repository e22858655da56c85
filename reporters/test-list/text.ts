import type { Finding, Problem, Report } from '../../src/runner/report.ts';
import { batchTable } from '../text/batch-table.ts';
import { CELL_LIMIT } from '../text/cell.ts';
import { shortened, visible, visibleLines } from '../text/escape.ts';
import { PLAIN } from '../text/style.ts';
import { type TextOptions, versionLegend, versionTable } from '../text/version-table.ts';
import { decisionLine, findingInstants, moneySentence, placeOf } from '../text/words.ts';
import { counted } from '../text/wrap.ts';

/** How a decision would be written down follows from what kind of implementation it is. */
type Kind = Pick<Report, 'implementation'>;

/** Readers show text as it is, in a box that scrolls. */
const OPTIONS: TextOptions = { width: 160, style: PLAIN, rowLimit: 10, cellLimit: CELL_LIMIT };
/** Most findings under one test; readers cut long texts, or refuse them. */
const FINDING_LIMIT = 5;
/** Last lines of an error stream, and most characters of one. */
const STDERR_LIMIT = 40;
const STDERR_LINE_LIMIT = 400;
/** Most problems; each test that could not be judged repeats them. */
const PROBLEM_LIMIT = 5;

/** The one sentence of a test that failed: it is in `message` and the first line of the text. */
export function sentenceOf(finding: Finding, test: string): string {
  const message = visible(finding.message);
  return finding.implies.includes(test) ? `Follows from ${visible(finding.check)}: ${message}` : message;
}

/** All that a reader of the failed test gets to see. */
export function failureText(findings: readonly Finding[], test: string, report: Kind): string {
  const shown = findings.slice(0, FINDING_LIMIT).map((finding) => findingText(finding, test, report));
  const rest = findings.length - shown.length;
  return [...shown, ...(rest === 0 ? [] : [`… ${counted(rest, 'more finding')}`])].join('\n\n');
}

function findingText(finding: Finding, test: string, report: Kind): string {
  const instants = findingInstants(finding);
  const table = versionTable(finding, instants, OPTIONS);
  const batches = batchTable(finding.counterexample, instants, OPTIONS);
  const blocks = [
    [sentenceOf(finding, test)],
    table.length === 0 ? [] : [...table, versionLegend(finding).join(' · ')],
    batches.length === 0 ? [] : ['batches, in order of arrival:', ...batches],
    detailLines(finding, report),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function detailLines(finding: Finding, report: Kind): string[] {
  const { money, implies, decision } = finding;
  return [
    `check: ${visible(finding.check)}`,
    `seen: ${placeOf(finding).join(' · ')}`,
    ...(money === undefined ? [] : [`costs: ${moneySentence(money)}`]),
    ...(implies.length === 0 ? [] : [`follows: ${implies.map(visible).join(', ')}`]),
    ...(decision === null ? [] : decisionLines(decision, report)),
    `replay: ${visible(finding.replay)}`,
  ];
}

function decisionLines(decision: NonNullable<Finding['decision']>, report: Kind): string[] {
  const { where, line } = decisionLine(report.implementation.kind, decision);
  const meaning = `${decision.field}: ${visible(decision.option)}`;
  return [
    `decision: this is what \`${meaning}\` means; if it is intended, add this line ${where}:`,
    `  ${line}`,
  ];
}

export function problemSentence(problems: readonly Problem[]): string {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${counted(problems.length - 1, 'more problem')})` : '';
  return `${visible(first!.kind)}: ${visible(first!.message)}${more}`;
}

export function problemText(problems: readonly Problem[]): string {
  const texts = problems.slice(0, PROBLEM_LIMIT).map((problem) => {
    const feed = problem.feed === undefined ? [] : [`feed: ${visible(problem.feed)}`];
    const stderr =
      (problem.stderr ?? '').trim() === '' ? [] : visibleLines(problem.stderr!).slice(-STDERR_LIMIT);
    const shown =
      stderr.length === 0
        ? []
        : ['stderr:', ...stderr.map((line) => `  ${shortened(line, STDERR_LINE_LIMIT)}`)];
    return [`${visible(problem.kind)}: ${visible(problem.message)}`, ...feed, ...shown].join('\n');
  });
  return [
    problemSentence(problems),
    ...(problems.length > 1 ? ['', ...texts] : texts[0]!.split('\n').slice(1)),
  ].join('\n');
}
