import type { TableName } from '../../sql/names.ts';
import { type Token, tokenize } from '../../sql/tokens.ts';

/**
 * What Spark has no way to shadow is put in its place in the text of a statement: the clock, and the names of tables that a script shares with the
 * harness, which are perhaps those of somebody's warehouse. Comments and texts stay as they are.
 */

/** What functions of the clock give at an instant, ISO text without a zone. */
const CLOCK: Readonly<Record<string, (instant: string) => string>> = {
  current_date: date,
  curdate: date,
  current_timestamp: timestamp,
  now: timestamp,
  localtimestamp: timestamp,
  unix_timestamp: (instant) => `unix_timestamp(${timestamp(instant)})`,
};
const WITHOUT_PARENTHESES = new Set(['current_date', 'current_timestamp', 'localtimestamp']);

/** Has `current_date()` and its like mean an instant: ISO text without a zone, UTC. */
export function moveClockIn(sql: string, instant: string): string {
  const tokens = tokenize(sql, 'spark');
  let moved = '';
  let before = '';
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at]!;
    const name = text.toLowerCase();
    const read = kind === 'word' ? CLOCK[name] : undefined;
    // After a dot, or after AS, it is a name.
    const end = read === undefined || before === '.' || before === 'as' ? -1 : endOfCall(tokens, at, name);
    moved += end < 0 ? text : read!(instant);
    if (!isBeside(tokens[at]!)) before = name;
    if (end >= 0) at = end;
  }
  return moved;
}

function date(instant: string): string {
  return `DATE '${instant.slice(0, 10)}'`;
}

function timestamp(instant: string): string {
  return `TIMESTAMP '${instant}'`;
}

/** Blanks and comments. */
function isBeside({ kind, text }: Token): boolean {
  return kind.endsWith('comment') || /^\s$/.test(text);
}

/** The place of the next token that is no blank and no comment. */
function next(tokens: readonly Token[], from: number): number {
  let at = from;
  while (at < tokens.length && isBeside(tokens[at]!)) at++;
  return at;
}

/** Where the call ends; −1 where there is none. */
function endOfCall(tokens: readonly Token[], at: number, name: string): number {
  const open = next(tokens, at + 1);
  const after = tokens[open]?.text;
  if (after !== '(') return WITHOUT_PARENTHESES.has(name) && after !== '.' ? at : -1;
  const close = next(tokens, open + 1);
  return tokens[close]?.text === ')' ? close : -1;
}

/** What the tables that a script shares with the harness are called in the scratch schema. */
export class ScratchNames {
  readonly #tables: readonly TableName[];

  constructor(tables: readonly TableName[]) {
    this.#tables = tables;
  }

  /** Two tables of one name in different schemas stay two. */
  of(name: TableName): string {
    const isShared = this.#tables.some(
      (other) => !isSame(other, name) && lower(other.table) === lower(name.table),
    );
    return isShared ? [...name.schema, name.table].join('__') : name.table;
  }

  /** Has the names with a schema mean the tables of the scratch schema. */
  putInto(sql: string): string {
    return this.#tables
      .filter(({ schema }) => schema.length > 0)
      .reduce((text, name) => this.#put(text, name), sql);
  }

  #put(sql: string, name: TableName): string {
    const parts = [...name.schema, name.table].map(lower);
    const tokens = tokenize(sql, 'spark');
    let text = '';
    let before = '';
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!;
      const end = before === '.' ? -1 : endOfName(tokens, at, parts);
      text += end < 0 ? token.text : quoted(this.of(name));
      if (!isBeside(token)) before = token.text;
      if (end >= 0) at = end;
    }
    return text;
  }
}

function quoted(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}

function isSame(one: TableName, other: TableName): boolean {
  return (
    lower(one.table) === lower(other.table) && lower(one.schema.join('.')) === lower(other.schema.join('.'))
  );
}

function lower(text: string): string {
  return text.toLowerCase();
}

/** Where the name ends that begins here; −1 where it does not. Blanks may stand around its dots. */
function endOfName(tokens: readonly Token[], from: number, parts: readonly string[]): number {
  let at = from;
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      at = next(tokens, at + 1);
      if (tokens[at]?.text !== '.') return -1;
      at = next(tokens, at + 1);
    }
    const token = tokens[at];
    if (token === undefined || lower(bare(token)) !== part) return -1;
  }
  return at;
}

function bare({ kind, text }: Token): string {
  return kind === 'identifier' ? text.slice(1, -1).replaceAll('``', '`') : text;
}
