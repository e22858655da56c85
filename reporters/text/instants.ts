import { visible } from './escape.ts';

/**
 * Instants for readers. Reports hold them as ISO text with six decimals; most of those digits are zero for every
 * instant of a finding, and the reader should not have to compare zeros.
 */
export interface InstantFormat {
  /** `2026-03-01 06:00`. */
  full(instant: string): string;
  /** `2026-03-01`. */
  date(instant: string): string;
  /** `06:00`, or '' where all instants are whole days. */
  time(instant: string): string;
}

interface Parts {
  readonly year: number;
  readonly date: string;
  readonly rest: string;
}

const PARTS = /^([+-]?\d{4,6})(-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}\.\d{6})Z$/;
/** Lengths of `HH:MM:SS.ffffff` that stop after: nothing (a whole day), minutes, seconds, milliseconds, microseconds. */
const LENGTHS = [0, 5, 8, 12, 15] as const;
const MIDNIGHT = '00:00:00.000000';

/** The shortest form that loses nothing of any of these instants. Far ones (sentinels) do not lengthen the others. */
export function instantFormat(instants: readonly string[]): InstantFormat {
  const near = instants.map(parse).filter((parts) => parts !== null && !isFar(parts));
  const length = Math.max(0, ...near.map((parts) => neededLength(parts!)));
  const time = (instant: string) => {
    const parts = parse(instant);
    if (parts === null) return '';
    return parts.rest.slice(0, isFar(parts) ? neededLength(parts) : Math.max(length, neededLength(parts)));
  };
  const date = (instant: string) => parse(instant)?.date ?? visible(instant);
  return { date, time, full: (instant) => `${date(instant)} ${time(instant)}`.trimEnd() };
}

/** Orders instants in time; years beyond 9999 and before 0 included. */
export function compareInstants(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  if (left === null || right === null) return a < b ? -1 : Number(a > b);
  if (left.year !== right.year) return left.year - right.year;
  const [x, y] = [left.date.slice(-5) + left.rest, right.date.slice(-5) + right.rest];
  return x < y ? -1 : Number(x > y);
}

function parse(instant: string): Parts | null {
  const match = PARTS.exec(instant);
  if (match === null) return null;
  const [, year, monthDay, rest] = match;
  return { year: Number(year), date: `${year}${monthDay}`, rest: rest! };
}

/** Years that people take for "always" and "never ends". */
function isFar(parts: Parts): boolean {
  return parts.year >= 2999 || parts.year <= 1900;
}

function neededLength(parts: Parts): number {
  return LENGTHS.find((length) => parts.rest.slice(length) === MIDNIGHT.slice(length))!;
}
