import stringWidth from 'string-width';

/**
 * Breaks text into lines of at most `width` columns, at single blanks; longer runs of blanks are part of a value and
 * stay whole. A word that is longer than a line is broken where the line ends. Lines after the first are indented.
 */
export function wrap(text: string, width: number, indent = ''): string[] {
  const room = Math.max(width, 8);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<! ) (?! )/)) {
    const start = lines.length === 0 ? '' : indent;
    const joined = line === '' ? start + word : `${line} ${word}`;
    if (stringWidth(joined) <= room) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(word, room, lines.length === 0 ? '' : indent, indent);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1)!;
  }
  return [...lines, line];
}

function breakWord(word: string, width: number, first: string, indent: string): string[] {
  const pieces: string[] = [];
  let piece = first;
  for (const character of word) {
    if (stringWidth(piece + character) > width && piece.trim() !== '') {
      pieces.push(piece);
      piece = indent;
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** The text in at most `width` columns, its end replaced by `…` where it is longer. */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  if (width < 1) return '';
  let cut = '';
  for (const character of text) {
    if (stringWidth(cut + character) > width - 1) break;
    cut += character;
  }
  return `${cut}…`;
}

/** The text, filled with blanks to `width` columns. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** `2 batches`, `1 batch`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** Parts with dots between them, broken between parts and not inside them where that is possible. */
export function joinParts(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const joined = lines.length === 0 ? part : `${lines.at(-1)} · ${part}`;
    if (lines.length > 0 && stringWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines.flatMap((line) => wrap(line, width, '  '));
}
