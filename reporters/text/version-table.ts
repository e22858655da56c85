import type { Finding, VersionRow } from '../../src/runner/report.ts';
import { showCell } from './cell.ts';
import { isUnpaired, namesOf } from './columns.ts';
import { visible } from './escape.ts';
import { compareInstants, type InstantFormat } from './instants.ts';
import type { Paint, Style } from './style.ts';
import { fitTable, type TextCell, type TextColumn } from './table.ts';
import { counted } from './wrap.ts';

/** What a block of text is made for. */
export interface TextOptions {
  readonly width: number;
  readonly style: Style;
  /** Most rows to show. */
  readonly rowLimit: number;
  /** Most characters of a cell. */
  readonly cellLimit: number;
}

/** Stands before what differs, in colour and without. */
export const DIFFERS = '≠';

type Side = 'E' | 'D';
interface SidedRow {
  readonly side: Side;
  readonly row: VersionRow;
}

/**
 * Expected and actual rows of a finding as one table, after pygrametl: `E` before the rows that the dimension should
 * hold, `D` before those it does. Rows that start together stand together, so that a pair is read downwards.
 */
export function versionTable(finding: Finding, instants: InstantFormat, options: TextOptions): string[] {
  const all = sidedRows(finding);
  if (all.length === 0) return [];
  const { kept, cut } = mostTelling(all, options.rowLimit);
  const fields = versionFields(
    all.map(({ row }) => row),
    instants,
    options.cellLimit,
  );
  const marked = fields.map((field) => kept.some(({ row }) => isMarked(row, field.name)));
  const hasUnpaired = kept.some(({ row }) => isUnpaired(row));

  const columns: TextColumn[] = [
    { heading: '' },
    ...fields.map(({ heading, keep }, index) => ({ heading: (marked[index] ? ' ' : '') + heading, keep })),
  ];
  if (hasUnpaired) columns.push({ heading: '' });
  const rows = kept.map(({ side, row }) => {
    const paint = side === 'E' ? options.style.good : options.style.bad;
    const cells = fields.map((field, index) => fieldCell(row, field, marked[index]!, paint, options.style));
    const note = isUnpaired(row) ? { text: `${DIFFERS} ${side === 'E' ? 'missing' : 'extra'}`, paint } : null;
    return [{ text: side, paint: options.style.strong }, ...cells, ...(hasUnpaired ? [note] : [])];
  });
  const more = cut === 0 ? [] : [`… ${counted(cut, 'more row')}`];
  return [...fitTable({ columns, rows }, options.width, options.style), ...more, ...emptySides(finding)];
}

/** The words for the table's signs. */
export function versionLegend(finding: Finding): string[] {
  const rows = [...finding.expected, ...finding.actual];
  const differs = rows.some((row) => row.differs.length > 0) ? [`${DIFFERS} differs`] : [];
  return ['E expected', 'D in the dimension', ...differs];
}

function emptySides(finding: Finding): string[] {
  if (finding.expected.length === 0) return ['E (no rows: the dimension should hold none for this key)'];
  return finding.actual.length === 0 ? ['D (no rows: the dimension holds none for this key)'] : [];
}

function sidedRows(finding: Finding): SidedRow[] {
  const sided = (side: Side) => (row: VersionRow) => ({ side, row });
  const rows = [...finding.expected.map(sided('E')), ...finding.actual.map(sided('D'))];
  return rows.sort((a, b) => {
    const [left, right] = [a.row.validFrom, b.row.validFrom];
    if (left === null || right === null) return Number(right === null) - Number(left === null);
    return compareInstants(left, right);
  });
}

/** At most `limit` rows, in their order; those that differ are the last to go. */
function mostTelling(rows: readonly SidedRow[], limit: number): { kept: SidedRow[]; cut: number } {
  const byWorth = [
    ...rows.filter(({ row }) => row.differs.length > 0),
    ...rows.filter(({ row }) => row.differs.length === 0),
  ];
  const chosen = new Set(byWorth.slice(0, limit));
  return { kept: rows.filter((row) => chosen.has(row)), cut: rows.length - chosen.size };
}

interface Field {
  /** As `VersionRow.differs` names it. */
  readonly name: string;
  readonly heading: string;
  readonly keep: boolean;
  show(row: VersionRow): string;
  isNull(row: VersionRow): boolean;
}

function versionFields(rows: readonly VersionRow[], instants: InstantFormat, cellLimit: number): Field[] {
  const values = namesOf(rows.map((row) => row.values)).map((name) => ({
    name,
    heading: visible(name),
    keep: false,
    show: (row: VersionRow) => showCell(row.values[name] ?? null, cellLimit),
    isNull: (row: VersionRow) => (row.values[name] ?? null) === null,
  }));
  const bounds: Field[] = [
    {
      name: 'validFrom',
      heading: 'from',
      keep: true,
      show: (row) =>
        row.table === 'current' ? '–' : row.validFrom === null ? 'NULL' : instants.full(row.validFrom),
      isNull: (row) => row.validFrom === null,
    },
    {
      name: 'validTo',
      heading: 'to',
      keep: true,
      show: (row) =>
        row.table === 'current' ? '–' : row.validTo === null ? 'open' : instants.full(row.validTo),
      isNull: (row) => row.table === 'current',
    },
  ];
  const current: Field = {
    name: 'isCurrent',
    heading: 'current',
    keep: false,
    show: (row) => showCell(row.isCurrent),
    isNull: (row) => row.isCurrent === null,
  };
  const deleted: Field = {
    name: 'isDeleted',
    heading: 'deleted',
    keep: false,
    show: (row) => showCell(row.isDeleted),
    isNull: () => false,
  };
  const table: Field = {
    name: 'table',
    heading: 'table',
    keep: false,
    show: (row) => row.table ?? '',
    isNull: () => false,
  };
  const hasBounds = rows.some((row) => row.table !== 'current');
  const hasTwoTables = rows.some((row) => row.table === 'history');
  const hasFlag = rows.some((row) => row.isCurrent !== null);
  const hasMarkers = rows.some((row) => row.isDeleted);
  return [
    ...(hasTwoTables ? [table] : []),
    ...values,
    ...(hasBounds ? bounds : []),
    ...(hasFlag ? [current] : []),
    ...(hasMarkers ? [deleted] : []),
  ];
}

function isMarked(row: VersionRow, name: string): boolean {
  return row.differs.includes(name) && !isUnpaired(row);
}

/** A cell; where its column has a marked one, the others leave room for the sign, so that values stay aligned. */
function fieldCell(
  row: VersionRow,
  field: Field,
  columnIsMarked: boolean,
  paint: Paint,
  style: Style,
): TextCell {
  const text = field.show(row);
  if (isMarked(row, field.name)) return { text: DIFFERS + text, paint };
  const room = columnIsMarked ? ' ' : '';
  if (isUnpaired(row)) return { text: room + text, paint };
  return field.isNull(row) ? { text: room + text, paint: style.dim } : { text: room + text };
}
