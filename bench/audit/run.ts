import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTable } from '../../src/audit/table.ts';
import { Database } from '../../src/duckdb/connection.ts';
import { bareAudit } from '../../test/audit/bare-audit.ts';
import { nameOf, type Shape, writeTable } from './table.ts';

/**
 * `npm run bench:audit [-- 1 10 100] [--folder …] [--sizes-only]`: the audit against a window query that does the same checks and against a bare scan of the
 * same columns, one after the other in one run. Sizes in millions of rows. Writes docs/performance-audit.md.
 */
const MEMORY = '8GiB';
const folderAt = process.argv.indexOf('--folder');
const folder = folderAt < 0 ? join(tmpdir(), 'scd2check-bench') : process.argv[folderAt + 1]!;
const numbers = process.argv
  .slice(2)
  .map(Number)
  .filter((size) => size > 0);
const sizes = numbers.length > 0 ? numbers : [1, 10];

const COLUMNS = 'customer_id, segment, valid_from, valid_to, is_current';
const scan = (path: string) =>
  `SELECT max(length(customer_id)), max(length(segment)), max(valid_from), max(valid_to), count_if(is_current) FROM '${path}'`;
/** What packages for dbt and benchmark audits do: each row beside the next one of its key. */
const byWindow = (path: string) => `SELECT count(DISTINCT customer_id) AS keys FROM (
    SELECT ${COLUMNS}, lead(valid_from) OVER w AS next_from, lead(segment) OVER w AS next_segment FROM '${path}'
    WINDOW w AS (PARTITION BY customer_id ORDER BY valid_from))
  WHERE customer_id IS NULL OR valid_from IS NULL OR valid_to <= valid_from OR valid_to IS DISTINCT FROM next_from
    OR next_segment = segment OR is_current IS DISTINCT FROM (valid_to IS NULL)`;

async function open(): Promise<{ db: Database; close(): void }> {
  const temp = mkdtempSync(join(tmpdir(), 'scd2check-bench-'));
  const db = await Database.open({
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

async function audited(db: Database, path: string) {
  const table = await openTable(db, path, '/', 'audited');
  const settings = ['key=customer_id', 'tracked=segment', 'deletes=never'];
  return bareAudit(db, table, settings, { examples: 5, exact: false });
}

interface Line {
  readonly shape: Shape;
  readonly scan: Took;
  readonly window: Took;
  readonly ours: Took;
  readonly suspects: number;
  readonly found: number;
  readonly windowFound: number;
}

async function measure(shape: Shape): Promise<Line> {
  const { db, close } = await open();
  const path = await writeTable(db, folder, shape).finally(close);
  const bare = await timed((own) => own.rows(scan(path)));
  const ours = await timed((own) => audited(own, path));
  const window = await timed((own) => own.rows<{ keys: bigint }>(byWindow(path)));
  const line = {
    shape,
    scan: bare.took,
    window: window.took,
    ours: ours.took,
    suspects: ours.result.table.suspects,
    found: ours.result.checks.reduce((sum, { keys }) => sum + keys, 0),
    windowFound: Number(window.result[0]!.keys),
  };
  console.error(nameOf(shape), line, ours.result.timings.parts);
  return line;
}

function* shapes(): Generator<Shape> {
  const [first] = sizes;
  for (const size of sizes) yield { rows: size * 1e6, versions: 4, bad: 0.0001, shuffled: false };
  if (process.argv.includes('--sizes-only')) return;
  const rows = Math.min(10, Math.max(first!, ...sizes)) * 1e6;
  yield { rows, versions: 4, bad: 0, shuffled: false };
  yield { rows, versions: 4, bad: 0.1, shuffled: false };
  yield { rows, versions: 4, bad: 0.0001, shuffled: true };
  yield { rows, versions: 50, bad: 0.0001, shuffled: false };
}

const lines: Line[] = [];
for (const shape of shapes()) lines.push(await measure(shape));

const cells = ({ shape, scan: floor, window, ours, suspects, found, windowFound }: Line) => [
  shape.rows / 1e6,
  shape.versions,
  `${shape.bad * 100} %`,
  shape.shuffled ? 'shuffled' : 'by key',
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

Generated by \`npm run bench:audit -- ${[...sizes, ...process.argv.filter((one) => one === '--sizes-only')].join(' ')}\`, on two cores with a memory limit of ${MEMORY}. Figures differ from machine to machine and with what else
runs there; scan, audit and window were measured one after the other. In parentheses: processor time, which hardly depends on what else runs.

The window query puts each row beside the next one of its key (\`lead()\`), and checks key, start, positive length, contiguity, repeats, the flag and the last row. The audit
does these checks and reports rows, counts of each check and gaps beside.

${table}
`;
writeFileSync(new URL('../../docs/performance-audit.md', import.meta.url), text);
console.log(text);
