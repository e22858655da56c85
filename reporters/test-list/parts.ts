import type { Finding, Report } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { freshFindings } from '../text/words.ts';
import { counted } from '../text/wrap.ts';
import type { Outcome } from './outcomes.ts';
import { failureText, sentenceOf } from './text.ts';

/** The parts of a run beside its cases; the feeds of a part are named after it. */
export const PARTS = [
  { part: 'scope', title: 'every small history' },
  { part: 'random', title: 'random histories' },
  { part: 'repetition', title: 'loads that are repeated, cut up and broken off' },
] as const;

type Part = (typeof PARTS)[number]['part'];

export function isOfPart({ feed }: Finding, part: Part): boolean {
  return feed.startsWith(`${part}/`);
}

/** What a part came to, as a test. What the cases show already has no finding of its own there. */
export function partOutcome(part: Part, report: Report): Outcome {
  const findings = freshFindings(report).filter((finding) => isOfPart(finding, part));
  if (findings.length > 0) return findingsOutcome(findings, report);
  // Of repetition a report says what was found, and how long it took where it was run.
  if (part === 'repetition' && report.timings.parts[part] !== undefined) return { status: 'passed' };
  const result = part === 'repetition' ? null : report[part];
  if (result === null) return inWords('skipped', 'It was not run.');
  const histories = counted(result.histories, 'history', 'histories');
  return result.completed ? { status: 'passed' } : inWords('inconclusive', `Only ${histories} were judged.`);
}

export function findingsOutcome(findings: readonly Finding[], report: Report): Outcome {
  const message = sentenceOf(findings[0]!, '');
  return { status: 'failed', message, text: failureText(findings, '', report) };
}

function inWords(status: Outcome['status'], sentence: string): Outcome {
  const message = visible(sentence);
  return { status, message, text: message };
}
