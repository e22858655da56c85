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
  const start = (version: string) =>
    `TIMESTAMP '2015-01-01' + to_microseconds((${version}) * 7776000000000 + (hash(k) % 5000000000000)::BIGINT)`;
  const isBad = `v = 1 AND hash(k + 7) % 1000000 < ${Math.round(bad * 1e6)}`;
  await db.run(`COPY (SELECT 'C' || lpad(CAST(k AS VARCHAR), 10, '0') AS customer_id,
      'segment ' || ((hash(k) + v * 5) % 23) AS segment, 'street ' || (hash(k, v) % 100000) AS street,
      ${start('v')} AS valid_from,
      CASE WHEN v < ${versions - 1} THEN ${start('v + 1')} + to_microseconds(CASE WHEN ${isBad} THEN 1 ELSE 0 END) END AS valid_to,
      v = ${versions - 1} AS is_current
    FROM range(${Math.round(rows / versions)}) keys (k), range(${versions}) versions (v)
    ${shuffled ? 'ORDER BY hash(k, v)' : ''}) TO '${path}'`);
  return path;
}
