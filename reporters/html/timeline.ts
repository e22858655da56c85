import { scaleLinear, scalePoint } from 'd3-scale';
import { symbol, symbolCircle, symbolTimes, symbolTriangle } from 'd3-shape';
import type { ContractJson, FactPoint, Finding } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { compareInstants, type InstantFormat } from '../text/instants.ts';
import { barLabel, tickDate, tickTime } from '../text/timeline.ts';
import { type Bar, hasTimeline, type Lane, layoutTimeline, type Timeline } from '../text/timeline-layout.ts';
import { counted } from '../text/wrap.ts';
import { type Child, type Element, el } from './element.ts';

/**
 * The timeline of one key as inline SVG, drawn when the report is written: a picture needs no script then. d3-scale and
 * d3-shape do the geometry; they are small, need no document, and are what most charts of the web are made with.
 */

const LEFT = 84;
const RIGHT = 56;
const LANE = 30;
const GAP = 14;
/** Distance of two boundaries: room for a date. */
const STEP = 108;
/** Average width of a character of the labels. */
const CHARACTER = 7.2;

/** `id` names the picture, whose words are in the caption and the tables beside it. */
export function timelineFigure(
  finding: Finding,
  contract: ContractJson,
  instants: InstantFormat,
  id: string,
): Element | null {
  const timeline = layoutTimeline(finding);
  if (timeline.ticks.length === 0 || !hasTimeline(finding)) return null;
  const width = LEFT + Math.max(1, timeline.ticks.length - 1) * STEP + RIGHT;
  const x = scalePoint<number>()
    .domain(timeline.ticks.map((_, index) => index))
    .range([LEFT, width - RIGHT]);
  const at = (tick: number) => x(tick)!;
  const label = barLabel(finding, contract);
  const top = { expected: 6, actual: 0, facts: 0, axis: 0, late: 0 };
  const height = (lanes: readonly Lane[]) => Math.max(1, lanes.length) * LANE;
  top.actual = top.expected + height(timeline.expected) + GAP;
  top.facts = top.actual + height(timeline.actual) + GAP / 2;
  const facts = placeFacts(finding.facts ?? [], timeline, at);
  top.axis = top.facts + (facts.length === 0 ? 0 : 26);
  top.late = top.axis + 44;
  const total = top.late + (timeline.late.length === 0 ? 0 : 24);
  const bars = (lanes: readonly Lane[], y: number, side: 'expected' | 'actual') =>
    lanes.length === 0
      ? [el('text', { x: LEFT, y: y + 20, class: 'faint' }, '(no versions)')]
      : lanes.flatMap((lane, index) =>
          lane.map((bar) => barShape(bar, side, at, y + index * LANE, width, label(bar.row))),
        );
  const picture = el(
    'svg',
    {
      width,
      height: total,
      viewBox: `0 0 ${width} ${total}`,
      role: 'img',
      'aria-labelledby': `${id}-caption`,
    },
    ...timeline.ticks.map((_, index) =>
      el('line', { class: 'grid', x1: at(index), x2: at(index), y1: 0, y2: top.axis }),
    ),
    heading('expected', top.expected + 19),
    ...bars(timeline.expected, top.expected, 'expected'),
    heading('actual', top.actual + 19),
    ...bars(timeline.actual, top.actual, 'actual'),
    ...(facts.length === 0 ? [] : [heading('facts', top.facts + 17)]),
    ...facts.map(({ point, x: place }) => factShape(point, place, top.facts + 13, instants)),
    el('line', { class: 'axis', x1: LEFT, x2: width - RIGHT, y1: top.axis, y2: top.axis }),
    ...timeline.ticks.flatMap((tick, index) => [
      el('line', { class: 'axis', x1: at(index), x2: at(index), y1: top.axis, y2: top.axis + 5 }),
      el('text', { class: 'tick', x: at(index), y: top.axis + 19 }, tickDate(tick, instants)),
      el('text', { class: 'tick', x: at(index), y: top.axis + 35 }, tickTime(tick, instants)),
    ]),
    ...(timeline.late.length === 0 ? [] : [heading('late', top.late + 15)]),
    ...timeline.late.flatMap(({ tick, batches }) => lateShape(batches, at(tick), top.late + 10)),
  );
  return el(
    'figure',
    { class: 'timeline' },
    el('div', { class: 'scroll', role: 'group', tabindex: 0, 'aria-label': 'Timeline' }, picture),
    el('figcaption', { id: `${id}-caption` }, captionOf(finding, timeline)),
  );
}

function heading(text: string, y: number): Element {
  return el('text', { class: 'lane', x: 4, y }, text);
}

