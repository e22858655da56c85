import type { Style } from '../text/style.ts';
import { wrap } from '../text/wrap.ts';

/** What every part of the terminal's report needs to know about where it is written. */
export interface Page {
  readonly width: number;
  readonly style: Style;
  readonly full: boolean;
}

/** Prose wider than this is hard to read, however wide the terminal. */
const PROSE = 100;
const INDENT = '  ';

export function proseWidth(page: Page): number {
  return Math.min(page.width, PROSE);
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : INDENT + line));
}

/** A page that is indented once. */
export function inner(page: Page): Page {
  return { ...page, width: page.width - INDENT.length };
}

/** `name  text`, wrapped beside its name, or under it on a narrow page. */
export function labelled(name: string, text: string, page: Page): string[] {
  const beside = name.padEnd(8) + INDENT;
  if (page.width < 60)
    return [page.style.dim(name), ...indented(wrap(text, proseWidth(page) - INDENT.length))];
  const lines = wrap(text, proseWidth(page) - beside.length);
  return lines.map(
    (line, index) => (index === 0 ? page.style.dim(beside) : ' '.repeat(beside.length)) + line,
  );
}

/** Parts with one blank line between them; parts without lines leave none. */
export function spaced(parts: readonly (readonly string[])[]): string[] {
  return parts
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}
