import type { Finding, Report } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { groupBy } from '../text/group.ts';
import { freshFindings, splitFindings } from '../text/words.ts';
import { counted, wrap } from '../text/wrap.ts';
import { findingLines } from './finding.ts';
import { indented, inner, labelled, type Page, proseWidth, spaced } from './page.ts';

/** Most findings in a short report. */
const FINDING_LIMIT = 5;
/** Of these, places that decisions keep where there are more defects than places. */
const KEPT_FOR_DECISIONS = 2;

/**
 * The findings. Where no contract was declared they stand in two groups that are never mixed: what no contract allows,
 * and what a team may have meant. "Different" and "wrong" are not the same thing.
 */
export function findingsLines(report: Report, page: Page): string[] {
  const findings = freshFindings(report);
  if (findings.length === 0) return [];
  const limit = page.full ? findings.length : FINDING_LIMIT;
  const { decisions, defects } = splitFindings(findings);
  if (!report.contractAssumed && decisions.length === 0) {
    return group('Findings', null, findings, limit, report, page);
  }
  const forDecisions = Math.min(decisions.length, Math.max(KEPT_FOR_DECISIONS, limit - defects.length));
  const meaning = report.contractAssumed
    ? 'No contract was declared, so strict was taken. If a decision is intended, declare it and it is right; if not, it is a defect.'
    : 'Another option of the contract would explain these. If it is intended, declare it and they are right; if not, they are defects.';
  const against = report.contractAssumed ? 'strict' : 'the contract';
  return spaced([
    group('Defects under every contract', null, defects, limit - forDecisions, report, page),
    group(`Decisions that differ from ${against}`, meaning, decisions, forDecisions, report, page),
  ]);
}

function group(
  title: string,
  meaning: string | null,
  findings: readonly Finding[],
  limit: number,
  report: Report,
  page: Page,
): string[] {
  if (findings.length === 0) return [];
  const heading = [
    ...wrap(`${title} (${findings.length})`, page.width).map(page.style.strong),
    ...(meaning === null ? [] : wrap(meaning, proseWidth(page)).map(page.style.dim)),
  ];
  const groups = page.full ? findings.map((finding): Alike => ({ finding, others: [] })) : alike(findings);
  const shown = groups
    .slice(0, limit)
    .map(({ finding, others }) => [...findingLines(finding, report, page), ...othersLines(others, page)]);
  const rest = groups.slice(limit).flatMap(({ finding, others }) => [finding, ...others]);
  return spaced([heading, ...shown, moreLines(rest, page)]);
}

/** The same check with the same explanation: one is shown, and the others are named. */
interface Alike {
  readonly finding: Finding;
  readonly others: readonly Finding[];
}

function alike(findings: readonly Finding[]): Alike[] {
  const same = ({ check, decision }: Finding) => `${check} ${decision?.field} ${decision?.option}`;
  return [...groupBy(findings, same).values()].map(([finding, ...others]) => ({ finding: finding!, others }));
}

/** Most places that are named beside the one that is shown. */
const NAMED = 6;

function othersLines(others: readonly Finding[], page: Page): string[] {
  if (others.length === 0) return [];
  const names = others.slice(0, NAMED).map((finding) => visible(finding.case ?? finding.feed));
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more (--full shows all)` : '';
  return ['', ...indented(labelled('also in', `${names.join(', ')}${more}`, inner(page)))];
}

/** `… 7 more findings (content 4, version-count 3): --full shows them`. */
function moreLines(rest: readonly Finding[], page: Page): string[] {
  if (rest.length === 0) return [];
  const byCheck = [...groupBy(rest, ({ check }) => check)];
  const counts = byCheck.map(([check, found]) => `${visible(check)} ${found.length}`).join(', ');
  return wrap(
    `… ${counted(rest.length, 'more finding')} (${counts}): --full shows all`,
    proseWidth(page),
    '  ',
  );
}
