import { ImplementationFailure } from '../implementation.ts';
import { type Dialect, tokenize } from './tokens.ts';

/**
 * A SQL script as it stands in its file: what its head declares, and its sections.
 *
 * A line comment `-- scd2check:<name> <value>` is a directive, wherever it stands; `-- scd2check:setup` and
 * `-- scd2check:load` begin a section. Without a section line the whole file is the load. Sections keep their line
 * numbers: what does not belong to one is blank lines in it.
 */
export interface Script {
  readonly directives: readonly Directive[];
  /** Null where the script has no setup section. */
  readonly setup: string | null;
  readonly load: string;
}

export interface Directive {
  readonly name: string;
  readonly value: string;
  /** From 1. */
  readonly line: number;
}

type Section = 'head' | 'setup' | 'load';

/** `path` is for messages. Throws `ImplementationFailure` (`start`) where statements stand outside the sections. */
export function parseScript(sql: string, path: string, dialect: Dialect = 'standard'): Script {
  const directives: Directive[] = [];
  const texts: Record<Section, string> = { head: '', setup: '', load: '' };
  let current: Section = 'head';
  let line = 1;
  let firstCodeLine: number | null = null;
  let sections = 0;
  for (const { kind, text } of tokenize(sql, dialect)) {
    const directive = kind === 'line-comment' ? parseDirective(text, line) : null;
    if (directive !== null && isSection(directive.name)) {
      current = directive.name;
      sections++;
    } else if (directive !== null) {
      directives.push(directive);
    }
    const blank = text.replace(/[^\n]/g, '');
    for (const section of ['head', 'setup', 'load'] as const)
      texts[section] += section === current ? text : blank;
    if (current === 'head' && !kind.endsWith('comment') && /[^\s;]/.test(text)) firstCodeLine ??= line;
    line += blank.length;
  }
  if (sections === 0) return { directives, setup: null, load: sql };
  if (firstCodeLine !== null) throw strayStatement(path, firstCodeLine);
  return { directives, setup: texts.setup.trim() === '' ? null : texts.setup, load: texts.load };
}

function parseDirective(comment: string, line: number): Directive | null {
  const match = /^--\s*scd2check:\s*([A-Za-z_][\w-]*)[ \t]*(.*?)\s*$/.exec(comment);
  return match === null ? null : { name: match[1]!, value: match[2]!, line };
}

function isSection(name: string): name is 'setup' | 'load' {
  return name === 'setup' || name === 'load';
}

function strayStatement(path: string, line: number): ImplementationFailure {
  return new ImplementationFailure(
    'start',
    `${path}:${line} has a statement before the first section line, so it is in neither section. ` +
      'Put it below "-- scd2check:setup" (runs once) or "-- scd2check:load" (runs for each batch).',
  );
}

/** A text with holes where the instant belongs: a typed literal, or bare ISO text. */
export type Template = readonly (string | { readonly hole: 'literal' | 'bare' })[];

export interface InstantTexts {
  /** Such as `TIMESTAMP '2026-03-01 06:00:00.000000'`. */
  readonly literal: string;
  /** Such as `2026-03-01 06:00:00.000000`. */
  readonly bare: string;
}

const BARE = /\$\{\s*as_of\s*\}|\{\{\s*as_of\s*\}\}/gi;

/**
 * Finds the spellings of the instant: `:as_of` and `$as_of` in code; `${as_of}` and `{{ as_of }}` in code and in
 * quoted text. Comments, quoted identifiers, `::` casts and dollar-quoted text stay as they are.
 */
export function parseTemplate(sql: string, dialect: Dialect = 'standard'): Template {
  const template: (string | { readonly hole: 'literal' | 'bare' })[] = [];
  let code = '';
  const flush = () => {
    splitCode(code, template);
    code = '';
  };
  for (const { kind, text } of tokenize(sql, dialect)) {
    if (kind === 'word' || kind === 'other') {
      code += text;
    } else {
      flush();
      if (kind === 'text') splitBare(text, template);
      else template.push(text);
    }
  }
  flush();
  return template;
}

export function renderTemplate(template: Template, instant: InstantTexts): string {
  return template.map((piece) => (typeof piece === 'string' ? piece : instant[piece.hole])).join('');
}

export function hasHoles(template: Template): boolean {
  return template.some((piece) => typeof piece !== 'string');
}

/** `a$as_of` is one identifier and `::as_of` a cast; neither is the instant. */
const LITERAL = /(?<![:\w$\u0080-\uffff])[:$]as_of(?![\w$\u0080-\uffff])/gi;

function splitCode(code: string, into: (string | { readonly hole: 'literal' | 'bare' })[]): void {
  split(code, LITERAL, 'literal', (rest) => splitBare(rest, into), into);
}

function splitBare(text: string, into: (string | { readonly hole: 'literal' | 'bare' })[]): void {
  split(text, BARE, 'bare', (rest) => into.push(rest), into);
}

function split(
  text: string,
  pattern: RegExp,
  hole: 'literal' | 'bare',
  rest: (text: string) => void,
  into: (string | { readonly hole: 'literal' | 'bare' })[],
): void {
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) rest(text.slice(from, match.index));
    into.push({ hole });
    from = match.index + match[0].length;
  }
  if (from < text.length) rest(text.slice(from));
}
