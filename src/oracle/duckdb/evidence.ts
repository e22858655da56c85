import type { Contract } from '../../contract/contract.ts';
import type { Database } from '../../duckdb/connection.ts';
import { refusal } from './acceptance.ts';
import { observationCtes, rankedCte, versionCtes, winnerCtes } from './pipeline.ts';

/**
 * Rule 6: where the right answer needs evidence that a dimension alone cannot hold.
 *
 * The dimension-only answer after a batch is made by the same rules from the answer before it and that batch alone, so this is a fold
 * over the batches, all feeds and keys at once in each step: the previous answer, turned into observations, stands in as batch −1. Marks
 * the keys of `expected_key` whose answer differs.
 */
export async function forgive(db: Database, contract: Contract): Promise<void> {
  await db.run('ALTER TABLE load_in RENAME TO log_load');
  await db.run('ALTER TABLE row_in RENAME TO log_row');
  await db.run(
    'CREATE TEMP TABLE known AS SELECT feed, key, state, valid_from, valid_to, is_deleted FROM expected WHERE false',
  );
  await db.run('CREATE TEMP TABLE differs (feed INTEGER, step INTEGER, key INTEGER)');
  const [row] = await db.rows<{ last: number | null }>(
    'SELECT CAST(max(batch) AS INTEGER) AS last FROM load',
  );
  for (let batch = 0; batch <= (row?.last ?? -1); batch++) await addBatch(db, contract, batch);
  await db.run(`UPDATE expected_key SET forgiven = true FROM differs d
    WHERE expected_key.feed = d.feed AND expected_key.step = d.step AND (d.key IS NULL OR expected_key.key = d.key)`);
  // A key that only the dimension-only answer has: its rows were late for the log alone.
  await db.run(`INSERT INTO expected_key SELECT DISTINCT feed, step, key, true, false FROM differs d
    WHERE key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM expected_key x WHERE x.feed = d.feed AND x.step = d.step AND x.key = d.key)`);
  for (const name of ['known', 'differs', 'load_in', 'row_in']) await db.run(`DROP TABLE ${name}`);
  await db.run('ALTER TABLE log_load RENAME TO load_in');
  await db.run('ALTER TABLE log_row RENAME TO row_in');
}

async function addBatch(db: Database, contract: Contract, batch: number): Promise<void> {
  for (const name of ['load_in', 'row_in']) await db.run(`DROP TABLE IF EXISTS ${name}`);
  // Batches that the log refuses for a reason of their own are refused here too; only what depends on the past is judged anew.
  const candidates =
    contract.late === 'reject' || contract.sameInstant === 'reject' ? 'candidate_load' : 'log_load';
  await db.run(`CREATE TEMP TABLE load_in AS
    SELECT DISTINCT feed, -1 AS batch, NULL::BIGINT AS as_of FROM known
    UNION ALL SELECT feed, batch, as_of FROM ${candidates === 'log_load' ? 'log_load' : CANDIDATE_LOAD(contract)} WHERE batch = ${batch}`);
  await db.run(`CREATE TEMP TABLE row_in AS
    ${evidence()}
    UNION ALL SELECT feed, batch, pos, key, instant, present, state, extra, seq, part, reopening, first_start
    FROM ${candidates === 'log_load' ? 'log_row' : CANDIDATE_ROW(contract)} WHERE batch = ${batch}`);
  if (candidates !== 'log_load') {
    await db.run(`CREATE OR REPLACE TEMP TABLE refused_here AS
      WITH ${observationCtes(contract)}, ${rankedCte(contract)}, ${winnerCtes(contract)}, refused AS (${refusal(contract, batch)}) SELECT DISTINCT feed FROM refused`);
    await db.run(`DELETE FROM load_in WHERE batch >= 0 AND feed IN (SELECT feed FROM refused_here)`);
    await db.run(`DELETE FROM row_in WHERE batch >= 0 AND feed IN (SELECT feed FROM refused_here)`);
    // Counted in the one and refused in the other: every key of the feed differs.
    await db.run(`INSERT INTO differs SELECT o.feed, ${batch}, NULL FROM outcome o LEFT JOIN refused_here r USING (feed)
      WHERE o.batch = ${batch} AND NOT o.ignored AND o.rejected <> (r.feed IS NOT NULL) AND NOT ${OWN_REASON(contract)}`);
  }
  await db.run(`CREATE OR REPLACE TEMP TABLE now_known AS
    WITH prefix AS (SELECT DISTINCT feed, ${batch} AS step FROM load_in),
    ${observationCtes(contract)}, ${rankedCte(contract)}, ${winnerCtes(contract)}, ${versionCtes(contract)}
    SELECT feed, key, state, valid_from, valid_to, is_deleted FROM answer`);
  await db.run(`INSERT INTO differs SELECT DISTINCT feed, ${batch}, key FROM (
      (SELECT feed, key, state, valid_from, valid_to, is_deleted FROM now_known
        EXCEPT SELECT feed, key, state, valid_from, valid_to, is_deleted FROM expected WHERE step = ${batch})
      UNION ALL
      (SELECT feed, key, state, valid_from, valid_to, is_deleted FROM expected WHERE step = ${batch}
        EXCEPT SELECT feed, key, state, valid_from, valid_to, is_deleted FROM now_known))`);
  await db.run('DROP TABLE known');
  await db.run('ALTER TABLE now_known RENAME TO known');
}

