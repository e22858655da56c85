import type { Report } from '../src/runner/report.ts';
import type { CreateReporter, ReporterOutput } from './reporter.ts';
import { caseLines } from './terminal/cases.ts';
import { checkLines } from './terminal/checks.ts';
import { findingsLines } from './terminal/findings.ts';
import { historyLines } from './terminal/histories.ts';
import { type Page, spaced } from './terminal/page.ts';
import { problemLine, problemsLines } from './terminal/problems.ts';
import { knownLines, storedLines } from './terminal/stored.ts';
import { terminalStyle } from './terminal/style.ts';
import { headerLines, quietLine, totalsLines, verdictLines } from './terminal/verdict.ts';
import { disarmLine } from './text/escape.ts';

/** Below this nothing can be drawn; the terminal wraps what is wider. */
const NARROWEST_PAGE = 32;

/**
 * The report that people see first: the verdict, the boundary cases, the checks, what was found, and the verdict
 * again, since that is where the eye is when the run ends. Nothing moves the cursor, so it reads the same in a pipe.
 */
export const createReporter: CreateReporter = (output) => ({
  onEnd(report) {
    output.write(`${renderReport(report, output).map(disarmLine).join('\n')}\n`);
  },
});

function renderReport(report: Report, output: ReporterOutput): string[] {
  const page: Page = {
    width: Math.max(output.width, NARROWEST_PAGE),
    style: terminalStyle(output.color),
    full: output.full,
  };
  if (output.quiet) {
    const why = report.verdict === 'inconclusive' ? report.problems.map(problemLine) : [];
    return [quietLine(report, page), ...why];
  }
  return spaced([
    headerLines(report, page),
    caseLines(report.cases, page),
    [...storedLines(report, page), ...historyLines(report, page)],
    checkLines(report, page),
    findingsLines(report, page),
    knownLines(report, page),
    problemsLines(report, page),
    [...verdictLines(report, page), ...totalsLines(report, page)],
  ]);
}
