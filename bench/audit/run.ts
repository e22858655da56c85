import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTable } from '../../src/audit/table.ts';
import { Database } from '../../src/duckdb/connection.ts';
import { bareAudit } from '../../test/audit/bare-audit.ts';
import { nameOf, type Shape, writeTable } from './table.ts';

/**
 * `npm run bench:audit [-- 1 10 100] [--folder …] [--sizes-only | --kinds-only]`: the audit against a window query that does the same checks and against a
 * bare scan of the same columns, one after the other in one run. Sizes in millions of rows. Writes docs/performance-audit.md. Tables and
 * measured lines stay in the folder, so that a size that takes long is not measured again; remove the folder to begin anew.
 */
const MEMORY = '8GiB';
const THREADS = 2;
const folderAt = process.argv.indexOf('--folder');
const folder = folderAt < 0 ? join(tmpdir(), 'scd2check-bench') : process.argv[folderAt + 1]!;
const numbers = process.argv
  .slice(2)
  .map(Number)
  .filter((size) => size > 0);
const sizes = numbers.length > 0 ? numbers : [1, 10];
/** Millions of rows of the tables that differ in other things than their size. */
const KINDS = 10;

/** The checks of an audit, and what the fastest window query that does them looks like. */
interface Checks {
  readonly scan: (path: string) => string;
  readonly window: (path: string) => string;
  readonly settings: readonly string[];
  readonly off: readonly string[];
}

/**
 * What packages for dbt and benchmark audits do: each row beside the next one of its key. They run a query for each check; here it is one query for
 * all, which suits the window. A version that is followed by another and is not its neighbour's end is an overlap, a gap, a second open
 * version, an open one that is not the last, or a start that is there twice.
 */
const ALL: Checks = {
  scan: (path) =>
    `SELECT max(length(customer_id)), max(length(segment)), max(valid_from), max(valid_to), count_if(is_current) FROM '${path}'`,
  window: (path) => `SELECT count(DISTINCT customer_id) AS keys FROM (
      SELECT customer_id, segment, valid_from, valid_to, is_current, lead(valid_from) OVER w AS next_from, lead(segment) OVER w AS next_segment FROM '${path}'
      WINDOW w AS (PARTITION BY customer_id ORDER BY valid_from))
    WHERE customer_id IS NULL OR valid_from IS NULL OR valid_to <= valid_from OR valid_to IS DISTINCT FROM next_from
      OR (valid_to = next_from AND segment IS NOT DISTINCT FROM next_segment) OR is_current IS DISTINCT FROM (valid_to IS NULL)`,
  settings: ['key=customer_id', 'tracked=segment', 'deletes=never'],
  off: [],
};
/** Contiguity, positive length and the last row: the least that packages test. */
const THREE: Checks = {
  scan: (path) => `SELECT max(length(customer_id)), max(valid_from), max(valid_to) FROM '${path}'`,
  window: (path) => `SELECT count(DISTINCT customer_id) AS keys FROM (
      SELECT customer_id, valid_from, valid_to, lead(valid_from) OVER (PARTITION BY customer_id ORDER BY valid_from) AS next_from FROM '${path}')
    WHERE valid_to <= valid_from OR valid_to IS DISTINCT FROM next_from`,
  settings: ['key=customer_id', 'tracked=segment', 'isCurrent=none', 'deletes=never'],
  off: ['no-repeat', 'key-not-null'],
};

async function open(): Promise<{ db: Database; close(): void }> {
  const temp = mkdtempSync(join(tmpdir(), 'scd2check-bench-'));
  const db = await Database.open({
    threads: THREADS,
    config: { memory_limit: MEMORY, temp_directory: temp, preserve_insertion_order: 'false' },
  });
  return {
    db,
    close: () => {
      db.close();
      rmSync(temp, { recursive: true, force: true });
    },
  };
}

/** Wall time, and the time of both cores together: that one hardly depends on what else the machine does. */
interface Took {
  readonly wall: number;
  readonly cpu: number;
}

async function timed<T>(work: (db: Database) => Promise<T>): Promise<{ took: Took; result: T }> {
  const { db, close } = await open();
  try {
    const start = performance.now();
    const used = process.cpuUsage();
    const result = await work(db);
    const { user, system } = process.cpuUsage(used);
    return { took: { wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 }, result };
  } finally {
    close();
  }
}

