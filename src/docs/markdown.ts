import stringWidth from 'string-width';

/** Small pieces of Markdown that the generated pages are made of. */

/** The first line of every generated page. */
export function generated(from: string): string {
  return `<!-- Made from ${from} by \`npm run docs\`. Do not edit here. -->`;
}

/** Padded as the formatter pads it, so that a generated page passes the check of formats. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = headings.map((_, at) => Math.max(3, ...all.map((cells) => stringWidth(cells[at]!))));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell + ' '.repeat(widths[at]! - stringWidth(cell))).join(' | ')} |`;
  const [head, ...body] = all;
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], last = 'and'): string {
  return words.length < 2
    ? (words[0] ?? '')
    : `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`;
}

/** Blocks of a page, a blank line between them, a line end after the last. */
export function page(...blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** Takes the indentation away that SQL has from standing in a TypeScript file. */
export function dedent(text: string): string {
  const [first = '', ...rest] = text.replace(/\s+$/, '').split('\n');
  const depths = rest.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)![0].length);
  const least = Math.min(...depths, 4);
  return [first, ...rest.map((line) => line.slice(least).trimEnd())].join('\n');
}
