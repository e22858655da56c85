import type { CaseResult, Count, Report } from '../../../src/runner/report.ts';
import { visible } from '../../text/escape.ts';
import { verdictText } from '../../text/totals.ts';
import { DIFFERS } from '../../text/version-table.ts';
import { BOUNDARY_CASES, countedUnit } from '../../text/words.ts';
import { type Element, el, table } from '../element.ts';
import { section } from './section.ts';

/** The seven boundary cases as a table; the others as one that is folded. */
export function casesPart({ cases }: Report): Element {
  const boundary = BOUNDARY_CASES.flatMap((id) => cases.filter((result) => result.id === id));
  const further = cases.filter(({ id }) => !BOUNDARY_CASES.includes(id));
  return section(
    'cases',
    'Cases',
    boundary.length === 0
      ? el('p', null, 'The boundary cases were not run.')
      : casesTable(boundary, 'The seven boundary cases'),
    further.length === 0
      ? null
      : el(
          'details',
          further.some(({ verdict }) => verdict === 'fail') ? { open: true } : null,
          el('summary', null, `Further cases (${further.length})`),
          casesTable(further, 'Further cases'),
        ),
  );
}

function casesTable(results: readonly CaseResult[], caption: string): Element {
  return table(
    {
      caption,
      headings: [
        'case',
        `${countedUnit(results)} expected`,
        `${countedUnit(results)} actual`,
        'open expected',
        'open actual',
        'verdict',
        'what it is about',
      ],
      rows: results.map((result) => [
        el('th', { scope: 'row' }, visible(result.id)),
        ...countCells(result.versions),
        ...countCells(result.open),
        verdictCell(result.verdict),
        el(
          'td',
          null,
          visible(result.title),
          result.skipReason === undefined ? '' : ` (skipped: ${visible(result.skipReason)})`,
        ),
      ]),
    },
    caption,
  );
}

function countCells(count: Count | null): Element[] {
  if (count === null) return [el('td', { class: 'number' }, '–'), el('td', { class: 'number' }, '–')];
  const differs = count.expected !== count.actual;
  return [
    el('td', { class: 'number' }, count.expected),
    el('td', { class: differs ? 'number differs' : 'number' }, `${differs ? DIFFERS : ''}${count.actual}`),
  ];
}

export function verdictCell(verdict: CaseResult['verdict']): Element {
  return el('td', { class: `is-${verdict}` }, verdictText(verdict));
}
