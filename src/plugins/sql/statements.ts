import { type Dialect, tokenize } from './tokens.ts';

export interface Statement {
  /** With the comments around it, without its semicolon. */
  readonly text: string;
  /** Line of its first word in the whole text, from 1. */
  readonly line: number;
  /** Line that `text` begins in. */
  readonly firstLine: number;
}

/** Cuts a text at its semicolons. What has nothing but blanks and comments is no statement. */
export function splitStatements(sql: string, dialect: Dialect = 'standard'): Statement[] {
  const statements: Statement[] = [];
  let text = '';
  let line = 1;
  let firstLine = 1;
  let codeLine: number | null = null;
  const flush = () => {
    if (codeLine !== null) statements.push({ text, line: codeLine, firstLine });
    text = '';
    firstLine = line;
    codeLine = null;
  };
  for (const token of tokenize(sql, dialect)) {
    if (token.text === ';') {
      flush();
      continue;
    }
    if (!token.kind.endsWith('comment') && token.text.trim() !== '') codeLine ??= line;
    text += token.text;
    line += token.text.split('\n').length - 1;
  }
  flush();
  return statements;
}

/** As `splitStatements`, with the bodies of triggers and routines (`CREATE … BEGIN …; …; END`) in one piece. */
export function splitBodies(sql: string, dialect: Dialect = 'standard'): Statement[] {
  const statements: Statement[] = [];
  let depth = 0;
  for (const piece of splitStatements(sql, dialect)) {
    const words = tokenize(piece.text, dialect).flatMap(({ kind, text }) =>
      kind === 'word' ? [text.toLowerCase()] : [],
    );
    const begins = words.filter((word) => word === 'begin').length;
    if (depth === 0) {
      statements.push(piece);
      if (hasBody(words)) depth = begins;
      continue;
    }
    const whole = statements.pop()!;
    statements.push({ ...whole, text: `${whole.text};${piece.text}` });
    depth += begins - Number(words[0] === 'end' && !CONTROL.has(words[1] ?? ''));
  }
  return statements;
}

const CONTROL = new Set(['if', 'loop', 'while', 'repeat', 'case', 'for']);

/** `BEGIN NOT ATOMIC` is MariaDB's block without a name. */
function hasBody([first, ...rest]: readonly string[]): boolean {
  if (first === 'begin') return rest[0] === 'not';
  return (
    first === 'create' && rest.some((word) => ['trigger', 'procedure', 'function', 'event'].includes(word))
  );
}

/** The word that a statement begins with, in lower case; empty where it begins otherwise. */
export function firstWord(sql: string): string {
  const token = tokenize(sql).find(({ kind, text }) => !kind.endsWith('comment') && text.trim() !== '');
  return token?.kind === 'word' ? token.text.toLowerCase() : '';
}

/** Whether some of it ends with the connection that ran it: temporary tables, settings, variables, prepared statements. */
export function leavesInConnection(statements: readonly Statement[]): boolean {
  return statements.some(({ text }) => {
    const words = tokenize(text).filter(({ kind }) => kind === 'word');
    return (
      ['set', 'use', 'declare', 'pragma', 'prepare', 'begin', 'start'].includes(firstWord(text)) ||
      words.some(({ text: word }) => /^temp(orary)?$/i.test(word))
    );
  });
}

const REACHING_STATEMENTS = new Set(
  'attach detach use reset pragma install load call checkpoint force export import'.split(' '),
);
const REACHING_WORDS =
  /^(memory|secret|duckdb_\w+|pragma_\w+|information_schema|pg_catalog|sqlite_\w+|current_(database|catalog|schemas?|setting))$/i;

/**
 * Whether a script looks or reaches beyond its own tables: at settings, other databases, the catalog. Such a script
 * could tell that another session is near, so it gets a database instance to itself.
 */
export function reachesBeyondItsTables(statements: readonly Statement[]): boolean {
  return statements.some(({ text }) => {
    const words = tokenize(text).filter(({ kind }) => kind === 'word' || kind === 'identifier');
    const [first, second] = words.map(({ text: word }) => word.toLowerCase());
    if (firstWord(text) === 'set' && first === 'set') return second !== 'variable';
    return (
      REACHING_STATEMENTS.has(firstWord(text)) ||
      words.some(({ text: word }) => REACHING_WORDS.test(word.replaceAll('"', '')))
    );
  });
}
