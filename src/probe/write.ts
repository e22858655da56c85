import { existsSync, readFileSync } from 'node:fs';
import { chmod, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
import { UsageError } from '../cli/usage-error.ts';
import { FOLDINGS, OPTIONS } from '../contract/contract.ts';
import { declareContract } from '../contract/declare.ts';
import { parseScript } from '../plugins/sql/script.ts';
import type { ProbeReport } from './report.ts';

/** Where a contract is to be written. */
export interface Place {
  /** The implementation, as the command line names it. */
  readonly path: string;
  readonly cwd: string;
  /** Empty where it is a path. */
  readonly program: readonly string[];
  /** The configuration file, or null where there is none. */
  readonly config: string | null;
  /** Whether the configuration declares a contract for it, which wins over what the script says. */
  readonly isConfigured: boolean;
}

/**
 * Writes what an implementation follows to where its contract is declared: into the head of a SQL script, else into a JSON configuration.
 * The file is replaced as a whole, and nothing that was in it goes.
 *
 * @returns a sentence on what was written
 * @throws UsageError where the place cannot be written by a program; it holds the lines to write by hand
 */
export async function writeContract(report: ProbeReport, place: Place): Promise<string> {
  const lines = linesOf(report);
  if (lines.length === 0)
    return 'Nothing to write: what it follows is declared already, or could not be found out.';
  const inHead =
    place.program.length === 0 && !place.isConfigured && extname(place.path).toLowerCase() === '.sql';
  const path = inHead
    ? await writeHead(resolve(place.cwd, place.path), lines, report)
    : await writeConfig(place, lines);
  return `Wrote ${lines.map(({ name, value }) => `${name} ${value}`).join(', ')} to ${relative(place.cwd, path) || path}.`;
}

interface Line {
  readonly name: string;
  readonly value: string;
}

/** A preset where nothing is declared, the options that differ from what is declared, and columns that were guessed. */
function linesOf({ fields, columns }: ProbeReport): readonly Line[] {
  const isDeclared = fields.some((field) => field.isDeclared);
  const options = fields.flatMap(({ field, status, option, expected }): Line[] =>
    status === 'follows' && option !== null && option !== 'never' && option !== expected
      ? [{ name: field, value: option }]
      : [],
  );
  const usual = new Set(['valid_from', 'valid_to', 'is_current', 'is_deleted', 'in_history']);
  const roles = columns.flatMap(({ role, name, of, guessed }): Line[] =>
    guessed && !usual.has(name) && !['key', 'tracked', 'untracked'].includes(role)
      ? [{ name: role, value: of === undefined ? name : `${name} of ${of}` }]
      : [],
  );
  return [...(isDeclared ? [] : [{ name: 'contract', value: 'strict' }]), ...options, ...roles];
}

// The head of a script

async function writeHead(path: string, lines: readonly Line[], report: ProbeReport): Promise<string> {
  const before = await readFile(path, 'utf8');
  const after = withHead(before, lines, path);
  requireSame(before, after, path, lines, report);
  await replaceFile(path, after);
  return path;
}

/** A line for a field that has one takes its place; others come after the last of the head, or first of all. */
export function withHead(text: string, lines: readonly Line[], path: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const rows = text.slice(mark.length).split(/\r?\n/);
  const { directives } = parseScript(text.slice(mark.length), path);
  const added: string[] = [];
  for (const line of lines) {
    const known = directives.findLast((directive) => isSame(directive, line));
    if (known === undefined) added.push(`-- scd2check:${line.name} ${line.value}`);
    else
      rows[known.line - 1] = rows[known.line - 1]!.replace(
        /--\s*scd2check:.*$/,
        `-- scd2check:${line.name} ${line.value}`,
      );
  }
  const firstSection = directives.length === 0 ? 0 : Math.max(...directives.map(({ line }) => line));
  const isHead = rows.slice(0, firstSection).every((row) => /^\s*(--.*)?$/.test(row));
  const at = isHead ? firstSection : 0;
  const gap = at === 0 && rows[0] !== '' && added.length > 0 ? [''] : [];
  rows.splice(at, 0, ...added, ...gap);
  return mark + rows.join(end);
}

/** `untracked` names columns, or says how they are judged. */
function isSame(directive: Line, line: Line): boolean {
  if (directive.name !== line.name) return false;
  const isOption = (value: string) => (OPTIONS.untracked.options as readonly string[]).includes(value);
  return line.name !== 'untracked' || isOption(directive.value) === isOption(line.value);
}

/** Only directives may have changed, and they must say what was found. */
function requireSame(
  before: string,
  after: string,
  path: string,
  lines: readonly Line[],
  report: ProbeReport,
): void {
  const bare = (text: string) =>
    text
      .replace(/--\s*scd2check:(?!setup|load).*$/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
  const { directives } = parseScript(after.replace(/^\uFEFF/, ''), path);
  const own = directives.filter(({ name }) => !['batch', 'dimension', 'engine'].includes(name));
  const { contract } = declareContract([
    own.map(({ name, value }) => ({ name, value, where: basename(path) })),
  ]);
  const isHeld = lines.every(({ name, value }) => {
    const field = (contract as unknown as Record<string, unknown>)[name];
    return field === undefined || (Array.isArray(field) ? field.join(' ') || 'sql' : field) === value;
  });
  if (bare(before) === bare(after) && isHeld) return;
  throw new UsageError(
    `${path} cannot be written without changing more than its contract. Write this into its head by hand:\n${linesText(lines)}\n(${report.implementation.name} was left as it is.)`,
  );
}

function linesText(lines: readonly Line[]): string {
  return lines.map(({ name, value }) => `  -- scd2check:${name} ${value}`).join('\n');
}

// The configuration

async function writeConfig(place: Place, lines: readonly Line[]): Promise<string> {
  const { config, cwd } = place;
  const contract = contractOf(lines);
  const path = config ?? join(cwd, 'scd2check.config.json');
  const isPackage = basename(path) === 'package.json';
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '{}\n';
  const parsed = parseObject(text);
  if (place.program.length > 0 || parsed === null || !/\.json$|rc$/.test(path)) {
    const why =
      place.program.length > 0
        ? 'A command has no entry of its own in the configuration'
        : `${path} is no JSON, and a program should not rewrite code`;
    throw new UsageError(
      `${why}, so nothing was written. Add this by hand:\n  contract: ${JSON.stringify(contract)},`,
    );
  }
  const own = isPackage ? ((parsed['scd2check'] ?? {}) as Json) : parsed;
  const changed = withEntry(own, resolve(cwd, place.path), join(path, '..'), contract);
  const whole = isPackage ? { ...parsed, scd2check: changed } : changed;
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  await replaceFile(path, `${JSON.stringify(whole, null, indent)}${text.endsWith('\n') ? '\n' : ''}`);
  return path;
}

type Json = Record<string, unknown>;

function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

function contractOf(lines: readonly Line[]): Json {
  return Object.fromEntries(
    lines.map(({ name, value }) => {
      if (name === 'contract') return ['preset', value];
      const words = value.split(' ');
      const isList = words.every((word) => (FOLDINGS as readonly string[]).includes(word));
      return [name, isList ? words : value];
    }),
  );
}

/** The implementation's entry with the contract added to what it has; a new entry where it has none. */
function withEntry(config: Json, implementation: string, root: string, contract: Json): Json {
  const entries = (Array.isArray(config['implementations']) ? config['implementations'] : []) as (
    | string
    | Json
  )[];
  const pathOf = (entry: string | Json) =>
    resolve(root, String(typeof entry === 'string' ? entry : entry['path']));
  const known = entries.find((entry) => pathOf(entry) === implementation);
  const old = typeof known === 'object' ? known : { path: known ?? relative(root, implementation) };
  const before = old['contract'];
  const merged = {
    ...(typeof before === 'string' ? { preset: before } : (before as Json | undefined)),
    ...contract,
  };
  const entry = { ...old, contract: merged };
  const all = known === undefined ? [...entries, entry] : entries.map((one) => (one === known ? entry : one));
  return { ...config, implementations: all };
}

/** As a whole, through links, with the permissions that it has. */
async function replaceFile(path: string, text: string): Promise<void> {
  const real = existsSync(path) ? await realpath(path) : path;
  const part = `${real}.${process.pid}.part`;
  try {
    await writeFile(part, text);
    if (existsSync(real)) await chmod(part, (await stat(real)).mode);
    await rename(part, real);
  } catch (error) {
    await rm(part, { force: true });
    throw new UsageError(`Cannot write ${path}: ${(error as Error).message}. It is as it was.`);
  }
}
