/**
 * Cuts a SQL text into what matters here and nothing more: comments, quoted things, words, and single characters.
 * The pieces joined again are the text, always; where a quote or a comment is never closed, the rest is one piece.
 */
export type TokenKind =
  | 'line-comment'
  | 'block-comment'
  /** `'…'`, and `E'…'` with its backslashes. */
  | 'text'
  /** `"…"`. */
  | 'identifier'
  /** `$$…$$` or `$tag$…$tag$`. */
  | 'dollar-text'
  | 'word'
  | 'other';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const LINE_COMMENT = /--[^\n]*/y;
const ESCAPE_TEXT = /[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)/y;
const TEXT = /'(?:[^']|'')*(?:'|$)/y;
const IDENTIFIER = /"(?:[^"]|"")*(?:"|$)/y;
const MYSQL_LINE_COMMENT = /(?:--(?=\s|$)|#)[^\n]*/y;
const MYSQL_BLOCK_COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/y;
const MYSQL_TEXT = /'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|"(?:[^"\\]|\\[\s\S]|"")*(?:"|$)/y;
/** Backslashes are themselves in it. */
const SPARK_RAW_TEXT = /[rR](?:'[^']*(?:'|$)|"[^"]*(?:"|$))/y;
const MYSQL_IDENTIFIER = /`(?:[^`]|``)*(?:`|$)/y;
const DOLLAR_TAG = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;
const WORD = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;

/**
 * MySQL has names in backticks, backslashes in every text, comments that begin with `#`, and none of PostgreSQL's dollar quotes. So has
 * Spark, with the comments of the standard.
 */
export type Dialect = 'standard' | 'mysql' | 'spark';

export function tokenize(sql: string, dialect: Dialect = 'standard'): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const token = TOKEN_AT[dialect](sql, at);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

type Match = (kind: TokenKind, pattern: RegExp) => Token | null;

function matchAt(sql: string, at: number): Match {
  return (kind, pattern) => {
    pattern.lastIndex = at;
    const text = pattern.exec(sql)?.[0];
    return text === undefined ? null : { kind, text };
  };
}

function mysqlTokenAt(sql: string, at: number): Token {
  const match = matchAt(sql, at);
  return (
    match('line-comment', MYSQL_LINE_COMMENT) ??
    match('block-comment', MYSQL_BLOCK_COMMENT) ??
    match('text', MYSQL_TEXT) ??
    match('identifier', MYSQL_IDENTIFIER) ??
    match('word', WORD) ?? { kind: 'other', text: sql[at]! }
  );
}

function sparkTokenAt(sql: string, at: number): Token {
  const match = matchAt(sql, at);
  return (
    match('line-comment', LINE_COMMENT) ??
    blockComment(sql, at) ??
    match('text', SPARK_RAW_TEXT) ??
    match('text', MYSQL_TEXT) ??
    match('identifier', MYSQL_IDENTIFIER) ??
    match('word', WORD) ?? { kind: 'other', text: sql[at]! }
  );
}

function tokenAt(sql: string, at: number): Token {
  const match = matchAt(sql, at);
  return (
    match('line-comment', LINE_COMMENT) ??
    blockComment(sql, at) ??
    match('text', ESCAPE_TEXT) ??
    match('text', TEXT) ??
    match('identifier', IDENTIFIER) ??
    dollarText(sql, at) ??
    match('word', WORD) ?? { kind: 'other', text: sql[at]! }
  );
}

/** Block comments nest, as they do in DuckDB and PostgreSQL. */
function blockComment(sql: string, at: number): Token | null {
  if (!sql.startsWith('/*', at)) return null;
  const edge = /\/\*|\*\//g;
  edge.lastIndex = at;
  let depth = 0;
  for (let match = edge.exec(sql); match !== null; match = edge.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return { kind: 'block-comment', text: sql.slice(at, edge.lastIndex) };
  }
  return { kind: 'block-comment', text: sql.slice(at) };
}

function dollarText(sql: string, at: number): Token | null {
  DOLLAR_TAG.lastIndex = at;
  const tag = DOLLAR_TAG.exec(sql)?.[0];
  if (tag === undefined) return null;
  const end = sql.indexOf(tag, at + tag.length);
  return { kind: 'dollar-text', text: end < 0 ? sql.slice(at) : sql.slice(at, end + tag.length) };
}

const TOKEN_AT = { standard: tokenAt, mysql: mysqlTokenAt, spark: sparkTokenAt } as const satisfies Record<
  Dialect,
  (sql: string, at: number) => Token
>;
