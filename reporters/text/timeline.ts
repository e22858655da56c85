import stringWidth from 'string-width';
import type { ContractJson, Finding, VersionRow } from '../../src/runner/report.ts';
import { showCell } from './cell.ts';
import { isUnpaired, namesOf, roleColumns } from './columns.ts';
import type { InstantFormat } from './instants.ts';
import type { Paint, Style } from './style.ts';
import {
  type Bar,
  hasTimeline,
  type Lane,
  layoutTimeline,
  type Tick,
  type Timeline,
} from './timeline-layout.ts';
import { DIFFERS } from './version-table.ts';
import { cutToWidth, joinParts } from './wrap.ts';

/**
 * A timeline as text. A version is drawn as the half-open interval it is, `[A────)`, an open one as `[A────▶`, one of
 * no length as `◆A`, one that ends before it starts with its brackets the wrong way round. Where there is little
 * room, ticks become letters with a legend; where there is still too little, only the part around the first
 * difference is drawn.
 */
export interface TimelineOptions {
  readonly width: number;
  readonly style: Style;
}

/** Narrowest distance of two ticks: room for `[A─)`. */
const NARROWEST = 4;
/** Widest text in a bar before it is cut; the table below has it in full. */
const WIDEST_LABEL = 20;

interface Row {
  readonly heading: string;
  readonly pieces: readonly Piece[];
}

interface Piece {
  readonly column: number;
  readonly text: string;
  readonly paint: Paint;
}

export function drawTimeline(
  finding: Finding,
  contract: ContractJson,
  instants: InstantFormat,
  options: TimelineOptions,
): string[] {
  const timeline = layoutTimeline(finding);
  if (timeline.ticks.length === 0 || !hasTimeline(finding)) return [];
  const short = options.width < 60;
  const headings = short ? ['E', 'D', ' '] : ['expected', 'actual', 'late'];
  const indent = Math.max(...headings.map((heading) => heading.length)) + 2;
  const room = options.width - indent;
  const label = markedLabel(finding, barLabel(finding, contract));
  const axis = chooseAxis(timeline, instants, label, room);
  const { style } = options;

  const rows: Row[] = [
    ...laneRows(timeline.expected, headings[0]!, axis, label, () => style.good),
    ...laneRows(timeline.actual, headings[1]!, axis, label, (row) =>
      row.differs.length > 0 ? style.bad : style.good,
    ),
    { heading: '', pieces: [{ column: 0, text: ruler(axis), paint: style.dim }] },
    ...axis.labels.map((line) => ({ heading: '', pieces: tickPieces(line, axis, style.dim) })),
    ...lateRows(timeline, headings[2]!, axis, short, style.warn),
  ];
  const lines = rows.map((row) => renderRow(row, indent, style));
  return [...lines, ...joinParts([...axis.legend, ...shapeLegend(timeline)], options.width).map(style.dim)];
}

/** The part of the timeline that is drawn, and where its ticks stand. */
interface Axis {
  readonly first: number;
  /** Column of each drawn tick, from `first` on. */
  readonly columns: readonly number[];
  /** Lines of text under the ticks. */
  readonly labels: readonly (readonly string[])[];
  readonly legend: readonly string[];
  /** Columns that the last tick may use. */
  readonly end: number;
  readonly cutRight: boolean;
}

type Label = (row: VersionRow) => string;

function chooseAxis(timeline: Timeline, instants: InstantFormat, label: Label, room: number): Axis {
  const { ticks } = timeline;
  const spelled = [
    ticks.map((tick) => tickDate(tick, instants)),
    ticks.map((tick) => tickTime(tick, instants)),
  ];
  const wide = place(timeline, spelled, label, WIDEST_LABEL);
  const lines = spelled.filter((line) => line.some((text) => text !== ''));
  if (wide.end <= room) return { ...wide, labels: lines };

  const lettered = [WIDEST_LABEL, 6, NARROWEST - 3]
    .map((widest) => place(timeline, [letters(ticks)], label, widest))
    .find((axis) => axis.end <= room);
  if (lettered === undefined) return window(timeline, instants, room);
  return { ...lettered, labels: [letters(ticks)], legend: letterLegend(ticks, instants) };
}

