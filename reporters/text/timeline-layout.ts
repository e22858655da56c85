import type { Finding, VersionRow } from '../../src/runner/report.ts';
import { compareInstants } from './instants.ts';

/**
 * Where the versions of one key lie on an *ordinal* axis: one tick for each boundary, in order and equally far apart
 * whatever the time between them, so that one microsecond and an end in 9999 are both seen. Data only: text and
 * drawings are made from it.
 */
export interface Timeline {
  readonly ticks: readonly Tick[];
  readonly expected: readonly Lane[];
  readonly actual: readonly Lane[];
  /** Batches that arrived late, by the tick of their instant. */
  readonly late: readonly { readonly tick: number; readonly batches: readonly number[] }[];
}

export type Tick =
  | { readonly kind: 'instant'; readonly instant: string }
  /** Left of all instants: where a start is missing. */
  | { readonly kind: 'missing' }
  /** Right of all instants: where open versions end. */
  | { readonly kind: 'open' };

/** Bars that do not touch each other, from left to right. */
export type Lane = readonly Bar[];

export interface Bar {
  readonly row: VersionRow;
  /** `point`: a version of no length. `backwards`: one that ends before it starts. */
  readonly shape: 'interval' | 'point' | 'backwards';
  /** Ticks of its left and right end; of a point, of itself and the next. */
  readonly left: number;
  readonly right: number;
}

export function layoutTimeline(whole: Finding): Timeline {
  const finding = withBounds(whole);
  const ticks = ticksOf(finding);
  const lanes = (rows: readonly VersionRow[]) => stack(rows.map((row) => barOf(row, ticks)));
  return {
    ticks,
    expected: lanes(finding.expected),
    actual: lanes(finding.actual),
    late: lateMarks(finding, ticks),
  };
}

/** Rows of a table that is overwritten lie at no time; where there are no others, there is nothing to draw. */
function withBounds(finding: Finding): Finding {
  const versions = (rows: readonly VersionRow[]) => rows.filter(({ table }) => table !== 'current');
  return { ...finding, expected: versions(finding.expected), actual: versions(finding.actual) };
}

/** Whether there is anything to draw. */
export function hasTimeline(whole: Finding): boolean {
  const { expected, actual } = withBounds(whole);
  return expected.length + actual.length > 0;
}

function ticksOf({ expected, actual, counterexample }: Finding): Tick[] {
  const rows = [...expected, ...actual];
  const bounds = rows.flatMap((row) => [row.validFrom, row.validTo]).filter((instant) => instant !== null);
  const late = counterexample.batches.filter((batch) => batch.late).map((batch) => batch.asOf);
  const instants = [...new Set([...bounds, ...late])].sort(compareInstants);
  const missing: Tick[] = rows.some((row) => row.validFrom === null) ? [{ kind: 'missing' }] : [];
  const open: Tick[] = rows.some((row) => row.validTo === null) ? [{ kind: 'open' }] : [];
  return [...missing, ...instants.map((instant): Tick => ({ kind: 'instant', instant })), ...open];
}

function barOf(row: VersionRow, ticks: readonly Tick[]): Bar {
  const from = tickOf(ticks, row.validFrom, 'missing');
  const to = tickOf(ticks, row.validTo, 'open');
  if (from === to) return { row, shape: 'point', left: from, right: from + 1 };
  if (from > to) return { row, shape: 'backwards', left: to, right: from };
  return { row, shape: 'interval', left: from, right: to };
}

function tickOf(ticks: readonly Tick[], instant: string | null, otherwise: 'missing' | 'open'): number {
  return ticks.findIndex((tick) =>
    instant === null ? tick.kind === otherwise : tick.kind === 'instant' && tick.instant === instant,
  );
}

/** Each bar goes to the first lane that is free where it begins, so that overlaps lie on top of each other. */
function stack(bars: readonly Bar[]): Bar[][] {
  const lanes: Bar[][] = [];
  // A point comes after an interval that starts with it: the interval is then drawn beside its neighbours.
  const ordered = [...bars].sort(
    (a, b) =>
      a.left - b.left || Number(a.shape === 'point') - Number(b.shape === 'point') || a.right - b.right,
  );
  for (const bar of ordered) {
    const free = lanes.find((lane) => lane.at(-1)!.right <= bar.left);
    if (free === undefined) lanes.push([bar]);
    else free.push(bar);
  }
  return lanes;
}

function lateMarks({ counterexample }: Finding, ticks: readonly Tick[]): Timeline['late'] {
  const byTick = new Map<number, number[]>();
  for (const [index, batch] of counterexample.batches.entries()) {
    if (!batch.late) continue;
    const tick = tickOf(ticks, batch.asOf, 'open');
    byTick.set(tick, [...(byTick.get(tick) ?? []), index + 1]);
  }
  return [...byTick].sort(([a], [b]) => a - b).map(([tick, batches]) => ({ tick, batches }));
}
