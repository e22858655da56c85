/**
 * Counterexamples that are kept from run to run, in `.scd2check/failures/<id>.json`. They are kept as values and not as a seed: a seed means
 * something else as soon as a generator changes. Each file is a feed file too, so that `--feed` and `expected` can read it.
 *
 * Files are written beside their place and renamed, without a pause in which a signal could end the process: a reader never sees half of
 * one, and of two runs that keep the same counterexample either may come last. What is right again is moved to `fixed/`.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { batchColumns } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Declared } from '../contract/declared.ts';
import { formatInstant } from '../contract/instant.ts';
import { contractToJson } from '../contract/print.ts';
import { cellToJson } from '../duckdb/rows.ts';
import type { Feed } from '../feed/feed.ts';
import { type FeedFile, feedFileOf } from '../feed/feed-file.ts';
import type { ImplementationKind } from '../plugins/implementation.ts';
import type { Finding } from '../runner/report.ts';

/** Which implementation a counterexample belongs to. Paths are relative to the project's folder, with slashes. */
export type ImplementationPlace = {
  readonly name: string;
  readonly kind: ImplementationKind;
} & ({ readonly path: string } | { readonly command: readonly string[]; readonly folder: string });

/** What a run was given that its counterexamples need when they are tried again. */
export interface Origin {
  readonly implementation: ImplementationPlace;
  /** What the flags said of the contract. */
  readonly declared: readonly Pick<Declared, 'name' | 'value'>[];
  /** What `--join` said. */
  readonly join: string | null;
}

export interface StoredFailure extends Origin {
  readonly id: string;
  readonly check: string;
  readonly message: string;
  readonly found: { readonly part: string; readonly seed?: number };
  /** The feed as it was run, and the contract that it failed under. */
  readonly feed: FeedFile;
  /** Where it is kept. */
  readonly file: string;
}

export interface LoadedFailures {
  readonly failures: readonly StoredFailure[];
  /** One sentence for each file that could not be read. */
  readonly damaged: readonly string[];
}

export function failuresFolder(root: string): string {
  return join(root, '.scd2check', 'failures');
}

/** Where a target is, as it is kept. */
export function placeOf(
  target: { readonly path: string; readonly program: readonly string[]; readonly cwd: string },
  root: string,
): { readonly path: string } | { readonly command: readonly string[]; readonly folder: string } {
  const fromRoot = (path: string) => relative(root, path).split(sep).join('/') || '.';
  return target.program.length > 0
    ? { command: target.program, folder: fromRoot(target.cwd) }
    : { path: fromRoot(resolve(target.cwd, target.path)) };
}

/** Whether both are the same path, or the same command in the same folder. */
export function samePlace(a: ReturnType<typeof placeOf>, b: ReturnType<typeof placeOf>): boolean {
  const text = (place: ReturnType<typeof placeOf>) =>
    JSON.stringify('path' in place ? place.path : [place.command, place.folder]);
  return text(a) === text(b);
}

/** A finding with the feed it was seen in. */
export interface FoundFeed {
  readonly finding: Finding;
  readonly feed: Feed;
}

/** Keeps counterexamples, each in a file of its id. One that was fixed before is not fixed any more. */
export function storeFailures(
  root: string,
  contract: Contract,
  origin: Origin,
  seed: number,
  found: readonly FoundFeed[],
): void {
  const folder = failuresFolder(root);
  for (const { finding, feed } of found) {
    const part = feed.id.split('/')[0]!;
    const { id, check, message } = finding;
    const content = {
      version: 1,
      id,
      check,
      message,
      ...origin,
      found: { part, ...(part === 'random' ? { seed } : {}) },
      contract: contractToJson(contract),
      batches: batchesJson(contract, feed),
    };
    writeWhole(join(folder, `${id}.json`), `${JSON.stringify(content, null, 2)}\n`);
    rmSync(join(folder, 'fixed', `${id}.json`), { force: true });
  }
}

