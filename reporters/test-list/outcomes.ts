import type { CaseResult, CheckResult, Finding, Report } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { freshFindings, rootOf } from '../text/words.ts';
import { counted } from '../text/wrap.ts';
import { findingsOutcome, isOfPart, PARTS } from './parts.ts';
import { failureText, problemSentence, problemText, sentenceOf } from './text.ts';

/**
 * A run as tests, for formats whose readers know nothing but tests: one for each case, one for each check, and `run` for
 * the run itself. Names never change from run to run, since readers compare runs by them: no seed, count or time is in
 * a name, and no dot, at which readers cut.
 */
export interface TestResult {
  readonly group: TestGroup;
  readonly name: string;
  /** `skipped` is what does not apply; `inconclusive` what could not be judged. */
  readonly status: 'passed' | 'failed' | 'skipped' | 'inconclusive';
  /** Why: the id of a check. */
  readonly type?: string;
  /** One sentence. */
  readonly message?: string;
  /** The same sentence, then everything else that a reader should see; also of one that passes although something is wrong, since it is accepted or a mere warning. */
  readonly text?: string;
}

export type TestGroup = 'cases' | 'checks' | 'run';

export type Outcome = Omit<TestResult, 'group' | 'name'>;

const PASSED: Outcome = { status: 'passed' };

export function testsOf(report: Report): readonly TestResult[] {
  const test = (group: TestGroup, id: string, outcome: Outcome): TestResult => ({
    group,
    name: visible(id).replaceAll('.', '_'),
    ...outcome,
  });
  return [
    ...report.cases.map((result) => test('cases', result.id, caseOutcome(result, report))),
    ...report.checks.map((result) => test('checks', result.id, checkOutcome(result, report))),
    test('run', 'run', runOutcome(report)),
  ];
}

export function caseOutcome(result: CaseResult, report: Report): Outcome {
  switch (result.verdict) {
    case 'pass':
      return PASSED;
    case 'skipped':
      return skipped(result.skipReason);
    case 'inconclusive':
      return inconclusive(`${result.id} could not be judged.`, report);
    case 'fail': {
      const findings = report.findings.filter(({ id }) => result.findings.includes(id));
      const outcome = failure(
        result.id,
        findings,
        report,
        `${result.title}: this does not hold. ${countsSentence(result)}`.trim(),
      );
      return isAccepted(findings, report) ? mentioned(outcome) : outcome;
    }
  }
}

function checkOutcome(result: CheckResult, report: Report): Outcome {
  switch (result.verdict) {
    case 'pass':
      return PASSED;
    case 'skipped':
      return skipped(result.skipReason);
    case 'inconclusive':
      return inconclusive(inconclusiveCheck(result), report);
    case 'fail': {
      const own = report.findings.filter(({ check }) => check === result.id);
      const root = rootOf(result.id, report.findings);
      const findings = own.length > 0 || root === undefined ? own : [root];
      const outcome = failure(
        result.id,
        findings,
        report,
        `${result.id}: ${counted(result.count, 'violation')}.`,
      );
      // What does not fail the run must not fail the job.
      const harmless = result.severity === 'warn' || isAccepted(findings, report);
      return harmless ? mentioned(outcome) : outcome;
    }
  }
}

function inconclusiveCheck({ id, exercised }: CheckResult): string {
  return exercised === 0
    ? `${id} was never exercised, so it cannot be said to hold.`
    : `${id} could not be judged.`;
}

function countsSentence({ counts, versions, open }: CaseResult): string {
  const sentence = (word: string, count: CaseResult['versions']) =>
    count === null ? '' : `${word}: ${count.expected} expected, ${count.actual} found.`;
  return [sentence(counts === 'rows' ? 'Rows' : 'Versions', versions), sentence('Open', open)]
    .join(' ')
    .trim();
}

/** The run itself: a problem anywhere means that something could not be judged. */
function runOutcome({ problems, verdict }: Report): Outcome {
  if (problems.length > 0) {
    const message = problemSentence(problems);
    return { status: 'inconclusive', message, text: problemText(problems) };
  }
  if (verdict !== 'inconclusive') return PASSED;
  const sentence = 'The run could not be judged: see the tests that are inconclusive.';
  return { status: 'inconclusive', message: sentence, text: sentence };
}

/** What tests of cases and parts do not show: other findings, and what could not be judged. */
export function othersOutcome(report: Report, cases: readonly string[]): Outcome {
  const listed = report.cases.filter(({ id }) => cases.includes(id)).flatMap(({ findings }) => findings);
  const others = freshFindings(report).filter(
    (finding) => !listed.includes(finding.id) && !PARTS.some(({ part }) => isOfPart(finding, part)),
  );
  return others.length > 0 ? findingsOutcome(others, report) : runOutcome(report);
}

function skipped(reason: string | undefined): Outcome {
  const message = visible(reason ?? 'does not apply');
  return { status: 'skipped', message, text: message };
}

function inconclusive(sentence: string, { problems }: Report): Outcome {
  const message = visible(sentence);
  const text = problems.length === 0 ? message : `${message}\n\n${problemText(problems)}`;
  return { status: 'inconclusive', message, text };
}

function failure(test: string, findings: readonly Finding[], report: Report, otherwise: string): Outcome {
  const [first] = findings;
  const message = first === undefined ? visible(otherwise) : sentenceOf(first, test);
  const text = first === undefined ? message : failureText(findings, test, report);
  return { status: 'failed', type: visible(first?.check ?? 'violation'), message, text };
}

/** Whether the configuration accepts all of some findings. */
function isAccepted(findings: readonly Finding[], report: Report): boolean {
  const fresh = freshFindings(report);
  return findings.length > 0 && findings.every((finding) => !fresh.includes(finding));
}

/** The text of a failure, in a test that does not fail. */
function mentioned({ text = '' }: Outcome): Outcome {
  return { status: 'passed', text };
}
