import { ALL_CHECKS } from '../checks/index.ts';
import type { CaseResult, Finding, Problem, Report } from '../runner/report.ts';
import { consequences } from '../runner/roots.ts';
import type { ItemResult, UnitResult } from './gradebook.ts';
import { maximumOf, type Rubric, type RubricItem } from './rubric.ts';

/**
 * Points from a report. A case is right or wrong. A check is wrong where it leads a finding; where it only fails because of another, it costs
 * nothing, so that one error is not punished twice; nor does a case again that fails only by a decision that has cost points already: under that
 * option of the contract it would be right, so it is the same error. Defects that no contract allows are one each. What does not apply under the contract is left out of the reckoning; what could not be judged
 * earns nothing, and says why.
 */
export function scoreItems(rubric: Rubric, report: Report): readonly ItemResult[] {
  const charged = new Set<string>();
  return rubric.items.map((item) => scoreItem(item, report, charged));
}

/** The sum of what is asked for, and of what is optional as far as it makes up for what was lost. */
export function totalOf(rubric: Rubric, items: readonly ItemResult[]): number {
  const sum = items.reduce((total, { earned }) => total + earned, 0);
  return rounded(Math.min(maximumOf(rubric), sum));
}

/** @param charged decisions that have cost points, to which those of this item are added */
function scoreItem(item: RubricItem, report: Report, charged: Set<string>): ItemResult {
  const units = [
    ...item.cases.map((id) => caseUnit(id, report)),
    ...item.checks.map((id) => checkUnit(id, report)),
  ].map((unit) => onceFor(unit, report, charged));
  const judged = units.filter(({ status }) => status !== 'not-applicable');
  const right = judged.filter(({ status }) => status === 'passed' || status === 'follows').length;
  const share = judged.length === 0 ? 1 : right / judged.length;
  // What the contract excludes for all is given to all: it may not lower what can be reached.
  const earned = item.partial ? item.points * share : share === 1 ? item.points : 0;
  return {
    id: item.id,
    earned: rounded(earned),
    points: item.points,
    status: statusOf(judged, share),
    units,
  };
}

function onceFor(unit: UnitResult, report: Report, charged: Set<string>): UnitResult {
  if (unit.status !== 'failed' || unit.findings.length === 0) return unit;
  const findings = report.findings.filter(({ id }) => unit.findings.includes(id));
  const decisions = findings.map(({ decision }) =>
    decision === null ? null : `${decision.field}: ${decision.option}`,
  );
  const again = decisions.every((one) => one !== null && charged.has(one));
  for (const one of decisions) if (one !== null) charged.add(one);
  if (!again) return unit;
  const words = [...new Set(decisions)].map((one) => `\`${one}\``).join(', ');
  return {
    ...unit,
    status: 'follows',
    message: `The same error as before (${words}), which costs nothing more.`,
  };
}

function statusOf(judged: readonly UnitResult[], share: number): ItemResult['status'] {
  if (judged.length === 0) return 'not-applicable';
  if (share === 1) return judged.some(({ status }) => status === 'follows') ? 'follows' : 'passed';
  if (share > 0) return 'partly';
  return judged.every(({ status }) => status === 'not-judged') ? 'not-judged' : 'failed';
}

function caseUnit(id: string, report: Report): UnitResult {
  const result = report.cases.find((one) => one.id === id);
  const title = result?.title ?? id;
  if (result === undefined)
    return { ...unjudged(id, title, report.problems), message: whyUnjudged(id, report.problems) };
  const findings = result.findings.flatMap((found) => report.findings.filter((one) => one.id === found));
  switch (result.verdict) {
    case 'pass':
      return { id, title, status: 'passed', message: null, check: null, findings: [] };
    case 'skipped':
      return notApplicable(id, title, result.skipReason);
    case 'inconclusive':
      return unjudged(id, title, report.problems);
    case 'fail':
      return {
        id,
        title,
        status: 'failed',
        message: findings[0]?.message ?? countsSentence(result),
        check: findings[0]?.check ?? null,
        findings: findings.map((one) => one.id),
      };
  }
}

/** What the contract leaves out. */
function notApplicable(id: string, title: string, reason: string | undefined): UnitResult {
  return { id, title, status: 'not-applicable', message: reason ?? null, check: null, findings: [] };
}

function countsSentence({ versions, open }: CaseResult): string {
  return versions === null || open === null
    ? 'The dimension is not as expected.'
    : `${versions.actual} versions, ${open.actual} of them open, where ${versions.expected} and ${open.expected} are expected.`;
}

function checkUnit(id: string, report: Report): UnitResult {
  const title = ALL_CHECKS.find((check) => check.id === id)?.title ?? id;
  const result = report.checks.find((one) => one.id === id);
  if (result === undefined || result.verdict === 'inconclusive') return unjudged(id, title, report.problems);
  if (result.verdict === 'skipped') return notApplicable(id, title, result.skipReason);
  const leading = report.findings.filter(({ check }) => check === id);
  if (leading.length > 0)
    return {
      id,
      title,
      status: 'failed',
      message: leading[0]!.message,
      check: id,
      findings: leading.map((one) => one.id),
    };
  if (result.verdict === 'pass') {
    // A run that ended early has put it to the test, but not to the whole of it.
    const ended = report.problems.find(({ kind }) => ENDING.has(kind));
    return ended === undefined
      ? { id, title, status: 'passed', message: null, check: null, findings: [] }
      : unjudged(id, title, report.problems);
  }
  const root = report.findings.find((one) => one.implies.includes(id) || consequences(one.check).has(id));
  if (root === undefined)
    return { id, title, status: 'failed', message: `${title} It does not.`, check: id, findings: [] };
  return {
    id,
    title,
    status: 'follows',
    message: `It fails because \`${root.check}\` does, and costs nothing.`,
    check: root.check,
    findings: [root.id],
  };
}

/** Problems after which not all was sent. */
const ENDING = new Set([
  'timeout',
  'crash',
  'protocol',
  'output',
  'unreadable',
  'errored',
  'time-limit',
  'interrupted',
]);

function unjudged(id: string, title: string, problems: readonly Problem[]): UnitResult {
  return { id, title, status: 'not-judged', message: whyUnjudged(id, problems), check: null, findings: [] };
}

function whyUnjudged(id: string, problems: readonly Problem[]): string {
  const own = problems.find(({ feed }) => feed === `case/${id}` || feed === id);
  const [first] = problems.filter(({ kind }) => ENDING.has(kind));
  return (own ?? first ?? problems[0])?.message ?? 'It was not reached.';
}

/** Hundredths of a point. */
export function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}

/** Findings that some unit refers to, each once: a report may have many more. */
export function findingsOf(items: readonly ItemResult[], report: Report): readonly Finding[] {
  const wanted = new Set(items.flatMap(({ units }) => units.flatMap(({ findings }) => findings)));
  return report.findings.filter(({ id }) => wanted.has(id));
}
