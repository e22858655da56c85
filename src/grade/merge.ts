import type { Report } from '../runner/report.ts';

/** A report of which some cases could not be judged, with what they came to alone. */
export function merged(whole: Report, alone: readonly Report[]): Report {
  if (alone.length === 0) return whole;
  const again = new Map(alone.flatMap(({ cases }) => cases.map((one) => [one.id, one] as const)));
  const known = new Set(whole.findings.map(({ id }) => id));
  const findings = alone.flatMap((one) => one.findings).filter(({ id }) => !known.has(id));
  // What was said of the whole pack is said better by the case that ended it.
  const problems = alone.flatMap((one) => one.problems).filter(({ kind }) => kind !== 'not-exercised');
  return {
    ...whole,
    cases: whole.cases.map((one) => again.get(one.id) ?? one),
    findings: [...whole.findings, ...findings],
    problems: [...whole.problems.filter(({ kind }) => kind !== 'not-exercised'), ...problems],
  };
}
