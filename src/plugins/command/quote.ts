import { printJson } from './json.ts';

/**
 * Quotes what somebody's program wrote, for a message: on one line, control characters visible, shortened, with
 * its full length, where it is long.
 */
export function quote(value: string | Uint8Array, longest = 160): string {
  const text = typeof value === 'string' ? value : printable(value, longest);
  const unit = typeof value === 'string' ? 'characters' : 'bytes';
  const head = `\`${visible(text.slice(0, longest))}\``;
  return value.length > longest ? `${head}… (${value.length.toLocaleString('en')} ${unit})` : head;
}

function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

/** A JSON value in the words of its author: `"tomorrow"`, `12`, `{"a":1}`. */
export function quoteJson(value: unknown, longest = 160): string {
  if (value === undefined) return 'nothing';
  const text = printJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Names for a sentence: `a`, `b` and `c`. */
export function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, 12).map((name) => `\`${name}\``);
  if (names.length > shown.length) shown.push(`${names.length - shown.length} more`);
  if (shown.length < 2) return shown[0] ?? 'none';
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** The end of an error stream, indented under a heading; empty where there is none. */
export function quoteErrorStream(stderr: string, lines = 6): string {
  const last = stderr.trimEnd().split('\n').slice(-lines);
  if (last.join('').trim() === '') return '';
  const shown = last.map((line) => `    ${line.length > 200 ? `${line.slice(0, 200)}…` : line}`);
  return `\nThe end of its error stream:\n${shown.join('\n')}`;
}

/** The last line of an error stream that says something: where interpreters put the error itself. */
export function lastLine(stderr: string): string | null {
  const line = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? null : line;
}

/** Bytes as text where they are UTF-8; other bytes as `\xNN`, so that the author can find them. */
function printable(bytes: Uint8Array, longest: number): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, longest));
  const text = new TextDecoder('utf-8').decode(head);
  if (!text.includes('\uFFFD')) return text;
  return Array.from(head, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}
