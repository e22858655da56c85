import type { Contract } from '../../contract/contract.ts';
import type { Database } from '../../duckdb/connection.ts';
import { observationCtes, rankedCte, winnerCtes } from './pipeline.ts';

/**
 * Rule 1: which batches count. Creates `outcome`, `load_in` and `row_in`.
 *
 * Reasons that lie in the batch alone are one query. `late: reject` and `sameInstant: reject` depend on what was accepted before,
 * so there the batches are tried one after the other, each with the same observations that the answer is made of.
 */
export async function acceptBatches(db: Database, contract: Contract): Promise<void> {
  const { emptySnapshot, nullKey, duplicates, feed } = contract;
  const refused: string[] = [];
  if (feed === 'snapshot' && emptySnapshot === 'reject')
    refused.push('SELECT feed, batch FROM load WHERE rows = 0');
  if (nullKey === 'reject') refused.push('SELECT feed, batch FROM delivered WHERE null_key');
  if (duplicates === 'reject') {
    const counted = nullKey === 'skip' ? 'WHERE NOT null_key' : '';
    refused.push(
      `SELECT feed, batch FROM delivered ${counted} GROUP BY feed, batch, key, instant HAVING count(*) > 1`,
    );
  }
  const none = 'SELECT NULL::INTEGER AS feed, NULL::INTEGER AS batch WHERE false';
  await db.run(`CREATE TABLE outcome AS
    SELECT l.feed, l.batch, r.feed IS NOT NULL AS rejected,
      ${feed === 'snapshot' && emptySnapshot === 'ignore' ? 'l.rows = 0' : 'false'} AS ignored
    FROM load l LEFT JOIN (SELECT DISTINCT feed, batch FROM (${refused.join(' UNION ALL ') || none})) r USING (feed, batch)`);
  if (contract.late === 'reject' || contract.sameInstant === 'reject') await rejectInOrder(db, contract);
  await db.run('DROP TABLE IF EXISTS load_in');
  await db.run('DROP TABLE IF EXISTS row_in');
  await createInputs(db, contract, 'NOT o.rejected AND NOT o.ignored');
}

async function createInputs(db: Database, contract: Contract, condition: string): Promise<void> {
  await db.run(`CREATE TEMP TABLE load_in AS
    SELECT l.feed, l.batch, l.as_of FROM load l JOIN outcome o USING (feed, batch) WHERE ${condition}`);
  await db.run(`CREATE TEMP TABLE row_in AS
    SELECT d.feed, d.batch, d.pos, d.key, d.instant, NOT d.is_delete AS present,
      CASE WHEN d.is_delete THEN NULL ELSE d.state END AS state, CASE WHEN d.is_delete THEN NULL ELSE d.extra END AS extra,
      d.seq, d.part, false AS reopening, d.first_start
    FROM delivered d JOIN outcome o USING (feed, batch)
    WHERE (${condition}) ${contract.nullKey === 'skip' ? 'AND NOT d.null_key' : ''}`);
}

async function rejectInOrder(db: Database, contract: Contract): Promise<void> {
  const [row] = await db.rows<{ last: number | null }>(
    'SELECT CAST(max(batch) AS INTEGER) AS last FROM load',
  );
  for (let batch = 0; batch <= (row?.last ?? -1); batch++) {
    await db.run('DROP TABLE IF EXISTS load_in');
    await db.run('DROP TABLE IF EXISTS row_in');
    await createInputs(db, contract, `NOT o.rejected AND NOT o.ignored AND o.batch <= ${batch}`);
    await db.run(`UPDATE outcome SET rejected = true FROM (
      WITH ${observationCtes(contract)}, ${rankedCte(contract)}, ${winnerCtes(contract)}, refused AS (${refusal(contract, batch)})
      SELECT DISTINCT feed FROM refused) r
      WHERE outcome.feed = r.feed AND outcome.batch = ${batch}`);
  }
}

/** Feeds in which `batch` brings something late, or another state for an instant that an earlier batch brought. */
export function refusal(contract: Contract, batch: number): string {
  const { late, lateScope, sameInstant } = contract;
  const parts: string[] = [];
  if (late === 'reject' && lateScope === 'batch') {
    parts.push(`SELECT feed FROM observed WHERE batch = ${batch} AND late_by_batch`);
    const asOfCounts =
      contract.feed === 'snapshot' || (contract.feed === 'delta' && contract.stamp === 'as-of');
    // An empty batch is late by its own instant, where that instant counts.
    if (asOfCounts) {
      parts.push(`SELECT l.feed FROM load_in l JOIN watermark w USING (feed, batch) WHERE l.batch = ${batch} AND l.as_of < w.instant
        AND NOT EXISTS (SELECT 1 FROM observed r WHERE r.feed = l.feed AND r.batch = l.batch)`);
    }
  }
  if (late === 'reject' && lateScope === 'key')
    parts.push(`SELECT feed FROM observed WHERE batch = ${batch} AND late_by_key`);
  if (sameInstant === 'reject') {
    parts.push(`SELECT n.feed FROM settled n JOIN settled e USING (feed, key, instant)
      WHERE n.batch = ${batch} AND e.batch < ${batch} AND (n.present <> e.present OR n.state IS DISTINCT FROM e.state)
        AND NOT (n.reopening AND NOT e.present)`);
  }
  return parts.join('\n      UNION ALL ') || 'SELECT NULL::INTEGER AS feed WHERE false';
}
