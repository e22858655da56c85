/**
 * Dates and times between numbers and text, for columns of them. What is right is in `contract/instant.ts`; this adds
 * speed (a column repeats few days) and the units and ranges of other people's columns.
 */
import * as arrow from 'apache-arrow';
import { formatDate, formatInstant, parseInstant } from '../contract/instant.ts';

const DAY_MICROS = 86_400_000_000;
const DAYS_IN_400_YEARS = 146_097;
const MAX_CACHED = 10_000;
const dayTexts = new Map<number, string>();
const dayNumbers = new Map<string, number | null>();

/** `YYYY-MM-DD` of days since the epoch. */
export function dayText(days: number): string {
  return cached(dayTexts, days, () => formatDate(BigInt(days) * BigInt(DAY_MICROS)));
}

/** Days since the epoch of `YYYY-MM-DD`, or null where it is no date. Years may have up to seven digits. */
export function parseDay(text: string): number | null {
  return cached(dayNumbers, text, () => parseDayAnew(text));
}

function parseDayAnew(text: string): number | null {
  const match = /^([+-]?\d{4,7})(-\d{2}-\d{2})$/.exec(text);
  if (match === null) return null;
  // The calendar repeats every 400 years, so a year beyond what `parseInstant` takes is moved to one it does.
  const cycles = Math.floor((Number(match[1]) - 2000) / 400);
  const micros = parseInstant(`${Number(match[1]) - cycles * 400}${match[2]}`);
  return micros === null ? null : Number(micros / BigInt(DAY_MICROS)) + cycles * DAYS_IN_400_YEARS;
}

function cached<K, V>(cache: Map<K, V>, key: K, make: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = make();
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, value);
  return value;
}

/** `YYYY-MM-DDTHH:MM:SS.ffffffZ` of microseconds since the epoch. */
export function timestampText(micros: bigint): string {
  const value = Number(micros);
  if (!Number.isSafeInteger(value)) return formatInstant(micros);
  const days = Math.floor(value / DAY_MICROS);
  return `${dayText(days)}T${clockText(value - days * DAY_MICROS)}Z`;
}

/** A `timestampText` that remembers: columns of instants repeat few, and ends repeat one, beyond safe integers. */
export function timestampTexts(): (micros: bigint) => string {
  const texts = new Map<bigint, string>();
  return (micros) => {
    const known = texts.get(micros);
    if (known !== undefined) return known;
    const text = timestampText(micros);
    if (texts.size < 1000) texts.set(micros, text);
    return text;
  };
}

const THREE_DIGITS = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0'));
const SECONDS = THREE_DIGITS.slice(0, 60).map((digits) => `${digits.slice(1)}.`);
/** `HH:MM:` of every minute of a day, and of its end. */
const MINUTES = Array.from({ length: 24 * 60 + 1 }, (_, i) => {
  return `${THREE_DIGITS[Math.floor(i / 60)]!.slice(1)}:${THREE_DIGITS[i % 60]!.slice(1)}:`;
});

/** `HH:MM:SS.ffffff` of microseconds since midnight; 24:00:00 is one of them. What is no time of day stays a number. */
export function clockText(micros: number): string {
  if (!(micros >= 0 && micros <= DAY_MICROS)) return String(micros);
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = micros - seconds * 1_000_000;
  // Put together from ready parts, the short ones first: this is where columns of instants spend their time.
  const tail =
    SECONDS[seconds % 60]! + THREE_DIGITS[Math.floor(fraction / 1000)]! + THREE_DIGITS[fraction % 1000]!;
  return MINUTES[Math.floor(seconds / 60)]! + tail;
}

/** Microseconds of any instant that `parseInstant` takes, or null where the text is none or does not fit 64 bits. */
export function parseTimestamp(text: string): bigint | null {
  if (!isCanonical(text)) return in64Bits(parseInstant(text));
  const days = parseDay(text.slice(0, 10));
  const hours = digits(text, 11, 13);
  const minutes = digits(text, 14, 16);
  const seconds = digits(text, 17, 19);
  if (days === null || hours > 23 || minutes > 59 || seconds > 59) return null;
  const micros = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + digits(text, 20, 26);
  return BigInt(days) * BigInt(DAY_MICROS) + BigInt(micros);
}

const CANONICAL = '####-##-##T##:##:##.######Z';
const HASH = 35;

/** Whether a text has the shape of `CANONICAL`; a loop, because columns of instants are long and an expression slower. */
function isCanonical(text: string): boolean {
  if (text.length !== CANONICAL.length) return false;
  for (let i = 0; i < CANONICAL.length; i++) {
    const code = text.charCodeAt(i);
    const expected = CANONICAL.charCodeAt(i);
    if (expected === HASH ? code < 48 || code > 57 : code !== expected) return false;
  }
  return true;
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + text.charCodeAt(i) - 48;
  return value;
}

function in64Bits(micros: bigint | null): bigint | null {
  return micros !== null && BigInt.asIntN(64, micros) === micros ? micros : null;
}

/** How a unit becomes microseconds: `times`, then divided by `per`. */
export interface MicrosIn {
  readonly times: bigint;
  readonly per: bigint;
}

export function microsIn(unit: arrow.TimeUnit): MicrosIn {
  switch (unit) {
    case arrow.TimeUnit.SECOND:
      return { times: 1_000_000n, per: 1n };
    case arrow.TimeUnit.MILLISECOND:
      return { times: 1000n, per: 1n };
    case arrow.TimeUnit.NANOSECOND:
      return { times: 1n, per: 1000n };
    default:
      return { times: 1n, per: 1n };
  }
}

/** Digits beyond microseconds are cut off, towards the past. */
export function toMicros(value: bigint, { times, per }: MicrosIn): bigint {
  if (per === 1n) return value * times;
  const quotient = value / per;
  return value % per < 0n ? quotient - 1n : quotient;
}
