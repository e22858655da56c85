import { notOfType } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { type CheckTally, Judge, type Trace, type Violation } from '../../src/checks/judge.ts';
import type { Cell } from '../../src/contract/columns.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { findRoots } from '../../src/runner/roots.ts';
import { runFeed } from '../../src/runner/session.ts';
import type { OpenedMutant } from './open.ts';

/** What a mutant came to over some feeds. */
export interface Verdict {
  readonly mutant: OpenedMutant['mutant'];
  /** The check that leads at the earliest batch at which anything fails; null where nothing does. */
  readonly lead: string | null;
  /** The same, with nothing but the checks on the table alone. */
  readonly tableLead: string | null;
  /** Every check that fails, in the order of reports. */
  readonly failing: readonly string[];
  /** The feed in which `lead` does. */
  readonly feed: Feed | null;
}

/** Violations of one check in one feed that are looked at. A mutant that fails everywhere must not take the place of others. */
const ENOUGH = 20;

/**
 * Judges mutants of one contract together, which costs hardly more than one: the feeds of each are traces of their own. Without a join of
 * the reader's own the as-of checks can only follow, and are left out.
 */
export async function judgeTogether(
  group: readonly OpenedMutant[],
  feeds: readonly Feed[],
): Promise<readonly Verdict[]> {
  const { contract, join } = group[0]!;
  const traces: Trace[] = [];
  for (const { mutant, implementation } of group) {
    for (const feed of feeds) {
      const outcome = await runFeed(implementation, contract, feed);
      if ('failed' in outcome) throw new Error(`${mutant.id}: ${outcome.failed.failure.message}`);
      traces.push(outcome.trace);
    }
  }
  const judge = await Judge.open(contract, traces);
  try {
    // This makes the relations; the violations are asked for below, some of each feed.
    await judge.judge(contract, { checks: join === null ? [] : ['reconciles'], join });
    const tallies: CheckTally[] = [];
    for (const check of CHECKS) {
      if (check.group === 'as-of' && join === null) continue;
      if (notOfType(check, contract) !== null || check.skip(contract) !== null) continue;
      const rows = await judge.db.rows<Record<string, Cell>>(
        `SELECT feed, step, key FROM (${check.violations({ contract, oracle: true })})
        QUALIFY row_number() OVER (PARTITION BY feed ORDER BY step, key) <= ${ENOUGH}`,
      );
      const violations = rows.map(({ feed, step, key }) => ({
        check: check.id,
        feed: Number(feed),
        step: Number(step),
        key: key == null ? null : Number(key),
        found: {},
      }));
      tallies.push({ id: check.id, skipReason: null, exercised: 0, count: rows.length, violations });
    }
    return group.map(({ mutant }, at) => ({
      mutant,
      ...verdictOf(tallies, at * feeds.length, feeds),
    }));
  } finally {
    judge.close();
  }
}

const TABLE = new Set(CHECKS.filter(({ group }) => group === 'table').map(({ id }) => id));

function verdictOf(
  tallies: readonly CheckTally[],
  first: number,
  feeds: readonly Feed[],
): Omit<Verdict, 'mutant'> {
  const own = tallies.map((tally) => ({
    ...tally,
    violations: tally.violations.filter(({ feed }) => feed >= first && feed < first + feeds.length),
  }));
  const smallest = smallestRoot(own);
  return {
    lead: smallest?.check ?? null,
    tableLead: smallestRoot(own.filter(({ id }) => TABLE.has(id)))?.check ?? null,
    failing: own.filter(({ violations }) => violations.length > 0).map(({ id }) => id),
    feed: smallest === null ? null : feeds[smallest.feed - first]!,
  };
}

function smallestRoot(tallies: readonly CheckTally[]): Violation | null {
  const roots = findRoots(tallies).map(({ violation }) => violation);
  return [...roots].sort((a, b) => a.step - b.step || a.feed - b.feed)[0] ?? null;
}
