import type { Contract } from '../../contract/contract.ts';
import type { Database } from '../../duckdb/connection.ts';

/**
 * Positions of the feeds that hold what the contract says does not happen (its `never` options, and `duplicates: equal` with rows that
 * differ). Reads the relations that `runOracle` made for that contract. Such a feed is not sent, and not judged.
 */
export async function illegalFeeds(db: Database, contract: Contract): Promise<ReadonlySet<number>> {
  const { late, lateScope, sameInstant, duplicates, nullKey, deletes } = contract;
  const reasons: string[] = [];
  if (late === 'never')
    reasons.push(
      `SELECT feed FROM observed_log WHERE ${lateScope === 'batch' ? 'late_by_batch' : 'late_by_key'}`,
    );
  if (sameInstant === 'never') {
    reasons.push(`SELECT a.feed FROM observed_log a JOIN observed_log b USING (feed, key, instant)
      WHERE a.batch < b.batch AND (a.present <> b.present OR a.state IS DISTINCT FROM b.state) AND NOT (b.reopening AND NOT a.present)`);
  }
  const doubled = `SELECT feed FROM delivered WHERE ${nullKey === 'value' ? 'true' : 'NOT null_key'} GROUP BY feed, batch, key, instant HAVING count(*) > 1`;
  if (duplicates === 'never') reasons.push(doubled);
  if (duplicates === 'equal') reasons.push(`${doubled} AND count(DISTINCT (state, extra, is_delete)) > 1`);
  if (nullKey === 'never') reasons.push('SELECT feed FROM delivered WHERE null_key');
  if (deletes === 'never') {
    reasons.push(
      `SELECT a.feed FROM observed_log a JOIN observed_log b USING (feed, key) WHERE a.present AND NOT b.present AND b.instant > a.instant`,
    );
    reasons.push('SELECT feed FROM delivered WHERE is_delete');
  }
  if (reasons.length === 0) return new Set();
  const rows = await db.rows<{ feed: number }>(`SELECT DISTINCT feed FROM (${reasons.join(' UNION ALL ')})`);
  return new Set(rows.map(({ feed }) => Number(feed)));
}
