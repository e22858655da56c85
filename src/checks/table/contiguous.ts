import { FOREVER } from '../../contract/instant.ts';
import type { Check } from '../check.ts';
import { at } from '../words.ts';

export const contiguous: Check = {
  id: 'contiguous',
  group: 'table',
  title: 'A version starts where the one before it ended, except where the key was absent.',
  why: 'A fact in a gap matches no version and lands on the UNKNOWN member.',
  implies: ['clock-injected', 'coverage', 'content', 'version-count', 'as-of-value', 'reconciles'],
  skip: () => null,
  violations: ({ contract, oracle }) => {
    const gaps = `SELECT feed, step, key, reaches AS gap_from, valid_from AS gap_to FROM (
      SELECT feed, step, key, valid_from,
        max(coalesce(valid_to, ${FOREVER})) OVER (PARTITION BY feed, step, key ORDER BY valid_from, row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reaches
      FROM version WHERE valid_from IS NOT NULL AND NOT is_deleted AND (valid_to IS NULL OR valid_to > valid_from)) reached
    WHERE reaches < valid_from`;
    const mayBeAbsent = contract.deletes === 'close' || contract.deletes === 'marker-row';
    if (!oracle) return mayBeAbsent ? `SELECT * FROM (${gaps}) g WHERE false` : gaps;
    // With the oracle at hand, a gap is a fault exactly where the key was alive in it.
    const alive = `EXISTS (SELECT 1 FROM expected e WHERE e.feed = g.feed AND e.step = g.step AND e.key = g.key AND NOT e.is_deleted
      AND e.valid_from < g.gap_to AND (e.valid_to IS NULL OR e.valid_to > g.gap_from))`;
    const excused = `EXISTS (SELECT 1 FROM excused x WHERE x.feed = g.feed AND x.step = g.step AND x.key = g.key)`;
    return `SELECT g.* FROM (${gaps}) g WHERE CASE WHEN ${excused} THEN ${!mayBeAbsent} ELSE ${alive} END`;
  },
  exercised: () =>
    `SELECT count(*) FROM (SELECT feed, step, key FROM version GROUP BY ALL HAVING count(*) > 1)`,
  message: ({ gap_from, gap_to }) =>
    `No version holds from ${at(gap_from!)} to ${at(gap_to!)}, though the key was there.`,
};
