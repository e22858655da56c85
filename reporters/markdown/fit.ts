import { counted } from '../text/wrap.ts';

/** A part of a report that is shown whole or not at all. */
export interface Section {
  /** What is counted where it is left out: `finding`, … */
  readonly what: string;
  /** Made only where there may be room for it: ten thousand findings are soon more than fit. */
  readonly text: () => string;
}

/** What is counted of sections that are one of a kind. */
export const PART = 'part';

/** Room for the sentence that says what was left out. */
const NOTE_BYTES = 300;

/**
 * The sections in their order, as many as fit: services refuse a text that is too long, and show nothing at all. What is
 * left out is counted at the end; after the first of a kind that does not fit, no other of that kind is tried, but for single parts.
 * @param limit of the whole, in bytes of UTF-8
 */
export function fitSections(sections: readonly Section[], limit: number, whereElse: string): string {
  const shown: string[] = [];
  const left = new Map<string, number>();
  let room = limit - NOTE_BYTES;
  for (const { what, text } of sections) {
    const whole = left.has(what) && what !== PART ? null : text();
    const bytes = whole === null ? 0 : Buffer.byteLength(whole) + 2;
    if (whole !== null && bytes <= room) {
      shown.push(whole);
      room -= bytes;
    } else left.set(what, (left.get(what) ?? 0) + 1);
  }
  if (left.size > 0) {
    const counts = [...left].map(([what, count]) => counted(count, what)).join(', ');
    shown.push(`**Not shown, since there is no more room here: ${counts}.** ${whereElse}`);
  }
  return `${shown.join('\n\n')}\n`;
}
