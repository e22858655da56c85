import { join } from 'node:path';
import { UsageError } from '../src/cli/usage-error.ts';
import { suggestion } from '../src/contract/nearest.ts';
import { type Checked, checkRow } from './check-row.ts';
import { ENTRIES } from './entries.ts';
import type { Entry, Row } from './entry.ts';
import { readMeasured, writeMeasured } from './measured.ts';
import { prepare } from './settings.ts';

/*
 * `npm run census -- <name…> [--write]`, `--all`, `--list`: installs what each row of the census names, as pinned, runs it under the contract
 * that it claims, and compares with what its entry says. Exit 0 where all is as it says, 1 where something differs, 2 for wrong usage.
 * `--write` keeps the figures, and the smallest feeds of reds that have none; `npm run docs` then makes docs/census.md of them.
 */

const FLAGS = ['--all', '--list', '--write'];

async function main(argv: readonly string[]): Promise<number> {
  const flags = argv.filter((word) => word.startsWith('-'));
  const unknown = flags.find((flag) => !FLAGS.includes(flag));
  if (unknown !== undefined)
    throw new UsageError(`There is no flag \`${unknown}\`.${suggestion(unknown, FLAGS)}`);
  if (flags.includes('--list')) return list();
  const names = argv.filter((word) => !word.startsWith('-'));
  const chosen = flags.includes('--all') ? all() : names.flatMap(named);
  if (chosen.length === 0)
    throw new UsageError(
      'Name an entry or a row of the census, or --all. `npm run census -- --list` shows them.',
    );
  let differ = 0;
  for (const { entry, row } of chosen) {
    const { differences } = await examine(entry, row, flags.includes('--write'));
    if (differences.length > 0) differ++;
  }
  const verdict = differ === 0 ? 'as expected' : `${differ} not as expected`;
  process.stdout.write(`\n${chosen.length === 1 ? '1 row' : `${chosen.length} rows`}: ${verdict}\n`);
  return differ === 0 ? 0 : 1;
}

interface Chosen {
  readonly entry: Entry;
  readonly row: Row;
}

function all(): Chosen[] {
  return ENTRIES.flatMap((entry) => entry.rows.map((row) => ({ entry, row })));
}

/** All rows of an entry, or the one of that name. */
function named(name: string): Chosen[] {
  const chosen = all().filter(({ entry, row }) => entry.id === name || row.id === name);
  if (chosen.length > 0) return chosen;
  const known = [...new Set(all().flatMap(({ entry, row }) => [entry.id, row.id]))];
  throw new UsageError(`The census has no \`${name}\`.${suggestion(name, known)}`);
}

async function examine(entry: Entry, row: Row, write: boolean): Promise<Checked> {
  process.stdout.write(`${row.id}  ${entry.name} ${row.version}\n`);
  const ready = await prepare(entry, row.setting);
  try {
    const checked = await checkRow(entry, row, ready, { keepFeeds: write });
    print(row, checked);
    const folder = join(import.meta.dirname, entry.id);
    if (write) writeMeasured(folder, { ...readMeasured(folder), [row.id]: checked.measured });
    return checked;
  } finally {
    await ready.stop();
  }
}

function print(row: Row, { measured, differences }: Checked): void {
  const { verdict, loads, totalMs, implementationMs, findings } = measured;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  process.stdout.write(
    `  ${verdict}, ${findings.length} findings, ${row.expected.reds.length} causes; ${loads} loads, ${seconds(totalMs)}, ${seconds(implementationMs)} of them in the implementation\n`,
  );
  for (const line of differences) process.stdout.write(`  ≠ ${line}\n`);
}

function list(): number {
  for (const { entry, row } of all())
    process.stdout.write(
      `${row.id.padEnd(28)}${entry.name} ${row.version}${row.title === '' ? '' : `, ${row.title}`}\n`,
    );
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
