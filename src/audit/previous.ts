import { existsSync } from 'node:fs';
import type { CheckWords } from '../checks/check.ts';
import { closedStaysClosed } from '../checks/over-time/closed-stays-closed.ts';
import { count, interval } from '../checks/words.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Contract } from '../contract/contract.ts';
import type { Database } from '../duckdb/connection.ts';
import { quoteText } from '../duckdb/sql.ts';
import { recordViolations } from './confirm.ts';
import { DUCKDB } from './dialect.ts';
import type { PreviousReport } from './report.ts';
import { hasKey, keyHash } from './screen.ts';
import type { AuditTable } from './table.ts';
import { versionSql } from './version.ts';

/**
 * Closed history against an earlier copy, or against a digest of one: for each key the number of its closed versions, where the last of
 * them ended, and a sum of hashes. History that was closed then has to be there now; what was closed since is new and counts for nothing.
 * A key whose sums differ is compared row by row where there is a copy; a digest can only name the key.
 */
export const HISTORY_KEPT: CheckWords = {
  ...closedStaysClosed,
  title: 'What was closed in the earlier copy is still there, unchanged.',
  message: ({ kind, valid_from, valid_to, was, has }) => {
    if (kind === 'digest')
      return `The closed history of the key is another than it was: ${count(was!, 'version')} then, ${has} now until the same instant.`;
    return `The closed version ${interval(valid_from!, valid_to!)} ${kind === 'vanished' ? 'has vanished' : 'has other bounds or tracked attributes'}.`;
  },
};

const COLUMNS = ['hk', 'versions', 'last', 'content'];

/** A digest's columns, by which one is told from a copy. */
export function isDigest(table: AuditTable): boolean {
  return COLUMNS.every((name) => table.columns.some((column) => column.name === name));
}

function closedRows(contract: Contract, from: string, where: string): string {
  const versions = versionSql(contract, from, DUCKDB, `(${hasKey(contract)}) AND ${where}`);
  return `SELECT hash(key) AS hk, key, valid_from, valid_to, state, (hash(valid_from, valid_to, state) >> 1)::BIGINT AS content
    FROM (${versions}) WHERE NOT is_open AND NOT is_deleted`;
}

function digestSql(contract: Contract, from: string, where: string): string {
  return `SELECT hk, count(*) AS versions, max(valid_to) AS last, sum(content) AS content FROM (${closedRows(contract, from, where)}) GROUP BY hk`;
}

/** Writes a digest of the table as Parquet, whole or not at all. */
export async function writeDigest(
  db: Database,
  contract: Contract,
  from: string,
  path: string,
): Promise<void> {
  await db.run(
    `COPY (SELECT hk, versions, last, CAST(content AS VARCHAR) AS content FROM (${digestSql(contract, from, 'true')}) ORDER BY hk) TO ${quoteText(path)} (FORMAT parquet, COMPRESSION zstd)`,
  );
}

export async function compareWithPrevious(
  db: Database,
  contract: Contract,
  current: { readonly from: string; readonly where: string },
  previous: AuditTable,
): Promise<PreviousReport> {
  const digest = isDigest(previous);
  if (!digest) requireColumns(contract, previous);
  const where = digest || current.where === 'true' ? 'true' : scoped(contract, current.where, current.from);
  await db.run(
    `CREATE TABLE digest AS ${digest ? `SELECT hk, versions, last, CAST(content AS HUGEINT) AS content FROM ${previous.from}` : digestSql(contract, previous.from, where)}`,
  );
  const inScope = digest && current.where !== 'true' ? ' WHERE c.hk IS NOT NULL' : '';
  await db.run(`CREATE TABLE restated AS
    SELECT d.hk, any_value(c.key) AS key, any_value(d.versions) AS was, count(c.hk) AS has FROM digest d
    LEFT JOIN (${closedRows(contract, current.from, current.where)}) c ON c.hk = d.hk AND c.valid_to <= d.last${inScope}
    GROUP BY d.hk HAVING count(c.hk) <> any_value(d.versions) OR sum(c.content) IS DISTINCT FROM any_value(d.content)`);
  const [total] = await db.rows<{ closed: bigint }>(
    'SELECT coalesce(sum(versions), 0)::BIGINT AS closed FROM digest',
  );
  if (digest) {
    await recordViolations(
      db,
      HISTORY_KEPT.id,
      `SELECT coalesce(key, 'key with hash ' || hk) AS key, 'digest' AS kind, was, has FROM restated`,
    );
  } else {
    const suspected = (from: string, condition: string) =>
      `SELECT * FROM (${closedRows(contract, from, condition)}) WHERE hk IN (SELECT hk FROM restated)`;
    // A version with the same start that is still there was changed; else it is gone.
    await recordViolations(
      db,
      HISTORY_KEPT.id,
      `WITH was AS (${suspected(previous.from, where)}), is_now AS (${suspected(current.from, current.where)}),
       lost AS (SELECT key, valid_from, valid_to, state FROM was EXCEPT ALL SELECT key, valid_from, valid_to, state FROM is_now)
       SELECT key, valid_from, valid_to,
         CASE WHEN EXISTS (SELECT 1 FROM is_now n WHERE n.key = lost.key AND n.valid_from = lost.valid_from) THEN 'changed' ELSE 'vanished' END AS kind
       FROM lost`,
    );
  }
  const kinds = await db.rows<{ kind: string; versions: bigint }>(
    `SELECT kind, count(*) AS versions FROM "v:${HISTORY_KEPT.id}" GROUP BY kind`,
  );
  const of = (...names: string[]) =>
    kinds.filter(({ kind }) => names.includes(kind)).reduce((sum, { versions }) => sum + Number(versions), 0);
  return {
    name: previous.name,
    closed: Number(total!.closed),
    changed: of('changed', 'digest'),
    vanished: of('vanished'),
    periods: digest ? [] : await periods(db),
    figures: null,
  };
}

/** In which months the figures of the past are other ones now. */
async function periods(db: Database): Promise<PreviousReport['periods']> {
  const rows = await db.rows<{ month: string; versions: bigint }>(
    `SELECT strftime(month, '%Y-%m') AS month, count(*) AS versions FROM (
       SELECT unnest(range(date_trunc('month', make_timestamp(valid_from)), make_timestamp(valid_to), INTERVAL 1 month)) AS month
       FROM "v:${HISTORY_KEPT.id}" WHERE valid_from BETWEEN -60000000000000000 AND valid_to AND valid_to < 7000000000000000)
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 24`,
  );
  return rows.map(({ month, versions }) => ({ month, versions: Number(versions) }));
}

/** The keys in scope now, as a condition on the earlier copy. */
function scoped(contract: Contract, where: string, from: string): string {
  return `${keyHash(contract)} IN (SELECT ${keyHash(contract)} FROM ${from} WHERE ${where})`;
}

function requireColumns({ columns }: Contract, previous: AuditTable): void {
  const wanted = [...columns.key, ...columns.tracked, columns.validFrom, columns.validTo];
  const missing = wanted.find(
    (column) => column !== null && !previous.columns.some(({ name }) => name === column.name),
  );
  if (missing)
    throw new UsageError(
      `The earlier copy \`${previous.name}\` has no column \`${missing.name}\`, which the dimension has. Declare the columns that both have: --tracked …`,
    );
}

/** @throws UsageError where the file is there already: an earlier digest is evidence */
export function requireNew(path: string, flag: string): void {
  if (existsSync(path))
    throw new UsageError(
      `\`${flag} ${path}\`: the file is there already, and nothing is overwritten. Name another, or remove it.`,
    );
}
