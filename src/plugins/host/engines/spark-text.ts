import type { TableName } from '../../sql/names.ts';
import { tokenize } from '../../sql/tokens.ts';

/**
 * What Spark has no way to shadow is put in its place in the text of a statement: the clock, and names of tables with a catalog and a schema,
 * which are those of somebody's warehouse. Comments, texts and names in backticks stay as they are.
 */

/** Functions of the clock, by the type of what they return. With or without their parentheses where Spark has both. */
const CLOCK: Readonly<Record<string, 'DATE' | 'TIMESTAMP'>> = {
  current_date: 'DATE',
  curdate: 'DATE',
  current_timestamp: 'TIMESTAMP',
  now: 'TIMESTAMP',
  localtimestamp: 'TIMESTAMP',
};
const WITHOUT_PARENTHESES = new Set(['current_date', 'current_timestamp', 'localtimestamp']);

/** Has `current_date()` and its like mean an instant: ISO text without a zone, UTC. */
export function moveClockIn(sql: string, instant: string): string {
  const pieces = tokenize(sql, 'spark');
  let moved = '';
  for (let at = 0; at < pieces.length; at++) {
    const { kind, text } = pieces[at]!;
    const name = text.toLowerCase();
    const type = kind === 'word' ? CLOCK[name] : undefined;
    const end =
      type === undefined || isPart(moved)
        ? -1
        : endOfCall(
            pieces.map((piece) => piece.text),
            at,
            name,
          );
    if (end < 0) {
      moved += text;
      continue;
    }
    moved += type === 'DATE' ? `DATE '${instant.slice(0, 10)}'` : `TIMESTAMP '${instant}'`;
    at = end;
  }
  return moved;
}

/** After a dot, or after AS, it is a name. */
function isPart(before: string): boolean {
  return /(?:\.|\bas)\s*$/i.test(before);
}

/** Where the call ends; −1 where there is none. */
function endOfCall(texts: readonly string[], at: number, name: string): number {
  let next = at + 1;
  const skip = () => {
    while (/^\s+$/.test(texts[next] ?? '')) next++;
  };
  skip();
  if (texts[next] !== '(') return WITHOUT_PARENTHESES.has(name) && texts[next] !== '.' ? at : -1;
  next++;
  skip();
  return texts[next] === ')' ? next : -1;
}

/** Has a name with catalog and schema mean the table of that name in the current schema. */
export function unqualify(sql: string, name: TableName): string {
  if (name.schema.length === 0) return sql;
  const parts = [...name.schema, name.table].map((part) => part.toLowerCase());
  const pieces = tokenize(sql, 'spark');
  let text = '';
  for (let at = 0; at < pieces.length; at++) {
    const end = endOfName(pieces, at, parts);
    if (end < 0 || /\.\s*$/.test(text)) {
      text += pieces[at]!.text;
      continue;
    }
    text += pieces[end]!.text;
    at = end;
  }
  return text;
}

/** Where the name ends that begins here; −1 where it does not. */
function endOfName(
  pieces: readonly { readonly text: string }[],
  from: number,
  parts: readonly string[],
): number {
  let at = from;
  for (const [index, part] of parts.entries()) {
    if (index > 0 && pieces[at++]?.text !== '.') return -1;
    if (pieces[at++]?.text.replaceAll('`', '').toLowerCase() !== part) return -1;
  }
  return at - 1;
}
