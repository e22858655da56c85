import { appendFileSync, statSync } from 'node:fs';
import type { Report, Verdict } from '../src/runner/report.ts';
import { type Annotation, annotationLine, type Level } from './github/commands.ts';
import { fitSections } from './markdown/fit.ts';
import { markdownSections } from './markdown/sections.ts';
import type { CreateReporter } from './reporter.ts';
import { testsOf } from './test-list/outcomes.ts';
import { visible } from './text/escape.ts';
import { currentPlace, fileOf, type Place } from './text/names.ts';
import { freshFindings, placeOf } from './text/words.ts';
import { counted } from './text/wrap.ts';

/**
 * For GitHub Actions: annotations (into the log), the step's summary and its outputs. It is added by itself where
 * `GITHUB_ACTIONS` is `true`, and does nothing to what other reporters write.
 */
export const createReporter: CreateReporter = (output) => ({
  onEnd(report) {
    const annotations = within(STEP.left, annotationsOf(report, currentPlace()));
    for (const annotation of annotations) output.write(`${annotationLine(annotation)}\n`);
    STEP.outputs = addOutputs(STEP.outputs, outputsOf(report));
    appendTo('GITHUB_STEP_SUMMARY', (written) => summaryOf(report, SUMMARY_LIMIT - written));
    appendTo('GITHUB_OUTPUT', () => outputLines(STEP.outputs!));
  },
});

/** GitHub shows so many annotations of a level for each step, and drops the rest without a word. */
const ANNOTATION_LIMIT = 10;
/** GitHub drops the whole summary of a step that is larger than 1 MiB. */
const SUMMARY_LIMIT = 1_000_000;

/** What this process, which is one step, has used up and found in all: it may report several implementations. */
const STEP: { readonly left: Record<Level, number>; outputs: Outputs | null } = {
  left: { error: ANNOTATION_LIMIT, warning: ANNOTATION_LIMIT, notice: ANNOTATION_LIMIT },
  outputs: null,
};

/** One for each finding and problem: errors for what fails the run, warnings for what could not be judged, notices for what is accepted. */
export function annotationsOf(report: Report, place: Place): Annotation[] {
  const file = fileOf(report.implementation, place);
  const name = visible(report.implementation.name);
  const fresh = new Set(freshFindings(report));
  const found = report.findings.map((finding): Annotation => {
    const lines = [
      visible(finding.message),
      placeOf(finding).join(' · '),
      `Replay: ${visible(finding.replay)}`,
    ];
    return {
      level: fresh.has(finding) ? 'error' : 'notice',
      title: `${name}: ${visible(finding.check)}`,
      message: lines.join('\n'),
      file,
    };
  });
  const problems = report.problems.map(
    ({ kind, message }): Annotation => ({
      level: report.verdict === 'fail' ? 'warning' : 'error',
      title: `${name}: ${visible(kind)}`,
      message: visible(message),
      file,
    }),
  );
  return [...found, ...problems];
}

/** As many as GitHub shows; the last place of a level says how many there are besides. Counts down what is left. */
export function within(left: Record<Level, number>, annotations: readonly Annotation[]): Annotation[] {
  return (['error', 'warning', 'notice'] as const).flatMap((level) => {
    const all = annotations.filter((annotation) => annotation.level === level);
    const room = left[level];
    left[level] = Math.max(0, room - all.length);
    if (all.length <= room) return all;
    if (room === 0) return [];
    const shown = all.slice(0, room - 1);
    const rest = all.length - shown.length;
    const message = `${counted(rest, 'more annotation')}: GitHub shows ${ANNOTATION_LIMIT} of a level for each step. The step's summary and the reports have all.`;
    return [...shown, { level, title: `scd2check: and ${rest} more`, message, file: undefined }];
  });
}

/** The report in Markdown, cut to the bytes that the step's summary has left; '' where it has none. */
export function summaryOf(report: Report, bytes: number): string {
  if (bytes < 2_000) return '';
  return `${fitSections(markdownSections(report), bytes - 1, 'The JSON and HTML reports have all of it.')}\n`;
}

/** Outputs of the step. */
export interface Outputs {
  readonly verdict: Verdict;
  /** Cases, checks and the run itself, as in JUnit. */
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly inconclusive: number;
  readonly findings: number;
  /** Id of the last run, for `scd2check report`. */
  readonly run: string;
}

export function outputsOf(report: Report): Outputs {
  const tests = testsOf(report);
  const count = (wanted: string) => tests.filter(({ status }) => status === wanted).length;
  return {
    verdict: report.verdict,
    total: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    inconclusive: count('inconclusive'),
    findings: freshFindings(report).length,
    run: visible(report.run.id),
  };
}

/** Of several implementations: the sums, and the worst verdict. */
export function addOutputs(before: Outputs | null, added: Outputs): Outputs {
  if (before === null) return added;
  const verdicts = [before.verdict, added.verdict];
  const sum = (name: 'total' | 'passed' | 'failed' | 'skipped' | 'inconclusive' | 'findings') =>
    before[name] + added[name];
  return {
    verdict: (['fail', 'inconclusive', 'pass'] as const).find((verdict) => verdicts.includes(verdict))!,
    total: sum('total'),
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    inconclusive: sum('inconclusive'),
    findings: sum('findings'),
    run: added.run,
  };
}

/** `name=value`, a line each; no value has a line break. */
export function outputLines(outputs: Outputs): string {
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Appends to the file that a variable names; other commands of the step may have written to it. */
function appendTo(variable: string, textAfter: (writtenBytes: number) => string): void {
  const path = process.env[variable];
  if (path === undefined || path === '') return;
  const text = textAfter(statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (text !== '') appendFileSync(path, text);
}
