import { visible } from './escape.ts';

export type JsonCell = null | boolean | number | string;

/** Longest text of a cell in a short report, in characters. */
export const CELL_LIMIT = 60;

/**
 * A cell as people read it: NULL, '' and blanks are told apart, and text that would be misread is quoted. Quoted
 * text has its backslashes doubled, so that an escape and the same characters typed out differ.
 */
export function showCell(value: JsonCell, limit: number = CELL_LIMIT): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? cutCharacters(showText(value), limit) : String(value);
}

function showText(text: string): string {
  if (visible(text) === text && !isMisread(text)) return text;
  return `'${visible(text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"))}'`;
}

/** Whether bare text would be taken for something else: nothing, NULL, quoted text, padding, a mark, a log command. */
function isMisread(text: string): boolean {
  return text.trim() !== text || text === '' || /^null$|^['"≠]|^::|^##\[| {2}/i.test(text);
}

function cutCharacters(text: string, limit: number): string {
  const characters = [...text];
  if (characters.length <= limit) return text;
  return `${characters.slice(0, limit).join('')}… (${characters.length} characters)`;
}

/** `customer_id = C1, region = NULL`. */
export function showKey(key: Readonly<Record<string, JsonCell>>, limit: number = CELL_LIMIT): string {
  return Object.entries(key)
    .map(([name, value]) => `${visible(name)} = ${showCell(value, limit)}`)
    .join(', ');
}