/** `a`, `b`, … for ticks whose own texts do not fit, and what they stand for. */
function letters(ticks: readonly Tick[]): string[] {
  return ticks.map((tick, index) => (tick.kind === 'open' ? 'open' : letter(index)));
}

function letterLegend(ticks: readonly Tick[], instants: InstantFormat): string[] {
  return ticks.flatMap((tick, index) =>
    tick.kind === 'open'
      ? []
      : [`${letter(index)} ${tickDate(tick, instants)} ${tickTime(tick, instants)}`.trimEnd()],
  );
}

/** Puts ticks as far apart as their texts and the bars that start at them need. */
function place(
  timeline: Timeline,
  lines: readonly (readonly string[])[],
  label: Label,
  widest: number,
): Axis {
  const { ticks } = timeline;
  const bars = [...timeline.expected, ...timeline.actual].flat();
  const columns: number[] = [];
  let column = 0;
  for (const [index] of ticks.entries()) {
    columns.push(column);
    const text = Math.max(...lines.map((line) => stringWidth(line[index]!)));
    const inside = bars
      .filter((bar) => bar.left === index)
      .map((bar) => Math.min(stringWidth(label(bar.row)), widest) + 3);
    column += index === ticks.length - 1 ? text : Math.max(NARROWEST, text + 2, ...inside);
  }
  return { first: 0, columns, labels: [], legend: [], end: column, cutRight: false };
}

/** As many ticks as fit at the narrowest, around the first version that differs. */
function window(timeline: Timeline, instants: InstantFormat, room: number): Axis {
  const { ticks } = timeline;
  const count = Math.max(2, Math.floor((room - 4) / NARROWEST));
  const all = [...timeline.actual, ...timeline.expected].flat();
  const differing = all.filter((bar) => bar.row.differs.length > 0).map((bar) => bar.left);
  const wanted = Math.min(...differing, ticks.length) - 1;
  const first = Math.max(0, Math.min(wanted, ticks.length - count));
  const shown = ticks.slice(first, first + count);
  const columns = shown.map((_, index) => index * NARROWEST);
  return {
    first,
    columns,
    labels: [letters(shown)],
    legend: [
      ...letterLegend(shown, instants),
      `boundaries ${first + 1} to ${first + shown.length} of ${ticks.length}`,
    ],
    end: columns.at(-1)! + 4,
    cutRight: first + count < ticks.length,
  };
}

function laneRows(
  lanes: readonly Lane[],
  heading: string,
  axis: Axis,
  label: Label,
  paintOf: (row: VersionRow) => Paint,
): Row[] {
  if (lanes.length === 0)
    return [{ heading, pieces: [{ column: 0, text: '(no versions)', paint: (text) => text }] }];
  return lanes.map((lane, index) => ({
    heading: index === 0 ? heading : '',
    pieces: lane.flatMap((bar) => barPiece(bar, axis, label, paintOf(bar.row))),
  }));
}

function barPiece(bar: Bar, axis: Axis, label: Label, paint: Paint): Piece[] {
  const last = axis.columns.length - 1;
  const [left, right] = [bar.left - axis.first, bar.right - axis.first];
  if (right <= 0 || left > last) return [];
  const column = axis.columns[Math.max(0, left)]!;
  // A bar that runs into the last tick, or out of the picture, is drawn up to the picture's end.
  const isOpen = bar.row.validTo === null && bar.shape === 'interval';
  const runsOut = right > last || isOpen;
  const end = right > last || (isOpen && right === last) ? axis.end : axis.columns[right]!;
  const text = label(bar.row);
  if (bar.shape === 'point') {
    return [{ column, text: cutToWidth(`◆${text}`, Math.max(2, end - column)), paint }];
  }
  const [opening, closing] =
    bar.shape === 'interval' ? ['[', runsOut ? '▶' : ')'] : [')', runsOut ? '▶' : '['];
  const start = left < 0 ? '…' : opening;
  const stop = runsOut && !isOpen ? '…' : closing;
  const inside = cutToWidth(text, end - column - 2);
  const dashes = '─'.repeat(Math.max(0, end - column - 2 - stringWidth(inside)));
  return [{ column, text: start + inside + dashes + stop, paint }];
}

