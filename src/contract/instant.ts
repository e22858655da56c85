/**
 * Instants are signed 64-bit microseconds since the epoch, UTC, all the way through: never a JavaScript `Date`,
 * which has no microseconds. At borders they are ISO text with six decimals.
 */

const DAY = 86_400_000_000n;

/** Later than every instant: what an open or an infinite end is where ends are compared. */
export const FOREVER = 9_223_372_036_854_775_807n;

const TEXT =
  /^([+-]?\d{4,6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Microseconds of an ISO date or timestamp. Text without a zone is UTC; digits beyond microseconds are cut off.
 * Returns null where the text is not an instant.
 */
export function parseInstant(text: string): bigint | null {
  const match = TEXT.exec(text.trim());
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const days = daysFromCivil(Number(year), Number(month), Number(day));
  if (days === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const micros = BigInt(fraction.padEnd(6, '0').slice(0, 6));
  const seconds = BigInt(hour) * 3600n + BigInt(minute) * 60n + BigInt(second);
  return days * DAY + seconds * 1_000_000n + micros - zoneMicros(zone);
}

/** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export function formatInstant(micros: bigint): string {
  const days = floorDivide(micros, DAY);
  const rest = micros - days * DAY;
  const seconds = rest / 1_000_000n;
  const two = (value: bigint) => value.toString().padStart(2, '0');
  const clock = `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  return `${formatDay(days)}T${clock}.${(rest % 1_000_000n).toString().padStart(6, '0')}Z`;
}

/** `YYYY-MM-DD` of the day that an instant lies in. */
export function formatDate(micros: bigint): string {
  return formatDay(floorDivide(micros, DAY));
}

/** The instant cut down to a grain (in microseconds): the latest multiple that is not after it. */
export function truncateInstant(micros: bigint, grain: bigint): bigint {
  return floorDivide(micros, grain) * grain;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

function zoneMicros(zone: string): bigint {
  if (zone === 'Z' || zone === 'z') return 0n;
  const sign = zone.startsWith('-') ? -1n : 1n;
  const hours = BigInt(zone.slice(1, 3));
  const minutes = BigInt(zone.slice(3).replace(':', '') || '0');
  return sign * (hours * 60n + minutes) * 60_000_000n;
}

/** Days since 1970-01-01 of a proleptic Gregorian date, or null where there is no such date. */
function daysFromCivil(year: number, month: number, day: number): bigint | null {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  // Counts in 400-year eras that begin on March 1st, so that a leap day is the last of its year.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return BigInt(era * 146_097 + dayOfEra - 719_468);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function formatDay(days: bigint): string {
  const z = Number(days) + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const text = year < 0 ? `-${String(-year).padStart(6, '0')}` : String(year).padStart(4, '0');
  return `${text}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
