import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { VersionRow } from '../src/runner/report.ts';
import type { Ready } from './settings.ts';

/**
 * What a package itself holds after each of some feeds, by the name of the feed: `[tracked value, start, end]` for each version. `by-hand.py` (or
 * `.mjs`) gets the paths of the feeds, calls the package without any part of scd2check, and prints this as JSON. An instant is
 * ISO text, cut off where the rest is zero, or `*` where it is another one in each run; null is an end that is open.
 */
export type ByHand = Readonly<Record<string, readonly PlainVersion[]>>;

export type PlainVersion = readonly [string | number | null, string | null, string | null];

/** @param env what the adapter of the row reads too. */
export async function byHand(
  folder: string,
  feeds: readonly string[],
  ready: Ready,
  env: NodeJS.ProcessEnv,
): Promise<ByHand> {
  const script = ['by-hand.py', 'by-hand.mjs']
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
  if (script === undefined)
    throw new Error(`There is no by-hand.py in ${folder}: a red needs to be shown without scd2check.`);
  const { stdout } = await promisify(execFile)(ready.interpreter, [script, ...feeds], {
    env: { ...process.env, ...ready.env, ...env },
    cwd: folder,
    maxBuffer: 2 ** 26,
  });
  // The last line: some packages print.
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as ByHand;
}

/** Whether what the report says of the dimension is what the package shows by hand, in any order. */
export function agrees(
  actual: readonly VersionRow[],
  shown: readonly PlainVersion[],
  tracked: string,
): boolean {
  const left = [...actual];
  for (const [value, from, to] of shown) {
    const place = left.findIndex(
      (row) => (row.values[tracked] ?? null) === value && fits(row.validFrom, from) && fits(row.validTo, to),
    );
    if (place === -1) return false;
    left.splice(place, 1);
  }
  return left.length === 0;
}

/** `2026-03-01` is its first instant. */
function fits(instant: string | null, text: string | null): boolean {
  if (instant === null || text === null) return instant === text;
  if (text === '*') return true;
  const rest = '2000-01-01T00:00:00.000000Z'.slice(text.length);
  return instant === text.replace(' ', 'T') + rest;
}
