import { tokenize } from '../plugins/sql/tokens.ts';

/**
 * The part of a SQL script that loads, as text in which patterns can be looked for: what is a comment is blank, and what is quoted is
 * filled up, so that nothing in there is ever found or changed. Places are the same as in the script.
 */
export interface Code {
  readonly sql: string;
  readonly masked: string;
}

/** Stands for a character of quoted text. No pattern matches it but `.`. */
const FILLER = '\u0001';

export function codeOf(sql: string): Code {
  let masked = '';
  let section: string | null = null;
  const sections = tokenize(sql).some(
    ({ kind, text }) => kind === 'line-comment' && sectionOf(text) !== null,
  );
  for (const { kind, text } of tokenize(sql)) {
    if (kind === 'line-comment') section = sectionOf(text) ?? section;
    const isLoad = !sections || section === 'load';
    if (kind.endsWith('comment') || !isLoad) masked += text.replace(/[^\n]/g, ' ');
    else if (kind === 'word' || kind === 'other') masked += text;
    else masked += kind === 'identifier' ? text : text.replace(/[^\n]/g, FILLER);
  }
  return { sql, masked };
}

function sectionOf(comment: string): string | null {
  return /^--\s*scd2check:\s*(setup|load)\b/.exec(comment)?.[1] ?? null;
}

/** A piece of the script that is replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What is changed in one mutant: one piece, or two that change places. */
export interface Mutation {
  /** What kind of mistake it is, in a few words. */
  readonly mistake: string;
  readonly edits: readonly Edit[];
}

export function applied({ sql }: Code, { edits }: Mutation): string {
  const inOrder = [...edits].sort((a, b) => b.start - a.start);
  return inOrder.reduce(
    (text, { start, end, text: now }) => text.slice(0, start) + now + text.slice(end),
    sql,
  );
}

/** The line of a place, from 1. */
export function lineAt({ sql }: Code, place: number): number {
  return sql.slice(0, place).split('\n').length;
}

/** Every place where the pattern matches, with what it matched. */
export function places({ masked }: Code, pattern: RegExp): readonly RegExpExecArray[] {
  return [...masked.matchAll(new RegExp(pattern, 'gid'))] as RegExpExecArray[];
}

/** The place after the bracket that closes the one which opens at `open`; the end of the text where none does. */
export function closing(masked: string, open: number): number {
  let depth = 0;
  for (let at = open; at < masked.length; at++) {
    if (masked[at] === '(') depth++;
    if (masked[at] === ')' && --depth === 0) return at + 1;
  }
  return masked.length;
}

/** Where the pattern matches first at the depth of brackets that `from` has; or where that bracket closes, or the text ends. */
export function until({ masked }: Code, from: number, pattern: RegExp): number {
  const stop = new RegExp(pattern, 'iy');
  for (let at = from; at < masked.length; at++) {
    if (masked[at] === ')' || masked[at] === ';') return at;
    stop.lastIndex = at;
    if (stop.test(masked)) return at;
    if (masked[at] === '(') at = closing(masked, at) - 1;
  }
  return masked.length;
}

export interface Statement {
  readonly start: number;
  readonly end: number;
  /** Its first word, in upper case. */
  readonly verb: string;
}

/** The statements, each without its semicolon. */
export function statementsOf({ masked }: Code): readonly Statement[] {
  const statements: Statement[] = [];
  let start = 0;
  for (const [index, part] of masked.split(';').entries()) {
    const first = part.search(/\S/);
    if (first >= 0) {
      const end = start + part.trimEnd().length;
      statements.push({ start: start + first, end, verb: /^\w*/.exec(part.slice(first))![0].toUpperCase() });
    }
    start += part.length + (index >= 0 ? 1 : 0);
  }
  return statements;
}
