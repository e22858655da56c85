import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/duckdb/connection.ts';
import { expectedCounts, FLAGS, writePlanted } from '../audit/planted.ts';
import { scd2check } from '../e2e/bin.ts';

/** `npm run verify:audit [-- keys]`: every defect that a table alone can show, planted in 10 million rows, some once; all found, and none else. Once as planted, once in order. */
const keys = Number(process.argv[2] ?? 2_500_000);
const folder = mkdtempSync(join(tmpdir(), 'scd2check-verify-'));
try {
  const db = await Database.open();
  await writePlanted(db, folder, keys);
  // The same in the order of keys, which is audited another way.
  await db.run(
    `COPY (FROM planted ORDER BY customer_id, valid_from) TO '${join(folder, 'ordered.parquet')}'`,
  );
  db.close();
  const all = await isFound('planted.parquet');
  const ordered = await isFound('ordered.parquet');
  process.exitCode = all && ordered ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function isFound(table: string): Promise<boolean> {
  const args = ['audit', table, ...FLAGS, '--reporter', 'json:-', '--memory-limit', '4GiB'];
  const { stdout, stderr, ms } = await scd2check(folder, args);
  if (stderr !== '') throw new Error(stderr);
  const report = JSON.parse(stdout);
  const found = Object.fromEntries(
    report.checks
      .filter(({ leading }: { leading: number }) => leading > 0)
      .map(({ id, leading }: { id: string; leading: number }) => [id, leading]),
  );
  const right =
    JSON.stringify(Object.entries(found).sort()) === JSON.stringify(Object.entries(expectedCounts()).sort());
  console.log(
    `${table}: ${report.table.rows} rows, ${report.table.suspects} keys looked at closely, ${(ms / 1000).toFixed(1)} s`,
  );
  console.log(found);
  console.log(
    right
      ? 'Every planted defect was found by its check, and nothing else.'
      : `Expected ${JSON.stringify(expectedCounts())}`,
  );
  return right;
}