/** What a dimension shows: each version's start with its state, and each end at which no version begins, as absent. */
function evidence(): string {
  return `SELECT v.feed, -1 AS batch, 0 AS pos, v.key, v.valid_from AS instant, true AS present, v.state, NULL::INTEGER AS extra,
      NULL AS seq, NULL AS part,
      EXISTS (SELECT 1 FROM known b WHERE b.feed = v.feed AND b.key = v.key AND b.valid_to = v.valid_from AND b.state = v.state AND NOT b.is_deleted) AS reopening,
      NULL::BIGINT AS first_start
    FROM known v WHERE NOT v.is_deleted
    UNION ALL
    SELECT v.feed, -1, 0, v.key, v.valid_to, false, NULL, NULL, NULL, NULL, false, NULL
    FROM known v WHERE NOT v.is_deleted AND v.valid_to IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM known n WHERE n.feed = v.feed AND n.key = v.key AND n.valid_from = v.valid_to AND NOT n.is_deleted)`;
}

/** Batches without a reason of their own to be refused. */
function OWN_REASON(contract: Contract): string {
  const { emptySnapshot, nullKey, duplicates, feed } = contract;
  const reasons: string[] = [];
  const of = 'd.feed = o.feed AND d.batch = o.batch';
  if (feed === 'snapshot' && emptySnapshot === 'reject') {
    reasons.push('EXISTS (SELECT 1 FROM load d WHERE d.feed = o.feed AND d.batch = o.batch AND d.rows = 0)');
  }
  if (nullKey === 'reject') reasons.push(`EXISTS (SELECT 1 FROM delivered d WHERE ${of} AND d.null_key)`);
  if (duplicates === 'reject') {
    const counted = nullKey === 'skip' ? 'AND NOT d.null_key' : '';
    reasons.push(
      `EXISTS (SELECT 1 FROM delivered d WHERE ${of} ${counted} GROUP BY d.key, d.instant HAVING count(*) > 1)`,
    );
  }
  return reasons.length === 0 ? 'false' : `(${reasons.join(' OR ')})`;
}

function CANDIDATE_LOAD(contract: Contract): string {
  return `(SELECT l.feed, l.batch, l.as_of FROM load l JOIN outcome o USING (feed, batch) WHERE NOT o.ignored AND NOT ${OWN_REASON(contract)})`;
}

function CANDIDATE_ROW(contract: Contract): string {
  return `(SELECT d.feed, d.batch, d.pos, d.key, d.instant, NOT d.is_delete AS present, CASE WHEN d.is_delete THEN NULL ELSE d.state END AS state,
      CASE WHEN d.is_delete THEN NULL ELSE d.extra END AS extra, d.seq, d.part, false AS reopening, d.first_start
    FROM delivered d JOIN outcome o USING (feed, batch) WHERE NOT o.ignored AND NOT ${OWN_REASON(contract)}
      ${contract.nullKey === 'skip' ? 'AND NOT d.null_key' : ''})`;
}