function ruler(axis: Axis): string {
  const marks = axis.columns.map((column, index) => {
    const next = axis.columns[index + 1];
    return next === undefined ? '┴' : `┴${'─'.repeat(next - column - 1)}`;
  });
  return marks.join('') + (axis.cutRight ? '─…' : '');
}

/** Words for the shapes that nobody expects. */
function shapeLegend(timeline: Timeline): string[] {
  const shapes = new Set([...timeline.expected, ...timeline.actual].flat().map((bar) => bar.shape));
  return [
    ...(shapes.has('point') ? ['◆ starts and ends at one instant'] : []),
    ...(shapes.has('backwards') ? [')─[ ends before it starts'] : []),
  ];
}

function tickPieces(texts: readonly string[], axis: Axis, paint: Paint): Piece[] {
  return texts.flatMap((text, index) => (text === '' ? [] : [{ column: axis.columns[index]!, text, paint }]));
}

function lateRows(timeline: Timeline, heading: string, axis: Axis, short: boolean, paint: Paint): Row[] {
  const rows: Piece[][] = [];
  for (const { tick, batches } of timeline.late) {
    const column = axis.columns[tick - axis.first];
    if (column === undefined) continue;
    const text = short ? `▲ late ${batches.join(', ')}` : `▲ batch ${batches.join(', ')}`;
    const free = rows.find((pieces) =>
      pieces.every((piece) => piece.column + stringWidth(piece.text) + 1 < column),
    );
    if (free === undefined) rows.push([{ column, text, paint }]);
    else free.push({ column, text, paint });
  }
  return rows.map((pieces, index) => ({ heading: index === 0 ? heading : '', pieces }));
}

function renderRow(row: Row, indent: number, style: Style): string {
  let line = style.dim(row.heading);
  let width = stringWidth(row.heading);
  for (const piece of row.pieces) {
    line += ' '.repeat(Math.max(0, indent + piece.column - width)) + piece.paint(piece.text);
    width = Math.max(width, indent + piece.column) + stringWidth(piece.text);
  }
  return line;
}

/** Marks what is wrong: versions of the dimension that differ, and expected ones that it lacks. */
function markedLabel(finding: Finding, label: Label): Label {
  const wrong = new Set([
    ...finding.actual.filter((row) => row.differs.length > 0),
    ...finding.expected.filter(isUnpaired),
  ]);
  return (row) => (wrong.has(row) ? DIFFERS : '') + label(row);
}

/** What is written into bars: the tracked values that tell the versions apart, or the first where none do. */
export function barLabel(finding: Finding, contract: ContractJson): Label {
  const rows = [...finding.expected, ...finding.actual].map((row) => row.values);
  const key = [...roleColumns(contract, 'key'), ...Object.keys(finding.key ?? {})];
  const tracked = roleColumns(contract, 'tracked');
  const names = namesOf(rows).filter((name) =>
    tracked.length > 0 ? tracked.includes(name) : !key.includes(name),
  );
  const telling = names.filter((name) => new Set(rows.map((row) => row[name] ?? null)).size > 1);
  const chosen = telling.length > 0 ? telling : names.slice(0, 1);
  return (row) => {
    const text = chosen.map((name) => showCell(row.values[name] ?? null)).join(' · ');
    return row.isDeleted ? `deleted ${text}`.trimEnd() : text;
  };
}

export function tickDate(tick: Tick, instants: InstantFormat): string {
  return tick.kind === 'instant' ? instants.date(tick.instant) : tick.kind === 'open' ? 'open' : 'no start';
}

export function tickTime(tick: Tick, instants: InstantFormat): string {
  return tick.kind === 'instant' ? instants.time(tick.instant) : '';
}

/** a … z, aa, ab, … */
function letter(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}
