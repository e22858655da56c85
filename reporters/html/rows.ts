import type { Counterexample, FactPoint, Finding, VersionRow } from '../../src/runner/report.ts';
import { isUnpaired, namesOf } from '../text/columns.ts';
import { visible } from '../text/escape.ts';
import type { InstantFormat } from '../text/instants.ts';
import { DIFFERS } from '../text/version-table.ts';
import { type Child, cell, type Element, el, table, time, unseen } from './element.ts';
import { landsRight } from './timeline.ts';

/** Rows of a table; of more, the first so many. */
const ROW_LIMIT = 200;

type Rows = Pick<Finding, 'expected' | 'actual'>;

/** Expected and actual rows as two tables side by side, differing cells marked by sign, word and colour. */
export function versionTables({ expected, actual }: Rows, instants: InstantFormat, where: string): Element {
  const names = namesOf([...expected, ...actual].map(({ values }) => values));
  const hasFlag = [...expected, ...actual].some(({ isCurrent }) => isCurrent !== null);
  const hasMarkers = [...expected, ...actual].some(({ isDeleted }) => isDeleted);
  const hasNotes = [...expected, ...actual].some(isUnpaired);
  const hasBounds = [...expected, ...actual].some((row) => row.table !== 'current');
  const hasTwoTables = [...expected, ...actual].some((row) => row.table === 'history');
  const headings = [
    ...(hasTwoTables ? ['table'] : []),
    ...names.map(visible),
    ...(hasBounds ? ['from', 'to'] : []),
    ...(hasFlag ? ['current'] : []),
    ...(hasMarkers ? ['deleted'] : []),
    ...(hasNotes ? ['note'] : []),
  ];
  const side = (title: string, rows: readonly VersionRow[], alone: string) =>
    rows.length === 0
      ? el('p', { class: 'none' }, el('strong', null, title), ': no rows.')
      : table(
          {
            caption: cut(title, rows.length),
            headings,
            rows: rows.slice(0, ROW_LIMIT).map((row) =>
              versionCells(row, {
                names,
                hasTwoTables,
                hasBounds,
                hasFlag,
                hasMarkers,
                hasNotes,
                instants,
                alone,
              }),
            ),
          },
          `${title}, ${where}`,
        );
  return el(
    'div',
    { class: 'pair' },
    side('Expected', expected, 'missing'),
    side('In the dimension', actual, 'extra'),
  );
}

function cut(title: string, count: number): string {
  return count > ROW_LIMIT ? `${title} (the first ${ROW_LIMIT} of ${count} rows)` : title;
}

interface VersionColumns {
  readonly names: readonly string[];
  readonly hasTwoTables: boolean;
  readonly hasBounds: boolean;
  readonly hasFlag: boolean;
  readonly hasMarkers: boolean;
  readonly hasNotes: boolean;
  readonly instants: InstantFormat;
  /** What a row is that has no partner. */
  readonly alone: string;
}

function versionCells(row: VersionRow, columns: VersionColumns): Element[] {
  const { names, hasTwoTables, hasBounds, hasFlag, hasMarkers, hasNotes, instants, alone } = columns;
  const unpaired = isUnpaired(row);
  const one = (name: string, shown: Child, isNull = false) => {
    const differs = row.differs.includes(name) && !unpaired;
    const classes = [...(differs || unpaired ? ['differs'] : []), ...(isNull ? ['null'] : [])].join(' ');
    return el(
      'td',
      classes === '' ? null : { class: classes },
      ...(differs ? [el('span', { 'aria-hidden': 'true' }, DIFFERS), unseen('differs: ')] : []),
      shown,
    );
  };
  const boundCells = () =>
    row.table === 'current'
      ? [one('validFrom', '–', true), one('validTo', '–', true)]
      : [
          one(
            'validFrom',
            row.validFrom === null ? 'NULL' : time(row.validFrom, instants),
            row.validFrom === null,
          ),
          one('validTo', row.validTo === null ? 'open' : time(row.validTo, instants)),
        ];
  return [
    ...(hasTwoTables ? [one('table', row.table ?? '')] : []),
    ...names.map((name) => one(name, cell(row.values[name] ?? null), (row.values[name] ?? null) === null)),
    ...(hasBounds ? boundCells() : []),
    ...(hasFlag ? [one('isCurrent', cell(row.isCurrent), row.isCurrent === null)] : []),
    ...(hasMarkers ? [one('isDeleted', cell(row.isDeleted))] : []),
    ...(hasNotes
      ? [el('td', unpaired ? { class: 'differs' } : null, unpaired ? `${DIFFERS} ${alone}` : '')]
      : []),
  ];
}

/** The batches in the order in which they arrived, late ones marked. */
export function batchesTable({ batches }: Counterexample, instants: InstantFormat): Element {
  const names = namesOf(batches.flatMap(({ rows }) => rows));
  const lines = batches.flatMap((batch, index) => {
    const rows = batch.rows.length === 0 ? [null] : batch.rows;
    return rows.map((row) => ({ batch, number: index + 1, row }));
  });
  return table(
    {
      caption: cut('Batches, in order of arrival', lines.length),
      headings: ['batch', 'as of (UTC)', 'note', ...names.map(visible)],
      rows: lines.slice(0, ROW_LIMIT).map(({ batch, number, row }) => {
        const note = [...(batch.late ? ['▲ late'] : []), ...(row === null ? ['no rows'] : [])].join(', ');
        return [
          el('th', { scope: 'row' }, number),
          el('td', null, time(batch.asOf, instants)),
          el('td', batch.late ? { class: 'late' } : null, note),
          ...names.map((name) =>
            row === null
              ? el('td', null, '')
              : el('td', (row[name] ?? null) === null ? { class: 'null' } : null, cell(row[name] ?? null)),
          ),
        ];
      }),
    },
    'Batches',
  );
}

/** What the points of the timeline stand for. */
export function factsTable(facts: readonly FactPoint[], instants: InstantFormat): Element {
  return table(
    {
      caption: cut('Facts at the boundaries and beside them', facts.length),
      headings: ['at (UTC)', 'amount', 'belongs to', 'lands in', 'verdict'],
      rows: facts.slice(0, ROW_LIMIT).map((point) => {
        const isRight = landsRight(point);
        return [
          el('th', { scope: 'row' }, time(point.instant, instants)),
          el('td', { class: 'number' }, point.amount.toFixed(2)),
          el('td', null, visible(point.expected)),
          el('td', isRight ? null : { class: 'differs' }, point.met.map(visible).join(' and ')),
          el('td', isRight ? null : { class: 'differs' }, isRight ? '● right' : '✕ wrong'),
        ];
      }),
    },
    'Facts',
  );
}
