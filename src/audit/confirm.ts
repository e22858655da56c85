import { type Check, type Judging, notOfType } from '../checks/check.ts';
import { CHECKS } from '../checks/index.ts';
import type { Cell, Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Database } from '../duckdb/connection.ts';
import { quoteText } from '../duckdb/sql.ts';
import { consequences } from '../runner/roots.ts';
import { DUCKDB } from './dialect.ts';
import { hasKey, keyHash } from './screen.ts';
import { versionSql } from './version.ts';

/** The checks of an audit: those on the table alone. */
export const AUDIT_CHECKS: readonly Check[] = CHECKS.filter(
  (check) => check.group === 'table' && notOfType(check, { type: '2' }) === null,
);

/** What is confirmed, and over which rows. */
export interface Confirming {
  readonly contract: Contract;
  readonly from: string;
  readonly where: string;
  readonly checks: readonly Check[];
  /** Columns whose values findings show. */
  readonly shown: readonly Column[];
  /** Every key is looked at, not only those that the screen suspects. */
  readonly everything: boolean;
  /** Rows without a key. */
  readonly nullKeys: number;
}

/**
 * Runs the checks themselves, by real keys and real values, over the rows that may violate them. Leaves a table `v:<check>` for each, and
 * `violation (check_id, seq, key, id)` over all of them.
 */
export async function confirm(db: Database, confirming: Confirming): Promise<void> {
  const { contract, from, where, checks, shown, everything } = confirming;
  const relation = (name: string, condition: string, rows = from) =>
    db.run(`CREATE TABLE ${name} AS ${versionSql(contract, rows, DUCKDB, condition, shown)}`);
  const whole = hasKey(contract);
  const suspected = everything ? 'true' : `${keyHash(contract)} IN (SELECT hk FROM suspect)`;
  await db.run('CREATE TABLE violation (check_id VARCHAR, seq BIGINT, key VARCHAR, id VARCHAR)');
  await relation('suspect_version', suspected, 'suspect_row');
  await db.run('DROP TABLE suspect_row');
  await relation('null_version', confirming.nullKeys === 0 ? 'false' : `NOT (${whole}) AND ${where}`);
  const surrogate = contract.columns.surrogateKey;
  if (surrogate !== null && checks.some(({ id }) => id === 'surrogate-key-unique')) {
    const column = DUCKDB.quote(surrogate.name);
    const repeated = `SELECT ${column} FROM ${from} WHERE ${column} IS NOT NULL AND ${where} GROUP BY 1 HAVING count(*) > 1`;
    await relation('surrogate_version', `${column} IN (${repeated}) AND ${where}`);
  }
  for (const check of checks) await run(db, check, { contract, oracle: false });
}

const RELATIONS: Readonly<Record<string, string>> = {
  'key-not-null': 'null_version',
  'surrogate-key-unique': 'surrogate_version',
};

async function run(db: Database, check: Check, judging: Judging): Promise<void> {
  const relation = RELATIONS[check.id] ?? 'suspect_version';
  await db.run(`CREATE OR REPLACE VIEW version AS FROM ${relation}`);
  await recordViolations(db, check.id, `SELECT * EXCLUDE (feed, step) FROM (${check.violations(judging)})`);
}

/** Keeps what violates a check: rows with a `key` and whatever its message names. */
export async function recordViolations(db: Database, check: string, sql: string): Promise<void> {
  const table = violationTable(check);
  await db.run(`CREATE TABLE ${table} AS SELECT row_number() OVER (ORDER BY key, content) AS seq, * EXCLUDE (content), left(md5(${quoteText(`${check}|`)} || content), 16) AS "finding id"
    FROM (SELECT *, CAST(found AS VARCHAR) AS content FROM (${sql}) found)`);
  await db.run(
    `INSERT INTO violation SELECT ${quoteText(check)}, seq, CAST(key AS VARCHAR), "finding id" FROM ${table}`,
  );
}

export function violationTable(check: string): string {
  return `"v:${check}"`;
}

/** Versions between which nothing holds, counted whether a contract allows them or not. */
export async function countGaps(db: Database, contract: Contract): Promise<number> {
  const contiguous = AUDIT_CHECKS.find(({ id }) => id === 'contiguous')!;
  await db.run('CREATE OR REPLACE VIEW version AS FROM suspect_version');
  const never: Contract = { ...contract, deletes: 'never' };
  const [row] = await db.rows<{ gaps: bigint }>(
    `SELECT count(*) AS gaps FROM (${contiguous.violations({ contract: never, oracle: false })})`,
  );
  return Number(row!.gaps);
}

/** Adds to `violation` whether the baseline knows each, and whether it follows from another check's violation of the same key. */
export async function fold(db: Database, baseline: readonly string[] | null): Promise<void> {
  await db.run('CREATE TABLE baseline (id VARCHAR)');
  for (let at = 0; at < (baseline?.length ?? 0); at += 5000) {
    const ids = baseline!.slice(at, at + 5000).map((id) => `(${quoteText(id)})`);
    await db.run(`INSERT INTO baseline VALUES ${ids.join(', ')}`);
  }
  const implied = AUDIT_CHECKS.flatMap(({ id }) =>
    [...consequences(id)].map((follows) => `(${quoteText(id)}, ${quoteText(follows)})`),
  );
  await db.run(`CREATE TABLE implied AS SELECT * FROM (VALUES ${implied.join(', ')}) i (root, follows)`);
  await db.run(`CREATE TABLE judged AS
    WITH told AS (SELECT v.*, v.id IN (SELECT id FROM baseline) AS known FROM violation v),
    roots AS (SELECT DISTINCT i.follows, r.key, r.known FROM told r JOIN implied i ON i.root = r.check_id)
    SELECT t.*, r.key IS NOT NULL AS folded FROM told t
    LEFT JOIN roots r ON r.follows = t.check_id AND r.key = t.key AND r.known = t.known`);
}

export interface Tally {
  readonly count: number;
  readonly leading: number;
  readonly fresh: number;
  readonly keys: number;
}

export async function tallies(db: Database): Promise<ReadonlyMap<string, Tally>> {
  const rows = await db.rows<
    Record<string, Cell>
  >(`SELECT check_id, count(*) AS count, count_if(NOT folded) AS leading,
      count_if(NOT folded AND NOT known) AS fresh, count(DISTINCT CASE WHEN NOT folded THEN coalesce(key, 'row ' || seq) END) AS keys
    FROM judged GROUP BY check_id`);
  return new Map(
    rows.map((row): [string, Tally] => [
      String(row['check_id']),
      {
        count: Number(row['count']),
        leading: Number(row['leading']),
        fresh: Number(row['fresh']),
        keys: Number(row['keys']),
      },
    ]),
  );
}
