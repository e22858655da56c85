import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roleColumns } from '../reporters/text/columns.ts';
import type { Counterexample } from '../src/runner/report.ts';
import { type Run, runCheck } from '../test/engines/engine.ts';
import { agrees, byHand } from './by-hand.ts';
import { differences } from './differences.ts';
import type { Entry, Red, Row } from './entry.ts';
import { findingName, type Measured, measure, type Shown, shown } from './measured.ts';
import type { Ready } from './settings.ts';

/** What a row gave, and where that is not what its entry says. */
export interface Checked {
  readonly measured: Measured;
  /** Sentences; none where all is as expected. */
  readonly differences: readonly string[];
}

/** The engines of the census are slower than a script; nothing here is to end for that. */
const TIME = ['--time-limit', '1h', '--timeout', '5m'];

/** The named cases alone: the findings that an entry lists one by one. */
const CASES_ALONE = ['--scope', '0', '--histories', '0'];

/**
 * Runs a row under the contract that it claims; then the smallest feed of each red alone; then the same feeds by hand, without scd2check.
 * @param how `keepFeeds` writes the feed of a red that has none yet, as the run shrank it; `casesAlone` leaves out all other histories.
 */
export async function checkRow(
  entry: Entry,
  row: Row,
  ready: Ready,
  how: { readonly keepFeeds?: boolean; readonly casesAlone?: boolean },
): Promise<Checked> {
  const folder = join(import.meta.dirname, entry.id);
  const env = { ...process.env, ...ready.env, ...row.env };
  const beyond = Object.entries(row.beyond ?? {}).flatMap(([field, option]) => [
    '--set',
    `${field}=${option}`,
  ]);
  const argv = [join(folder, row.adapter), ...ready.flags, ...(row.flags ?? []), ...beyond, ...TIME];
  const whole = await runCheck(how.casesAlone === true ? [...argv, ...CASES_ALONE] : argv, env);
  const found = differences(row, measure(whole));
  const reds: Record<string, Shown> = {};
  const sendable = row.expected.reds.filter(({ onlyWhole }) => onlyWhole !== true);
  for (const red of sendable) {
    const feed = feedFile(folder, red.id);
    if (how.keepFeeds === true && !existsSync(feed)) keepFeed(feed, whole, red);
    const checks = red.shows === undefined ? [] : ['--check', red.shows];
    const alone = await runCheck([...argv, '--feed', feed, ...checks], env);
    const finding = alone.report.findings[0];
    if (finding === undefined) found.push(`The feed of \`${red.id}\` shows nothing where it is sent alone.`);
    else reds[red.id] = shown(finding);
  }
  if (sendable.length > 0) found.push(...(await byHandDiffers(folder, row, sendable, ready, whole, reds)));
  return { measured: { ...measure(whole), reds }, differences: found };
}

async function byHandDiffers(
  folder: string,
  row: Row,
  sendable: readonly Red[],
  ready: Ready,
  { report }: Run,
  reds: Readonly<Record<string, Shown>>,
): Promise<readonly string[]> {
  const feeds = sendable.map(({ id }) => feedFile(folder, id));
  const shownByHand = await byHand(folder, feeds, ready, row.env ?? {});
  const tracked = roleColumns(report.contract, 'tracked')[0]!;
  return sendable.flatMap(({ id }) => {
    const versions = shownByHand[id];
    if (versions === undefined) return [`\`by-hand\` does not show \`${id}\`.`];
    const actual = reds[id]?.actual ?? [];
    if (agrees(actual, versions, tracked)) return [];
    const reported = actual.map(({ values, validFrom, validTo }) => [values[tracked], validFrom, validTo]);
    return [
      `By hand, \`${id}\` gives ${JSON.stringify(versions)}; the report says ${JSON.stringify(reported)}.`,
    ];
  });
}

function feedFile(folder: string, id: string): string {
  return join(folder, 'feeds', `${id}.json`);
}

/** Writes the counterexample of the first of a red's findings. */
function keepFeed(path: string, { report }: Run, red: Red): void {
  const names = [...red.findings, ...(red.also ?? [])];
  const finding = names
    .map((name) => report.findings.find((one) => findingName(one) === name))
    .find((one) => one !== undefined);
  if (finding === undefined) return;
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `${JSON.stringify(feedOf(finding.counterexample), null, 2)}\n`);
}

function feedOf({ batches }: Counterexample) {
  return { batches: batches.map(({ asOf, rows }) => ({ asOf, rows })) };
}