async function audited(db: Database, path: string, { settings, off }: Checks) {
  const table = await openTable(db, path, '/', 'audited');
  return bareAudit(db, table, settings, { examples: 5, exact: false, off });
}

interface Line {
  readonly shape: Shape;
  readonly checks: 'all' | 'three';
  readonly scan: Took;
  readonly window: Took;
  readonly ours: Took;
  readonly suspects: number;
  readonly found: number;
  readonly windowFound: number;
}

async function measure(shape: Shape, checks: Line['checks']): Promise<Line> {
  const kept = join(folder, `${nameOf(shape)}.${checks}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Line;
  const { db, close } = await open();
  const path = await writeTable(db, folder, shape).finally(close);
  const what = checks === 'all' ? ALL : THREE;
  const bare = await timed((own) => own.rows(what.scan(path)));
  const ours = await timed((own) => audited(own, path, what));
  const window = await timed((own) => own.rows<{ keys: bigint }>(what.window(path)));
  const line: Line = {
    shape,
    checks,
    scan: bare.took,
    window: window.took,
    ours: ours.took,
    suspects: ours.result.table.suspects,
    found: ours.result.checks.reduce((sum, { keys }) => sum + keys, 0),
    windowFound: Number(window.result[0]!.keys),
  };
  console.error(nameOf(shape), line, ours.result.timings.parts);
  writeFileSync(kept, JSON.stringify(line));
  return line;
}

function* shapes(): Generator<readonly [Shape, Line['checks']]> {
  if (!process.argv.includes('--kinds-only'))
    for (const size of sizes) {
      const shape: Shape = { rows: size * 1e6, versions: 4, bad: 0.0001, shuffled: false };
      yield [shape, 'all'];
      yield [shape, 'three'];
    }
  if (process.argv.includes('--sizes-only')) return;
  for (const shuffled of [false, true])
    for (const [versions, bad] of [
      [4, 0],
      [4, 0.0001],
      [4, 0.1],
      [50, 0.0001],
    ] as const) {
      const shape: Shape = { rows: KINDS * 1e6, versions, bad, shuffled };
      const isSize = !shuffled && versions === 4 && bad === 0.0001 && sizes.includes(KINDS);
      if (!isSize) yield [shape, 'all'];
    }
}

const lines: Line[] = [];
for (const [shape, checks] of shapes()) lines.push(await measure(shape, checks));

const cells = ({ shape, checks, scan: floor, window, ours, suspects, found, windowFound }: Line) => [
  shape.rows / 1e6,
  shape.versions,
  `${shape.bad * 100} %`,
  shape.shuffled ? 'shuffled' : 'by key',
  checks,
  ...[floor, window, ours].map(({ wall, cpu }) => `${wall.toFixed(1)} (${cpu.toFixed(1)})`),
  `${(ours.wall / window.wall).toFixed(2)} (${(ours.cpu / window.cpu).toFixed(2)})`,
  suspects,
  `${found} / ${windowFound}`,
];
const HEADINGS = [
  'million rows',
  'versions a key',
  'bad keys',
  'order',
  'checks',
  'bare scan s',
  'window s',
  'audit s',
  'audit / window',
  'keys looked at closely',
  'keys found, audit / window',
];
const table = [HEADINGS, HEADINGS.map(() => '---'), ...lines.map(cells)]
  .map((row) => `| ${row.join(' | ')} |`)
  .join('\n');
const text = `# Performance of the audit

Generated by \`npm run bench:audit\`, on ${THREADS} threads with a memory limit of ${MEMORY}. Figures differ from machine to machine and with what else
runs there; scan, audit and window were measured one after the other. In parentheses: processor time, which depends less on what else runs.

Both run in the same DuckDB, with the same threads and memory limit, over the same Parquet file. The window query puts each row beside the next one of its key (\`lead()\`). Under "all" it checks key, start,
positive length, contiguity, repeats, the flag and the last row, in one query for all of them; it counts the keys at fault. The audit does the same checks and reports
rows, counts of each check and gaps beside. Under "three" both check contiguity, positive length and the last row alone.

"By key" is a table in the order of its keys and starts, as an export or a clustered table has it: the audit compares each row with the row before. "Shuffled" is one in no order at
all, the worst there is: there the audit needs a hash table of all keys.

${table}
`;
writeFileSync(new URL('../../docs/performance-audit.md', import.meta.url), text);
console.log(text);
