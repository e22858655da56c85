import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/duckdb/connection.ts';

/** A made-up dimension: text keys, microseconds, an attribute that comes back, a flag. */
export interface Shape {
  readonly rows: number;
  readonly versions: number;
  /** Share of keys with one end that is a microsecond late. */
  readonly bad: number;
  readonly shuffled: boolean;
}

export function nameOf({ rows, versions, bad, shuffled }: Shape): string {
  return `${rows / 1e6}m-${versions}v-${bad}${shuffled ? '-shuffled' : ''}.parquet`;
}

/** Writes the table, unless it is there from an earlier run. */
export async function writeTable(db: Database, folder: string, shape: Shape): Promise<string> {
  const path = join(folder, nameOf(shape));
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const { rows, versions, bad, shuffled } = shape;
  // Microseconds since the epoch: intervals would take longer than all the rest.
  const start = (version: string) =>
    `(1420070400000000 + (${version}) * 7776000000000 + (hash(k) % 5000000000000)::BIGINT)`;
  const isBad = `v = 1 AND hash(k + 7) % 1000000 < ${Math.round(bad * 1e6)}`;
  // One range, so that versions of a key lie side by side and keys follow each other, however many threads write.
  await db.run('SET preserve_insertion_order = true');
  await db.run(`COPY (SELECT 'C' || lpad(CAST(k AS VARCHAR), 10, '0') AS customer_id,
      'segment ' || (((hash(k) % 23)::INTEGER + v * 5) % 23) AS segment, 'street ' || (hash(k, v) % 100000) AS street,
      make_timestamp(${start('v')}) AS valid_from,
      make_timestamp(CASE WHEN v < ${versions - 1} THEN ${start('v + 1')} + CASE WHEN ${isBad} THEN 1 ELSE 0 END END) AS valid_to,
      v = ${versions - 1} AS is_current
    FROM (SELECT i // ${versions} AS k, i % ${versions} AS v FROM range(${rows}) numbers (i)) made
    ${shuffled ? 'ORDER BY hash(k, v)' : ''}) TO '${path}'`);
  return path;
}
