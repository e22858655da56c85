import type { Contract } from '../../contract/contract.ts';
import type { Database } from '../../duckdb/connection.ts';
import { winnerCtes } from './pipeline.ts';

/** The relations that rule 7 reads and makes. */
export interface UntrackedRelations {
  readonly expected: string;
  readonly right: string;
  readonly judged: string;
}

export const VERSIONS: UntrackedRelations = {
  expected: 'expected',
  right: 'untracked_right',
  judged: 'untracked_judged',
};

/**
 * Rule 7: which untracked attributes are right for each expected version, as sets in which a value may stand more than once. Creates `untracked_right (feed, step, key, valid_from,
 * is_deleted, extra)` and `untracked_judged (feed, step, key, valid_from, is_deleted)`, or relations of other names.
 */
export async function untrackedRight(
  db: Database,
  contract: Contract,
  { expected, right, judged }: UntrackedRelations,
): Promise<void> {
  const { untracked } = contract;
  const shape = 'feed INTEGER, step INTEGER, key INTEGER, valid_from BIGINT, is_deleted BOOLEAN';
  if (contract.columns.untracked.length === 0) {
    await db.run(`CREATE TABLE ${right} (${shape}, extra INTEGER)`);
    await db.run(`CREATE TABLE ${judged} (${shape})`);
    return;
  }
  // Losers between batches delivered their attributes too, so this starts before batches compete; under `duplicates: any` so did
  // the other rows of the same state.
  const source =
    contract.duplicates === 'any'
      ? `ranked r SEMI JOIN settled s USING (feed, batch, key, instant) WHERE r.present = r.won_present AND r.state IS NOT DISTINCT FROM r.won_state`
      : 'settled';
  await db.run(`CREATE TEMP TABLE handed AS WITH ranked AS (FROM ranked_log), ${winnerCtes(contract)}
    SELECT feed, batch, key, instant, present, state, extra, late_by_key FROM ${source}`);
  const wholeKey = untracked === 'all';
  const match = wholeKey
    ? 'h.feed = e.feed AND h.key = e.key AND h.present AND h.batch <= e.step'
    : `h.feed = e.feed AND h.key = e.key AND h.present AND h.batch <= e.step AND h.state = e.state
      AND h.instant >= e.opened_at AND (e.valid_to IS NULL OR h.instant < e.valid_to)`;
  const extreme = untracked === 'frozen' ? 'min' : 'max';
  const first = (column: string) => `h.${column} = ${extreme}(h.${column}) OVER of_version`;
  await db.run(`CREATE TABLE ${right} AS
    SELECT e.feed, e.step, e.key, e.valid_from, e.is_deleted, h.extra
    FROM ${expected} e JOIN handed h ON ${match} ${wholeKey ? '' : 'WHERE NOT e.is_deleted'}
    ${
      untracked === 'any'
        ? ''
        : `WINDOW of_version AS (PARTITION BY e.feed, e.step, e.key, e.valid_from, e.is_deleted)
    QUALIFY ${first('instant')} OR ${first('batch')}`
    }`);
  const inOrder = `NOT EXISTS (SELECT 1 FROM observed_log o WHERE o.feed = e.feed AND o.key = e.key AND o.late_by_key AND o.live_from <= e.step)`;
  // A start that moved back keeps an untracked value that a dimension alone cannot place any more.
  const lenient = untracked === 'any' && contract.lateEvidence === 'log';
  const closed = lenient ? '' : `AND (e.valid_to IS NULL OR ${inOrder})`;
  const isJudged = untracked === 'all' ? 'true' : `NOT e.is_deleted ${closed}`;
  await db.run(`CREATE TABLE ${judged} AS
    SELECT e.feed, e.step, e.key, e.valid_from, e.is_deleted FROM ${expected} e
    JOIN expected_key k USING (feed, step, key) WHERE NOT k.forgiven AND NOT k.ambiguous AND ${isJudged}`);
  await db.run('DROP TABLE handed');
}
