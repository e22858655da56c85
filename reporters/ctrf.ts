import type { Report } from '../src/runner/report.ts';
import type { CreateReporter } from './reporter.ts';
import { type TestResult, testsOf } from './test-list/outcomes.ts';
import { visible } from './text/escape.ts';
import { jsonSafe } from './text/json-safe.ts';
import { classNameOf, currentPlace, fileOf, type Place } from './text/names.ts';

/**
 * Common Test Report Format (https://github.com/ctrf-io/ctrf), the same tests as in JUnit. What could not be judged is
 * `other`, with the raw status `inconclusive`. Readers must refuse fields that they do not know, so what is ours is in `extra`.
 */
export const createReporter: CreateReporter = (output) => ({
  onEnd(report) {
    output.write(`${JSON.stringify(ctrfOf(report, currentPlace()), jsonSafe, 2)}\n`);
  },
});

const STATUS = { passed: 'passed', failed: 'failed', skipped: 'skipped', inconclusive: 'other' } as const;

export function ctrfOf(report: Report, place: Place) {
  const tests = testsOf(report);
  const count = (wanted: TestResult['status']) => tests.filter(({ status }) => status === wanted).length;
  const start = startOf(report);
  const totalMs = Math.round(report.timings.totalMs);
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: 'scd2check',
    results: {
      tool: { name: 'scd2check', version: report.tool.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('inconclusive'),
        suites: new Set(tests.map(({ group }) => group)).size,
        start,
        stop: start + totalMs,
        duration: totalMs,
      },
      tests: tests.map((test) => ctrfTest(test, report, place)),
      ...environmentOf(report),
      extra: { scd2check: { verdict: report.verdict, run: report.run.id, command: report.run.command } },
    },
  };
}

function ctrfTest({ group, name, status, message, text, type }: TestResult, report: Report, place: Place) {
  const className = classNameOf(report.implementation, group, place);
  const file = fileOf(report.implementation, place);
  return {
    testId: `${className}.${name}`,
    name,
    status: STATUS[status],
    rawStatus: status,
    // Cases and checks share their calls, so that only the run has a time of its own.
    duration: group === 'run' ? Math.round(report.timings.totalMs) : 0,
    suite: ['scd2check', visible(report.implementation.name), group],
    type: 'data',
    ...(message === undefined ? {} : { message }),
    ...(text === undefined || text === '' ? {} : { trace: text }),
    ...(file === undefined ? {} : { filePath: file }),
    ...(type === undefined ? {} : { extra: { scd2check: { check: type } } }),
  };
}

/** Milliseconds since the epoch; 0 where the report does not say. */
function startOf({ run }: Report): number {
  const start = Date.parse(run.started ?? '');
  return Number.isNaN(start) ? 0 : start;
}

function environmentOf({ environment }: Report) {
  if (environment === undefined) return {};
  const { platform, node, ci } = environment;
  return {
    environment: {
      osPlatform: platform,
      ...(ci === null ? {} : { buildName: ci.name }),
      ...(ci?.build == null ? {} : { buildUrl: ci.build }),
      ...(ci?.commit == null ? {} : { commit: ci.commit }),
      ...(ci?.branch == null ? {} : { branchName: ci.branch }),
      extra: { scd2check: { node } },
    },
  };
}
