import type { Database } from '../duckdb/connection.ts';
import { quoteText } from '../duckdb/sql.ts';
import { violationTable } from './confirm.ts';

/** Every violation's id, sorted: what a baseline is made of. */
export async function violationIds(db: Database): Promise<readonly string[]> {
  const rows = await db.rows<{ id: string }>('SELECT DISTINCT id FROM violation ORDER BY id');
  return rows.map(({ id }) => id);
}

/** Writes offending rows, at most so many, and returns how many there are. */
export async function storeFailures(
  db: Database,
  path: string,
  limit: number,
): Promise<{ readonly stored: number; readonly all: number }> {
  const checks = await db.rows<{ id: string }>('SELECT DISTINCT check_id AS id FROM judged ORDER BY 1');
  const parts = checks.map(
    ({ id }) =>
      `SELECT ${quoteText(id)} AS "check", j.key, j.known, j.folded AS follows, CAST(v AS VARCHAR) AS found FROM ${violationTable(id)} v JOIN judged j ON j.check_id = ${quoteText(id)} AND j.seq = v.seq`,
  );
  const rows = parts.length === 0 ? `SELECT '' AS "check", '' AS key WHERE false` : parts.join(' UNION ALL ');
  const format = path.endsWith('.parquet') ? 'parquet' : path.endsWith('.json') ? 'json' : 'csv';
  await db.run(
    `COPY (SELECT * FROM (${rows}) ORDER BY 1, 2 LIMIT ${limit}) TO ${quoteText(path)} (FORMAT ${format})`,
  );
  const [row] = await db.rows<{ all: bigint }>('SELECT count(*) AS "all" FROM judged');
  return { stored: Math.min(limit, Number(row!.all)), all: Number(row!.all) };
}
