const MAX_CHARACTERS = 60;

/** A value of user code as a message quotes it: short, on one line, whatever it is. */
export function show(value: unknown): string {
  const text = describe(value);
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_CHARACTERS + 1));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `a function`;
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'an invalid Date' : `the Date ${value.toISOString()}`;
  if (value instanceof Promise) return 'a promise';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `the object ${jsonText(value)}`;
  return String(value);
}

/** JSON of anything: 64-bit integers as digits, what JSON cannot hold as `String` makes it. */
export function jsonText(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? inner.toString() : inner)) ??
      String(value)
    );
  } catch {
    return String(value);
  }
}
