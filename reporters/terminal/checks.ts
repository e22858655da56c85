import type { CheckResult, Report } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { groupBy } from '../text/group.ts';
import type { Paint } from '../text/style.ts';
import { fitTable } from '../text/table.ts';
import { passedOf, verdictText } from '../text/totals.ts';
import { rootOf } from '../text/words.ts';
import { wrap } from '../text/wrap.ts';
import { indented, inner, type Page, proseWidth } from './page.ts';
import { skipLines } from './skipped.ts';
import { paintVerdict } from './verdict.ts';

/** How the checks fared: in a few lines, or each with how often it was put to the test. */
export function checkLines(report: Report, page: Page): string[] {
  const { checks } = report;
  if (checks.length === 0) return [];
  const heading = page.style.strong(`${passedOf(checks)} checks held`);
  if (page.full) return [heading, ...checkTable(checks, page), ...skipLines(checks, page)];
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const unexercised = open.filter(({ exercised }) => exercised === 0);
  const undecided = open.filter(({ exercised }) => exercised > 0);
  const { style } = page;
  return [
    heading,
    ...rootLines(
      'failed',
      failed.filter(({ severity }) => severity === 'error'),
      report,
      style.bad,
      page,
    ),
    ...rootLines(
      'warned',
      failed.filter(({ severity }) => severity === 'warn'),
      report,
      style.warn,
      page,
    ),
    ...listed(
      'never exercised',
      unexercised.map(({ id }) => visible(id)),
      style.warn,
      page,
    ),
    ...listed(
      'inconclusive',
      undecided.map(({ id }) => visible(id)),
      style.warn,
      page,
    ),
    ...skipLines(checks, page),
  ];
}

function listed(word: string, items: readonly string[], paint: Paint, page: Page): string[] {
  if (items.length === 0) return [];
  return indented(wrap(`${word}: ${items.join(', ')}`, proseWidth(page) - 2, '  ').map(paint));
}

/** Failed checks with their violations; those that only follow from another stand behind it. */
function rootLines(
  word: string,
  failed: readonly CheckResult[],
  report: Report,
  paint: Paint,
  page: Page,
): string[] {
  const rootIds = new Map(failed.map((check) => [check.id, rootIdOf(check, report)]));
  const byRoot = groupBy(failed, ({ id }) => rootIds.get(id)!);
  return [...byRoot].flatMap(([root, checks]) => {
    const leading = checks.filter(({ id }) => id === root).map(countText);
    const following = checks.filter(({ id }) => id !== root).map(countText);
    const lead = leading[0] ?? `what follows from ${visible(root)}`;
    const rest = following.length === 0 ? '' : `; with it ${following.join(', ')}`;
    return listed(word, [lead + rest], paint, page);
  });
}

/** The check itself where it leads a finding, else that whose consequence it is. */
function rootIdOf({ id }: CheckResult, { findings }: Report): string {
  const leads = findings.some((finding) => finding.check === id);
  return leads ? id : (rootOf(id, findings)?.check ?? id);
}

function countText({ id, count }: CheckResult): string {
  return `${visible(id)} ${count}`;
}

function checkTable(checks: readonly CheckResult[], page: Page): string[] {
  const columns = [
    { heading: 'check', keep: true },
    { heading: 'verdict', keep: true },
    { heading: 'exercised', align: 'right', keep: true },
    { heading: 'violations', align: 'right', keep: true },
  ] as const;
  const rows = checks.map((check) => [
    { text: visible(check.id) },
    {
      text: verdictText(check.verdict) + (check.severity === 'warn' ? ' (warn)' : ''),
      paint: (text: string) => paintVerdict(check.verdict, text, page.style),
    },
    { text: check.verdict === 'skipped' ? '–' : String(check.exercised) },
    { text: check.verdict === 'skipped' ? '–' : String(check.count) },
  ]);
  return indented(fitTable({ columns, rows }, inner(page).width, page.style));
}
