import { disarmLine } from '../text/escape.ts';

/**
 * Text that came from elsewhere, in GitHub's and GitLab's Markdown. Whatever could be markup, HTML, a mention, a
 * reference or a link is shown as the characters it is made of. Expects text that `visible` has been through.
 */

const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** Read after the Markdown is, so no backslash keeps them: a blank of no width does. */
const NO_WIDTH = '&#8203;';

/** In running text. */
export function markdownText(text: string): string {
  return text
    .replace(PUNCTUATION, (character) => `\\${character}`)
    .replace(/\\@|\\#|\\~|\\!(?=\d)|\\\$|\\%/g, (escaped) => escaped + NO_WIDTH)
    .replace(/\b(www|GH|https?|ftp|mailto|xmpp)(?=\\)/gi, (word) => word + NO_WIDTH)
    .replace(/^ +| +$| {2,}/g, (blanks) => '&nbsp;'.repeat(blanks.length));
}

/** On one line, as code. */
export function markdownCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A blank at both ends is taken away, unless there is nothing else.
  const pad = text === '' || (/^[` ]|[` ]$/.test(text) && text.trim() !== '') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Lines as they are, in a block that none of them can end; none of them commands whoever prints the text to a log. */
export function markdownBlock(lines: readonly string[]): string {
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)),
  );
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...lines.map(disarmLine), fence].join('\n');
}

/** A table; its cells are Markdown already, but for pipes in code, which would end a cell. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}
