import { CHECK_IDS } from '../../src/checks/index.ts';
import type { Outcome } from './examine.ts';
import type { Judged } from './judging.ts';

/** One entry: its id and kind, whether the right dimension is right here, and what notices the wrong one. */
export function printLine({ entry, ...outcome }: Outcome): string {
  const head = `${entry.id.padEnd(7)} ${entry.kind.padEnd(26)}`;
  if (outcome.status === 'unexpressed') return `${head} not expressed\n`;
  const { judged } = outcome;
  const agrees = judged.disagreement === null ? 'agrees   ' : 'DISAGREES';
  const caught = judged.lead === null ? 'NOT CAUGHT' : `caught by ${judged.lead}`;
  const details = [
    ...(judged.disagreement === null ? [] : [indent(judged.disagreement)]),
    ...(judged.expression.supposed.length === 0
      ? []
      : [indent(`as the right dimension says: ${judged.expression.supposed.join('; ')}`)]),
    ...(judged.unjudged === null ? [] : [indent(`it cannot be judged: ${judged.unjudged}`)]),
    ...(judged.join === null ? [] : [indent(`read by ${judged.join}`)]),
  ];
  return `${head} ${agrees}  ${caught}${reported(entry.checks, judged)}\n${details.join('')}`;
}

function indent(text: string): string {
  return `${text.replace(/^/gm, '        ')}\n`;
}

/** Whether a check that the report names is among those that fail. */
function reported(checks: readonly string[], { lead, failing }: Judged): string {
  if (lead === null || checks.includes(lead)) return '';
  const also = checks.filter((check) => failing.includes(check));
  return also.length > 0 ? ` (and ${also.join(', ')})` : ` (none of ${checks.join(', ')})`;
}

export function printSummary(outcomes: readonly Outcome[]): string {
  const judged = outcomes.flatMap((one) => (one.status === 'unexpressed' ? [] : [one.judged]));
  const unexpressed = outcomes.flatMap((one) => (one.status === 'unexpressed' ? [one] : []));
  const agreeing = judged.filter(({ disagreement }) => disagreement === null);
  const caught = judged.filter(({ lead }) => lead !== null);
  const named = outcomes.filter(
    (one) =>
      one.status !== 'unexpressed' && one.entry.checks.some((check) => one.judged.failing.includes(check)),
  );
  const byCheck = CHECK_IDS.map((id) => [id, caught.filter(({ lead }) => lead === id).length] as const)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
  return [
    '',
    `${outcomes.length} reported defects, ${judged.length} of them expressed.`,
    `${agreeing.length} of ${judged.length} right dimensions are what both oracles call for, and pass every check.`,
    `${caught.length} of ${judged.length} wrong ones are caught, ${named.length} of them also by a check that the report names.`,
    `Led by: ${byCheck.map(([id, count]) => `${id} ${count}`).join(', ')}.`,
    ...(unexpressed.length === 0 ? [] : ['Not expressed:']),
    ...unexpressed.map(({ entry, reason }) => `  ${entry.id}: ${reason}`),
    '',
  ].join('\n');
}
