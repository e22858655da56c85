import type { Report } from '../src/runner/report.ts';
import { renderXml, type XmlElement } from './junit/xml.ts';
import type { CreateReporter } from './reporter.ts';
import { type TestGroup, type TestResult, testsOf } from './test-list/outcomes.ts';
import { classNameOf, currentPlace, fileOf, type Place } from './text/names.ts';

/**
 * JUnit XML for GitLab, Jenkins, GitHub actions and others. `skipped` is what does not apply; what could not be judged is
 * an error of type `inconclusive`.
 */
export const createReporter: CreateReporter = (output) => ({
  onEnd(report) {
    output.write(renderJunit(report, currentPlace()));
  },
});

export function renderJunit(report: Report, place: Place): string {
  const tests = testsOf(report);
  const suites = (['cases', 'checks', 'run'] as const).map((group) => suite(report, place, group, tests));
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

function suite(report: Report, place: Place, group: TestGroup, all: readonly TestResult[]): XmlElement {
  const tests = all.filter((test) => test.group === group);
  const classname = classNameOf(report.implementation, group, place);
  const file = fileOf(report.implementation, place);
  // Cases and checks share their calls, so that only the run has a time of its own.
  const time = group === 'run' ? seconds(report.timings.totalMs) : '0.000';
  const countOf = (wanted: TestResult['status']) => tests.filter(({ status }) => status === wanted).length;
  return {
    name: 'testsuite',
    attributes: {
      name: classname,
      tests: tests.length,
      failures: countOf('failed'),
      errors: countOf('inconclusive'),
      skipped: countOf('skipped'),
      time,
    },
    children: tests.map((test) => ({
      name: 'testcase',
      attributes: { classname, name: test.name, file, time },
      children: outcomeElements(test),
    })),
  };
}

function outcomeElements({ status, type, message = '', text = '' }: TestResult): XmlElement[] {
  const element = (name: string, attributes: XmlElement['attributes']) => [
    { name, attributes, children: [text] },
  ];
  switch (status) {
    case 'passed':
      return text === '' ? [] : element('system-out', {});
    case 'skipped':
      return element('skipped', { message });
    case 'inconclusive':
      return element('error', { type: 'inconclusive', message });
    case 'failed':
      return element('failure', { type, message });
  }
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
