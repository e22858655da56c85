import { createHash } from 'node:crypto';
import type { Finding, Report } from '../src/runner/report.ts';
import type { CreateReporter } from './reporter.ts';
import { shortened, visible } from './text/escape.ts';
import { classNameOf, currentPlace, fileOf, type Place } from './text/names.ts';
import { decisionLine, freshFindings, placeOf } from './text/words.ts';

/**
 * GitLab's Code Quality report: findings beside the changed file in a merge request. The form is that of
 * https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
 */
export const createReporter: CreateReporter = (output) => ({
  onEnd(report) {
    output.write(`${JSON.stringify(codeQualityOf(report, currentPlace()), null, 2)}\n`);
  },
});

export interface CodeQualityIssue {
  readonly description: string;
  readonly check_name: string;
  /** Issues with equal ones are shown as one, so it is of the implementation and the finding. */
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** A widget lists them one below the other. */
const DESCRIPTION_LIMIT = 1000;
/** So many are more than anybody reads, and each costs the reader memory. */
const ISSUE_LIMIT = 5000;

/** Critical: a defect under every contract. Major: a decision would explain it, or nothing could be judged. Minor: a warning. Info: accepted. */
export function codeQualityOf(report: Report, place: Place): CodeQualityIssue[] {
  const issue = (
    id: string,
    check: string,
    severity: CodeQualityIssue['severity'],
    description: string,
  ): CodeQualityIssue => ({
    description: shortened(description, DESCRIPTION_LIMIT),
    check_name: `scd2check/${visible(check)}`,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([classNameOf(report.implementation, 'findings', place), id]))
      .digest('hex'),
    severity,
    location: { path: pathOf(report, place), lines: { begin: 1 } },
  });
  const fresh = new Set(freshFindings(report));
  const found = report.findings.map((finding) =>
    issue(finding.id, finding.check, severityOf(finding, fresh, report), describe(finding, report)),
  );
  const broken = (report.illegal ?? []).filter(({ outcome }) => outcome === 'broken');
  const illegal = broken.map(({ words, field, detail }) =>
    issue(
      `illegal ${words}`,
      'illegal-input',
      'critical',
      visible(`${words} (${field}) breaks the table: ${detail}`),
    ),
  );
  const problems = report.problems.map(({ kind, message }) =>
    issue(`problem ${kind}`, 'inconclusive', 'major', `${visible(kind)}: ${visible(message)}`),
  );
  return unique([...found, ...illegal, ...problems]).slice(0, ISSUE_LIMIT);
}

function severityOf(
  finding: Finding,
  fresh: ReadonlySet<Finding>,
  { checks }: Report,
): CodeQualityIssue['severity'] {
  if (!fresh.has(finding)) return 'info';
  if (checks.find(({ id }) => id === finding.check)?.severity === 'warn') return 'minor';
  return finding.decision === null ? 'critical' : 'major';
}

function describe(finding: Finding, report: Report): string {
  const { decision } = finding;
  const line = decision === null ? null : decisionLine(report.implementation.kind, decision).line;
  const hint = line === null ? '' : ` If that is intended, declare it: ${line}`;
  return `${visible(finding.message)} (${placeOf(finding).join(' · ')})${hint}`;
}

/** Of a command, which is no file: the last of its words that looks like one, or the configuration. */
function pathOf({ implementation }: Report, place: Place): string {
  const own = fileOf(implementation, place);
  if (own !== undefined) return visible(own);
  const words = implementation.name.split(/\s+/).filter((word) => /^[\w./-]+\.\w{1,5}$/.test(word));
  const script = words
    .map((word) => fileOf({ name: `./${word}`, kind: 'function' }, place))
    .findLast((path) => path !== undefined);
  return visible(script ?? 'scd2check.config.ts');
}

function unique(issues: readonly CodeQualityIssue[]): CodeQualityIssue[] {
  return [...new Map(issues.map((issue) => [issue.fingerprint, issue])).values()];
}
