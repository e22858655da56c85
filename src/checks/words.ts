import type { Cell } from '../contract/columns.ts';
import { formatInstant } from '../contract/instant.ts';

/** An instant in a message: ISO text, without the parts that are zero. */
export function at(micros: Cell | undefined): string {
  if (micros === null || micros === undefined) return 'open';
  const text = formatInstant(BigInt(micros as bigint | number));
  return text
    .replace(/\.000000Z$/, 'Z')
    .replace(/T00:00:00Z$/, '')
    .replace(/:00Z$/, 'Z');
}

/** `[from, to)`. */
export function interval(from: Cell | undefined, to: Cell | undefined): string {
  return `[${from === null ? 'missing' : at(from)}, ${at(to)})`;
}

/** `1 row`, `2 rows`. */
export function count(number: Cell | undefined, singular: string, plural = `${singular}s`): string {
  return `${number} ${Number(number) === 1 ? singular : plural}`;
}

/** A value of an attribute. */
export function quoted(value: Cell | undefined): string {
  return value === null || value === undefined ? 'NULL' : `“${value}”`;
}
