import type { CaseResult, Count } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import type { Paint } from '../text/style.ts';
import { fitTable, type TextCell, type TextColumn } from '../text/table.ts';
import { passedOf, verdictText } from '../text/totals.ts';
import { DIFFERS } from '../text/version-table.ts';
import { BOUNDARY_CASES, countedUnit } from '../text/words.ts';
import { wrap } from '../text/wrap.ts';
import { indented, inner, type Page, proseWidth } from './page.ts';
import { skipLines } from './skipped.ts';
import { paintVerdict } from './verdict.ts';

/** The seven boundary cases as a table, all others in a line. */
export function caseLines(cases: readonly CaseResult[], page: Page): string[] {
  const boundary = BOUNDARY_CASES.flatMap((id) => cases.filter((result) => result.id === id));
  const further = cases.filter(({ id }) => !BOUNDARY_CASES.includes(id));
  return [
    ...(boundary.length === 0
      ? []
      : [...boundaryTable(boundary, page), page.style.strong(`${passedOf(boundary)} boundary cases`)]),
    ...skipLines(boundary, page),
    ...furtherLines(further, page),
  ];
}

const WIDE = (unit: string): readonly TextColumn[] => [
  { heading: 'case' },
  { heading: `${unit}\nexpected`, align: 'right' },
  { heading: '\nactual', align: 'right' },
  { heading: 'open\nexpected', align: 'right' },
  { heading: '\nactual', align: 'right' },
  { heading: 'verdict' },
];
/** On a narrow page the verdict is its sign, and each pair of counts one column. */
const NARROW = (unit: string): readonly TextColumn[] => [
  { heading: '' },
  { heading: 'case' },
  { heading: `${unit}\nE/D` },
  { heading: 'open\nE/D' },
];

function boundaryTable(results: readonly CaseResult[], page: Page): string[] {
  const narrow = page.width < 60;
  const columns = (narrow ? NARROW : WIDE)(countedUnit(results)).map((column) => ({ ...column, keep: true }));
  const rows = results.map((result) => (narrow ? narrowRow(result, page) : wideRow(result, page)));
  return indented(fitTable({ columns, rows }, inner(page).width, page.style));
}

function wideRow(result: CaseResult, page: Page): TextCell[] {
  const counts = [result.versions, result.open].flatMap((count): TextCell[] => {
    const { expected, actual, paint } = countText(count, page);
    return [{ text: expected }, { text: actual, paint }];
  });
  return [{ text: visible(result.id) }, ...counts, verdictCell(result, verdictText(result.verdict), page)];
}

function narrowRow(result: CaseResult, page: Page): TextCell[] {
  const counts = [result.versions, result.open].map((count): TextCell => {
    const { expected, actual, paint } = countText(count, page);
    return { text: `${expected}/${actual}`, paint };
  });
  return [
    verdictCell(result, verdictText(result.verdict).slice(0, 1), page),
    { text: visible(result.id) },
    ...counts,
  ];
}

function verdictCell(result: CaseResult, text: string, page: Page): TextCell {
  return { text, paint: (shown) => paintVerdict(result.verdict, shown, page.style) };
}

function countText(count: Count | null, { style }: Page): { expected: string; actual: string; paint: Paint } {
  if (count === null) return { expected: '–', actual: '–', paint: style.dim };
  const differs = count.expected !== count.actual;
  const actual = (differs ? DIFFERS : '') + count.actual;
  return { expected: String(count.expected), actual, paint: differs ? style.bad : (text) => text };
}

function furtherLines(results: readonly CaseResult[], page: Page): string[] {
  if (results.length === 0) return [];
  const listed = (['fail', 'inconclusive'] as const).flatMap((verdict) => {
    const found = results.filter((result) => result.verdict === verdict);
    if (found.length === 0) return [];
    const text = `${verdict === 'fail' ? 'failed' : 'not judged'}: ${found.map(({ id }) => visible(id)).join(', ')}`;
    return wrap(text, proseWidth(page) - 2, '  ').map((line) => paintVerdict(verdict, line, page.style));
  });
  const passed = results.filter(({ verdict }) => verdict === 'pass');
  const named =
    page.full && passed.length > 0 ? [`passed: ${passed.map(({ id }) => visible(id)).join(', ')}`] : [];
  return [
    page.style.strong(`${passedOf(results)} further cases`),
    ...indented(listed),
    ...indented(named.flatMap((text) => wrap(text, proseWidth(page) - 2, '  '))),
    ...skipLines(results, page),
  ];
}
