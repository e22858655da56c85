import type { Contract } from '../../contract/contract.ts';
import type { Database } from '../../duckdb/connection.ts';
import { acceptBatches } from './acceptance.ts';
import { forgive } from './evidence.ts';
import { observationCtes, rankedCte, versionCtes, winnerCtes } from './pipeline.ts';
import { projectTypes } from './types.ts';
import { untrackedRight, VERSIONS } from './untracked.ts';

/**
 * The DuckDB oracle. It reads the relations `load`, `delivered` and `prefix` (see checks/interpret.ts) and creates what the
 * dimension should hold after each batch:
 *
 * - `outcome (feed, batch, rejected)`: what should have happened to each batch;
 * - `expected (feed, step, key, state, valid_from, valid_to, is_deleted, opened_at, batch, pos, anew)`: its versions and marker rows;
 *   batch and pos are the delivered row that opened the version;
 * - `expected_current` and `expected_beside`: see types.ts;
 * - `expected_key (feed, step, key, forgiven, ambiguous)`: every key named so far, and whether its content is judged;
 * - `observed_log (feed, batch, pos, key, instant, present, state, extra, late_by_key, …)`: observations that count;
 * - `untracked_right (feed, step, key, valid_from, extra)` and `untracked_judged (feed, step, key, valid_from)`.
 *
 * It never looks at a previous dimension, and nothing in it knows an implementation.
 */
export async function runOracle(db: Database, contract: Contract): Promise<void> {
  await dropAnswers(db);
  await db.run(`CREATE TEMP TABLE key_part AS
    SELECT feed, key, arg_min_null(part, (batch, pos)) AS part FROM delivered GROUP BY feed, key`);
  await acceptBatches(db, contract);
  await db.run(`CREATE TEMP TABLE first_load AS
    SELECT DISTINCT r.feed, r.key FROM row_in r
    JOIN (SELECT feed, min(batch) AS batch FROM load_in GROUP BY feed) USING (feed, batch)`);
  // Observations are wanted by other checks and by rule 7 too, so they are kept; the versions follow from them in one query.
  await db.run(
    `CREATE TABLE ranked_log AS WITH ${observationCtes(contract)}, ${rankedCte(contract)} SELECT * FROM ranked`,
  );
  const settled = `WITH ranked AS (FROM ranked_log), ${winnerCtes(contract)}`;
  await db.run(`CREATE TABLE observed_log AS ${settled} SELECT * FROM standing`);
  await db.run(`CREATE TABLE unsettled_key AS ${settled} SELECT * FROM unsettled`);
  await db.run(
    `CREATE TABLE expected AS WITH standing AS (FROM observed_log), ${versionCtes(contract)} SELECT * FROM answer`,
  );
  // A delete row names its key also where the contract ignores what it says.
  const names = `SELECT feed, key, live_from FROM observed_log WHERE pos >= 0
    ${contract.deletes === 'ignore' ? 'UNION ALL SELECT feed, key, batch FROM row_in WHERE NOT present' : ''}`;
  await db.run(`CREATE TABLE expected_key AS
    SELECT p.feed, p.step, n.key, false AS forgiven, coalesce(u.since <= p.step, false) AS ambiguous
    FROM prefix p JOIN (SELECT feed, key, min(live_from) AS named FROM (${names}) GROUP BY feed, key) n
      ON n.feed = p.feed AND n.named <= p.step
    LEFT JOIN unsettled_key u ON u.feed = n.feed AND u.key = n.key`);
  if (contract.lateEvidence === 'dimension') await forgive(db, contract);
  await untrackedRight(db, contract, VERSIONS);
  await projectTypes(db, contract);
}

const TEMPORARY = ['key_part', 'first_load', 'load_in', 'row_in'];
const ANSWERS = [
  'outcome',
  'expected',
  'expected_current',
  'expected_beside',
  'expected_key',
  'ranked_log',
  'observed_log',
  'unsettled_key',
  'untracked_right',
  'untracked_judged',
  'untracked_right_current',
  'untracked_judged_current',
];

async function dropAnswers(db: Database): Promise<void> {
  await db.run([...TEMPORARY, ...ANSWERS].map((name) => `DROP TABLE IF EXISTS ${name};`).join(' '));
}
