/**
 * Makes text that came from elsewhere harmless and visible. Cell values, names and messages may hold anything:
 * terminal sequences, bidi controls that reorder a line, characters of no width that make two values look alike.
 * What a reader could not see, or what would act instead of being read, is shown as an escape such as `\x1b`.
 */

// Controls, formats (bidi, zero-width), lone surrogates, separators, private and unassigned characters, everything
// that renderers leave out, and every blank but the ordinary one.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
const MARKS = /\p{M}/gu;
// A log command, behind blanks and colours.
const COMMAND = new RegExp(`^((?:\\s|${String.fromCharCode(27)}\\[[0-9;]*m)*)(::|##\\[)`);
const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text on one line, with everything unseen escaped. */
export function visible(text: string): string {
  const seen = text.replace(UNSEEN, escapeCharacter).replace(/^\p{M}/u, escapeCharacter);
  return seen === seen.normalize('NFC') ? seen : escapeDecomposed(seen);
}

/** As `visible`, but line breaks stay line breaks and tabs become blanks: for messages and error streams. */
export function visibleLines(text: string): string[] {
  return text
    .replace(/\s+$/, '')
    .split(/\r?\n/)
    .map((line) => visible(line.replaceAll('\t', '    ')));
}

/** The beginning of a long line, with how long it is. */
export function shortened(line: string, longest: number): string {
  return line.length <= longest ? line : `${line.slice(0, longest)}… (${line.length} characters)`;
}

/**
 * A composed and a decomposed é look alike and differ. Text in the usual (composed) form stays as it is, so that
 * scripts which live on combining marks stay readable; in other text the marks are written out.
 */
function escapeDecomposed(text: string): string {
  const singles = [...text].map((character) =>
    character === character.normalize('NFC') ? character : escapeCharacter(character),
  );
  return singles.join('').replace(MARKS, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const hex = character.codePointAt(0)!.toString(16);
  return hex.length <= 2 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

/**
 * GitHub's runner obeys log lines that begin with `::` or `##[`. A value can come to stand at the beginning of a
 * line by wrapping, so every line of a report that begins so has its first character escaped.
 */
export function disarmLine(line: string): string {
  return line.replace(COMMAND, (_, before: string, command: string) => {
    return `${before}${escapeCharacter(command[0]!)}${command.slice(1)}`;
  });
}
