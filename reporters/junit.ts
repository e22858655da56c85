import type { CaseResult, CheckResult, Finding, Report } from '../src/runner/report.ts';
import { failureText, problemSentence, problemText, sentenceOf } from './junit/text.ts';
import { renderXml, type XmlElement } from './junit/xml.ts';
import type { CreateReporter } from './reporter.ts';
import { visible } from './text/escape.ts';
import { classNameOf, currentPlace, fileOf, type Place } from './text/names.ts';
import { freshFindings, rootOf } from './text/words.ts';
import { counted } from './text/wrap.ts';

/**
 * JUnit XML for GitLab, Jenkins, GitHub actions and others. One test for each case, one for each check, and `run` for the
 * run itself. Names never change from run to run, since readers compare runs by them: no seed, count or time is in
 * a name. `skipped` is what does not apply; what could not be judged is an error of type `inconclusive`.
 */
export const createReporter: CreateReporter = (output) => ({
  onEnd(report) {
    output.write(renderJunit(report, currentPlace()));
  },
});

type Group = 'cases' | 'checks' | 'run';

/** A test's outcome: its elements, of which a test that passed has none. */
type Outcome = readonly XmlElement[];

export function renderJunit(report: Report, place: Place): string {
  const suites = [
    suite(
      report,
      place,
      'cases',
      report.cases.map((result) => [result.id, caseOutcome(result, report)]),
    ),
    suite(
      report,
      place,
      'checks',
      report.checks.map((result) => [result.id, checkOutcome(result, report)]),
    ),
    suite(report, place, 'run', [['run', runOutcome(report)]]),
  ];
  const total = (name: string) => suites.reduce((sum, { attributes }) => sum + Number(attributes[name]), 0);
  return renderXml({
    name: 'testsuites',
    attributes: {
      name: 'scd2check',
      tests: total('tests'),
      failures: total('failures'),
      errors: total('errors'),
      skipped: total('skipped'),
      time: seconds(report.timings.totalMs),
    },
    children: suites,
  });
}

function suite(
  report: Report,
  place: Place,
  group: Group,
  tests: readonly (readonly [id: string, outcome: Outcome])[],
): XmlElement {
  const classname = classNameOf(report.implementation, group, place);
  const file = fileOf(report.implementation, place);
  // Cases and checks share their calls, so that only the run has a time of its own.
  const time = group === 'run' ? seconds(report.timings.totalMs) : '0.000';
  const countOf = (name: string) =>
    tests.filter(([, outcome]) => outcome.some((part) => part.name === name)).length;
  return {
    name: 'testsuite',
    attributes: {
      name: classname,
      tests: tests.length,
      failures: countOf('failure'),
      errors: countOf('error'),
      skipped: countOf('skipped'),
      time,
    },
    children: tests.map(([id, outcome]) => ({
      name: 'testcase',
      attributes: { classname, name: visible(id).replaceAll('.', '_'), file, time },
      children: outcome,
    })),
  };
}

function caseOutcome(result: CaseResult, report: Report): Outcome {
  switch (result.verdict) {
    case 'pass':
      return [];
    case 'skipped':
      return [skipped(result.skipReason)];
    case 'inconclusive':
      return [inconclusive(`${result.id} could not be judged.`, report)];
    case 'fail': {
      const findings = report.findings.filter(({ id }) => result.findings.includes(id));
      const outcome = failure(
        result.id,
        findings,
        report,
        `${result.title}: this does not hold. ${countsSentence(result)}`.trim(),
      );
      return [isAccepted(findings, report) ? mentioned(outcome) : outcome];
    }
  }
}

function checkOutcome(result: CheckResult, report: Report): Outcome {
  switch (result.verdict) {
    case 'pass':
      return [];
    case 'skipped':
      return [skipped(result.skipReason)];
    case 'inconclusive':
      return [inconclusive(inconclusiveCheck(result), report)];
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
      return [harmless ? mentioned(outcome) : outcome];
    }
  }
}

function inconclusiveCheck({ id, exercised }: CheckResult): string {
  return exercised === 0
    ? `${id} was never exercised, so it cannot be said to hold.`
    : `${id} could not be judged.`;
}

function countsSentence({ versions, open }: CaseResult): string {
  const sentence = (word: string, count: CaseResult['versions']) =>
    count === null ? '' : `${word}: ${count.expected} expected, ${count.actual} found.`;
  return [sentence('Versions', versions), sentence('Open', open)].join(' ').trim();
}

/** The run itself: a problem anywhere means that something could not be judged. */
function runOutcome({ problems, verdict }: Report): Outcome {
  if (problems.length > 0) {
    const attributes = { type: 'inconclusive', message: problemSentence(problems) };
    return [element('error', attributes, problemText(problems))];
  }
  if (verdict !== 'inconclusive') return [];
  const sentence = 'The run could not be judged: see the tests that are inconclusive.';
  return [element('error', { type: 'inconclusive', message: sentence }, sentence)];
}

function skipped(reason: string | undefined): XmlElement {
  const message = visible(reason ?? 'does not apply');
  return element('skipped', { message }, message);
}

function inconclusive(sentence: string, { problems }: Report): XmlElement {
  const message = visible(sentence);
  const text = problems.length === 0 ? message : `${message}\n\n${problemText(problems)}`;
  return element('error', { type: 'inconclusive', message }, text);
}

function failure(test: string, findings: readonly Finding[], report: Report, otherwise: string): XmlElement {
  const [first] = findings;
  const message = first === undefined ? visible(otherwise) : sentenceOf(first, test);
  const text = first === undefined ? message : failureText(findings, test, report);
  return element('failure', { type: first?.check ?? 'violation', message }, text);
}

/** Whether the configuration accepts all of some findings. */
function isAccepted(findings: readonly Finding[], report: Report): boolean {
  const fresh = freshFindings(report);
  return findings.length > 0 && findings.every((finding) => !fresh.includes(finding));
}

/** The text of a failure, in a test that does not fail. */
function mentioned(outcome: XmlElement): XmlElement {
  return element('system-out', {}, outcome.children[0] as string);
}

function element(name: string, attributes: XmlElement['attributes'], text: string): XmlElement {
  return { name, attributes, children: [text] };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
