/** A replacer for `JSON.stringify`: what JSON cannot hold (64-bit integers, NaN, −0, ±Infinity) becomes text, as in a `JsonRow`. */
export function jsonSafe(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'number') return value;
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}
