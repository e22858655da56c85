import { join } from 'node:path';
import type { Database } from '../../src/duckdb/connection.ts';

/**
 * A made-up dimension in which every defect that a table alone can show is planted in a few keys of its own, some of them once. Each key has
 * four versions without a gap; attributes come back (A, B, A), as they do.
 */
export interface Planted {
  /** The check that has to lead. */
  readonly check: string;
  readonly what: string;
  /** Keys, by number, from which the rows are replaced by what `rows` makes of them. */
  readonly keys: readonly number[];
  /** SELECT over `own`, the right rows of the keys. */
  readonly rows: string;
  /** Leading violations that this makes. */
  readonly violations: number;
}

const COLUMNS = 'sk, customer_id, segment, street, valid_from, valid_to, is_current, row_hash';

const replaced = (columns: string) => `SELECT * REPLACE (${columns}) FROM own`;

export const PLANTED: readonly Planted[] = [
  {
    check: 'key-not-null',
    what: 'rows without a key',
    keys: [11],
    rows: `FROM own UNION ALL SELECT sk + 1000000000, NULL, segment, street, valid_from, valid_to, is_current, row_hash FROM own`,
    violations: 4,
  },
  {
    check: 'bounds-valid',
    what: 'a version of zero length between two others',
    keys: [21],
    rows: `FROM own UNION ALL SELECT sk + 1000000000, customer_id, 'Z', street, valid_to, valid_to, false, md5('Z|' || street) FROM own WHERE version = 1`,
    violations: 1,
  },
  {
    check: 'bounds-valid',
    what: 'versions that end before they start, and one without a start',
    keys: [31, 32],
    rows: replaced(
      `CASE WHEN version = 2 AND customer_id % 2 = 1 THEN valid_from - INTERVAL 1 second ELSE valid_to END AS valid_to, CASE WHEN version = 2 AND customer_id % 2 = 0 THEN NULL ELSE valid_from END AS valid_from`,
    ),
    violations: 2,
  },
  {
    check: 'unique-start',
    what: 'a closed version twice, under another surrogate key',
    keys: [41],
    rows: `FROM own UNION ALL SELECT * REPLACE (sk + 1000000000 AS sk) FROM own WHERE version = 1`,
    violations: 1,
  },
  {
    check: 'one-open-version',
    what: 'a version that was never closed',
    keys: [51, 52],
    rows: replaced(
      'CASE WHEN version = 2 THEN NULL ELSE valid_to END AS valid_to, version >= 2 AS is_current',
    ),
    violations: 2,
  },
  {
    check: 'no-overlap',
    what: 'an end one microsecond late',
    keys: [61],
    rows: replaced(
      'CASE WHEN version = 1 THEN valid_to + INTERVAL 1 microsecond ELSE valid_to END AS valid_to',
    ),
    violations: 1,
  },
  {
    check: 'contiguous',
    what: 'an end one microsecond early',
    keys: [71],
    rows: replaced(
      'CASE WHEN version = 2 THEN valid_to - INTERVAL 1 microsecond ELSE valid_to END AS valid_to',
    ),
    violations: 1,
  },
  {
    check: 'open-is-latest',
    what: 'the last version closed, the one before it open',
    keys: [81],
    rows: replaced(
      `CASE WHEN version = 2 THEN NULL WHEN version = 3 THEN valid_from + INTERVAL 1 day ELSE valid_to END AS valid_to, version = 2 AS is_current`,
    ),
    violations: 1,
  },
  {
    check: 'current-flag',
    what: 'a flag left true, and one that is NULL',
    keys: [91, 92],
    rows: replaced(
      'CASE WHEN version = 1 THEN CASE WHEN customer_id % 2 = 1 THEN true END ELSE is_current END AS is_current',
    ),
    violations: 2,
  },
  {
    check: 'no-repeat',
    what: 'a version that repeats the one before',
    keys: [101],
    rows: replaced(
      `CASE WHEN version = 2 THEN 'B' ELSE segment END AS segment, CASE WHEN version = 2 THEN md5('B|' || street) ELSE row_hash END AS row_hash`,
    ),
    violations: 1,
  },
  {
    check: 'surrogate-key-unique',
    what: 'two rows of different keys with one surrogate key',
    keys: [111, 112],
    rows: replaced('CASE WHEN version = 1 THEN 111000 ELSE sk END AS sk'),
    violations: 1,
  },
  {
    check: 'hash-matches',
    what: 'a hash that does not see a change',
    keys: [121],
    rows: replaced(`CASE WHEN version = 1 THEN md5('A|' || street) ELSE row_hash END AS row_hash`),
    violations: 1,
  },
];

/** Version 2 repeats what version 0 was, in most keys. */
const RIGHT = (keys: number) => `SELECT CAST(k * 4 + v AS BIGINT) AS sk, CAST(k AS BIGINT) AS customer_id,
    ['A', 'B', CASE WHEN k % 3 = 0 THEN 'C' ELSE 'A' END, 'D'][v + 1] AS segment, 'street ' || (k % 1000) AS street,
    TIMESTAMP '2020-01-01 00:00:00' + to_hours(CAST(v * 2400 + hash(k) % 1200 AS INTEGER)) AS valid_from,
    CASE WHEN v < 3 THEN TIMESTAMP '2020-01-01 00:00:00' + to_hours(CAST((v + 1) * 2400 + hash(k) % 1200 AS INTEGER)) END AS valid_to,
    v = 3 AS is_current, md5(['A', 'B', CASE WHEN k % 3 = 0 THEN 'C' ELSE 'A' END, 'D'][v + 1] || '|' || 'street ' || (k % 1000)) AS row_hash, v AS version
  FROM range(${keys}) keys (k), range(4) versions (v)`;

/** What to declare for the table. */
export const FLAGS = [
  '--key',
  'customer_id',
  '--tracked',
  'segment, street',
  '--set',
  'surrogateKey=sk',
  '--set',
  'hash=row_hash',
  '--set',
  'deletes=never',
] as const;

/** Writes `right.parquet` and `planted.parquet` into a folder; four rows a key. */
export async function writePlanted(
  db: Database,
  folder: string,
  keys: number,
  planted: readonly Planted[] = PLANTED,
): Promise<void> {
  const all = planted.flatMap((one) => one.keys).join(', ');
  await db.run(`CREATE OR REPLACE TABLE right_rows AS ${RIGHT(keys)}`);
  await db.run(
    `CREATE OR REPLACE TABLE planted AS SELECT ${COLUMNS} FROM right_rows WHERE customer_id NOT IN (${all})`,
  );
  for (const { keys: own, rows } of planted) {
    await db.run(
      `CREATE OR REPLACE VIEW own AS SELECT * FROM right_rows WHERE customer_id IN (${own.join(', ')})`,
    );
    await db.run(`INSERT INTO planted SELECT ${COLUMNS} FROM (${withVersion(rows)})`);
  }
  await db.run(`COPY (SELECT ${COLUMNS} FROM right_rows) TO '${join(folder, 'right.parquet')}'`);
  await db.run(`COPY (FROM planted) TO '${join(folder, 'planted.parquet')}'`);
}

/** Added rows have no version of their own. */
function withVersion(rows: string): string {
  return rows.replace(/UNION ALL SELECT (?!\*)(.*?) FROM own/s, 'UNION ALL SELECT $1, version FROM own');
}

/** How many violations each check has to lead with. */
export function expectedCounts(planted: readonly Planted[] = PLANTED): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { check, violations } of planted) counts[check] = (counts[check] ?? 0) + violations;
  return counts;
}