/** A version: closed where it begins, open where it ends; an arrow where it has no end. */
function barShape(
  { row, shape, left, right }: Bar,
  side: 'expected' | 'actual',
  at: (tick: number) => number,
  y: number,
  width: number,
  text: string,
): Element {
  const isWrong =
    row.differs.length > 0 && (side === 'actual' || shape !== 'interval' || isMissing(row.differs));
  const isOpen = row.validTo === null && shape === 'interval';
  const from = at(left);
  const to = shape === 'point' ? from + 40 : isOpen ? Math.min(at(right) + 24, width - 8) : at(right) - 1;
  const middle = y + (LANE - 6) / 2;
  const bottom = y + LANE - 6;
  const outline = isOpen
    ? `M${from} ${y}H${to - 10}L${to} ${middle}L${to - 10} ${bottom}H${from}Z`
    : `M${from} ${y}H${to}V${bottom}H${from}Z`;
  const mark = `${isWrong ? '≠ ' : ''}${shape === 'point' ? '◆ ' : shape === 'backwards' ? '⇤ ' : ''}`;
  const room = Math.floor((to - from - 16) / CHARACTER);
  return el(
    'g',
    { class: `bar ${side}${isWrong ? ' wrong' : ''} ${shape}` },
    el('path', { d: outline }),
    el('line', { class: 'start', x1: from, x2: from, y1: y, y2: bottom }),
    el('text', { x: from + 8, y: middle + 5 }, cutTo(mark + text, Math.max(3, room))),
  );
}

function isMissing(differs: readonly string[]): boolean {
  return differs.includes('validFrom') && differs.includes('validTo');
}

function cutTo(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

interface PlacedFact {
  readonly point: FactPoint;
  readonly x: number;
}

/** A fact at a boundary stands at its tick; those between two boundaries stand between, in order and evenly apart. */
function placeFacts(
  facts: readonly FactPoint[],
  { ticks }: Timeline,
  at: (tick: number) => number,
): PlacedFact[] {
  const instants = ticks.flatMap((tick, index) =>
    tick.kind === 'instant' ? [{ index, instant: tick.instant }] : [],
  );
  const gaps = new Map<number, FactPoint[]>();
  const placed: PlacedFact[] = [];
  for (const point of facts) {
    const exact = instants.find(({ instant }) => instant === point.instant);
    if (exact !== undefined) placed.push({ point, x: at(exact.index) });
    else {
      const before = instants.filter(({ instant }) => compareInstants(instant, point.instant) < 0).length;
      gaps.set(before, [...(gaps.get(before) ?? []), point]);
    }
  }
  for (const [before, points] of gaps) {
    const first = instants[before - 1];
    const next = instants[before];
    const start = first === undefined ? at(next?.index ?? 0) - 44 : at(first.index);
    const end = next === undefined ? start + STEP : at(next.index);
    const place = scaleLinear()
      .domain([0, points.length + 1])
      .range([start, end]);
    points.forEach((point, index) => {
      placed.push({ point, x: place(index + 1) });
    });
  }
  return placed.sort((a, b) => a.x - b.x);
}

export function landsRight({ expected, met }: FactPoint): boolean {
  return met.length === 1 && met[0] === expected;
}

function factShape(point: FactPoint, x: number, y: number, instants: InstantFormat): Element {
  const isRight = landsRight(point);
  const shape = symbol(isRight ? symbolCircle : symbolTimes, isRight ? 34 : 60)() ?? '';
  const words = `${instants.full(point.instant)}: belongs to ${visible(point.expected)}, meets ${point.met.map(visible).join(' and ')}`;
  return el(
    'path',
    { class: isRight ? 'fact' : 'fact wrong', d: shape, transform: `translate(${round(x)} ${y})` },
    el('title', null, words),
  );
}

function lateShape(batches: readonly number[], x: number, y: number): Child[] {
  return [
    el('path', {
      class: 'late',
      d: symbol(symbolTriangle, 60)() ?? '',
      transform: `translate(${round(x)} ${y})`,
    }),
    el('text', { class: 'late', x: x + 10, y: y + 5 }, `batch ${batches.join(', ')}`),
  ];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function captionOf({ expected, actual, facts = [] }: Finding, { late, ticks }: Timeline): string {
  const wrong = facts.filter((point) => !landsRight(point)).length;
  return [
    `${counted(expected.length, 'version')} expected (above), ${actual.length} in the dimension (below), at ${ticks.length} boundaries in order of time; the axis shows order and not length.`,
    '≠ marks what differs; an arrow has no end.',
    ...(facts.length === 0 ? [] : [`Facts: ● lands right, ✕ lands wrong: ${wrong} of ${facts.length}.`]),
    ...(late.length === 0 ? [] : ['▲ marks where a late batch belongs.']),
  ].join(' ');
}