/** The batches of a feed, as a feed file has them. */
export function batchesJson(contract: Contract, { batches }: Feed) {
  const columns = batchColumns(contract.columns, contract.firstStart);
  return batches.map(({ asOf, rows, columns: order }) => ({
    asOf: formatInstant(asOf),
    ...(order === undefined ? {} : { columns: order }),
    rows: rows.map((row) =>
      Object.fromEntries(
        columns.map((column) => [column.name, cellToJson(column, row[column.name] ?? null)]),
      ),
    ),
  }));
}

/** All that is kept and not fixed, by id. A damaged file is named and passed over. */
export function loadFailures(root: string): LoadedFailures {
  const folder = failuresFolder(root);
  if (!existsSync(folder)) return { failures: [], damaged: [] };
  const failures: StoredFailure[] = [];
  const damaged: string[] = [];
  let names: readonly string[];
  try {
    names = readdirSync(folder).sort();
  } catch (error) {
    const why = (error as Error).message;
    return {
      failures,
      damaged: [`The stored counterexamples in \`${folder}\` cannot be read and are passed over: ${why}.`],
    };
  }
  for (const name of names) {
    if (!name.endsWith('.json')) continue;
    const read = readFailure(join(folder, name));
    // Null where another run has just moved it.
    if (typeof read === 'string') damaged.push(read);
    else if (read !== null) failures.push(read);
  }
  return { failures, damaged };
}

/** The counterexample in a file; null where there is no such file; a sentence where it cannot be read. */
export function readFailure(file: string): StoredFailure | string | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    return damagedSentence(file, (error as Error).message);
  }
  try {
    return parseFailure(JSON.parse(text), file);
  } catch (error) {
    return damagedSentence(file, (error as Error).message);
  }
}

function damagedSentence(file: string, why: string): string {
  return `The stored counterexample \`${file}\` cannot be read and is passed over: ${why.replace(/\.?$/, '.')} Delete it if you do not need it.`;
}

function parseFailure(content: unknown, file: string): StoredFailure {
  const stored = (content ?? {}) as Record<string, unknown>;
  const {
    version,
    id,
    check,
    message,
    implementation,
    declared = [],
    join: predicate = null,
    found,
  } = stored;
  if (version !== 1) {
    throw new Error(
      version === undefined
        ? 'it has no `version`, so it is no stored counterexample (a feed of your own runs with `--feed`).'
        : `its version is ${JSON.stringify(version)}; this scd2check reads version 1.`,
    );
  }
  for (const [name, value] of Object.entries({ id, check, message })) {
    if (typeof value !== 'string') throw new Error(`its \`${name}\` is ${JSON.stringify(value)}, not text.`);
  }
  if (!isPlace(implementation)) throw new Error('its `implementation` has neither a `path` nor a `command`.');
  if (!Array.isArray(declared)) throw new Error('its `declared` is not a list.');
  return {
    id: id as string,
    check: check as string,
    message: message as string,
    implementation,
    declared,
    join: typeof predicate === 'string' ? predicate : null,
    found: (found ?? { part: 'unknown' }) as StoredFailure['found'],
    feed: feedFileOf(content, file),
    file,
  };
}

function isPlace(value: unknown): value is ImplementationPlace {
  const { path, command, folder } = (value ?? {}) as Record<string, unknown>;
  return typeof path === 'string' || (Array.isArray(command) && typeof folder === 'string');
}

/** Moves what is right again to `fixed/`, and what fails again out of it. Files that are kept elsewhere stay where they are. */
export function moveFailure(root: string, { file }: StoredFailure, to: 'fixed' | 'failures'): void {
  const open = failuresFolder(root);
  const fixed = join(open, 'fixed');
  const [from, target] = to === 'fixed' ? [open, fixed] : [fixed, open];
  if (resolve(dirname(file)) !== resolve(from)) return;
  mkdirSync(target, { recursive: true });
  try {
    renameSync(file, join(target, basename(file)));
  } catch (error) {
    // Another run has moved it already.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Writes a file as a whole: whoever reads it sees the old one or the new one. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${randomUUID()}.part`;
  writeFileSync(part, text);
  renameSync(part, path);
}
