/** Decimals between unscaled integers, as Arrow stores them, and text. Short ones, nearly all, go without big integers. */
import type { ColumnType } from '../contract/columns.ts';

/** The digits of `decimal(precision,scale)`. */
export function decimalShape(type: ColumnType): { precision: number; scale: number } {
  const match = /^decimal\((\d+),\s*(\d+)\)$/.exec(type);
  if (match === null) throw new Error(`"${type}" is no column type.`);
  return { precision: Number(match[1]), scale: Number(match[2]) };
}

/** The unscaled value of a row of decimal data, of any width. */
export function unscaled(words: Uint32Array, row: number, wordCount: number): bigint {
  const at = row * wordCount;
  let value = BigInt(words[at + wordCount - 1]! | 0);
  for (let i = wordCount - 2; i >= 0; i--) value = (value << 32n) | BigInt(words[at + i]!);
  return value;
}

/** The text of a row of decimal data: see `decimalText`. */
export function decimalTextAt(words: Uint32Array, row: number, wordCount: number, scale: number): string {
  const value = safeNumber(words, row * wordCount, wordCount);
  return value === null ? decimalText(unscaled(words, row, wordCount), scale) : decimalText(value, scale);
}

/** The value that begins at a word, if it is a safe integer. */
function safeNumber(words: Uint32Array, at: number, wordCount: number): number | null {
  if (wordCount < 2) return words[at]! | 0;
  const high = words[at + 1]! | 0;
  const sign = (high >> 31) >>> 0;
  for (let i = 2; i < wordCount; i++) if (words[at + i] !== sign) return null;
  const value = high * 2 ** 32 + words[at]!;
  return Number.isSafeInteger(value) ? value : null;
}

/** Text of an unscaled value, with exactly `scale` fraction digits: `-0.50`. */
export function decimalText(value: bigint | number, scale: number): string {
  if (scale <= 0) return scale === 0 ? String(value) : String(BigInt(value) * 10n ** BigInt(-scale));
  const digits = String(value < 0 ? -value : value).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${value < 0 ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The unscaled value of a decimal text, or null where it is no decimal or needs more digits than `precision`, `scale`. */
export function parseDecimal(text: string, precision: number, scale: number): bigint | null {
  const short = parseShort(text, scale);
  if (short !== null) return Math.abs(short) < 10 ** precision ? BigInt(short) : null;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const value = rescale(BigInt(whole + fraction), Number(exponent) - fraction.length + scale);
  if (value === null || value >= 10n ** BigInt(precision)) return null;
  return sign === '-' ? -value : value;
}

/** The unscaled value of a text like `-12.50` of at most 15 digits and exactly `scale` after the point, else null. */
function parseShort(text: string, scale: number): number | null {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  const point = scale === 0 ? text.length : text.length - scale - 1;
  if (point <= start || text.length > 15) return null;
  let value = 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (i === point) {
      if (code !== POINT) return null;
    } else {
      if (code < ZERO || code > NINE) return null;
      value = value * 10 + code - ZERO;
    }
  }
  return start === 1 ? -value : value;
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/** A value times a power of ten, or null where digits would be lost. */
function rescale(value: bigint, power: number): bigint | null {
  if (value === 0n) return 0n;
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return value % divisor === 0n ? value / divisor : null;
}
