import type { Judge, Trace } from '../checks/judge.ts';
import { Judge as OpenJudge } from '../checks/judge.ts';
import type { Cell } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Feed } from '../feed/feed.ts';
import { foldState } from '../oracle/typescript/index.ts';
import { findRoots } from '../runner/roots.ts';

/** One history in which something fails. */
export interface FailingHistory {
  readonly feed: Feed;
  /** The key, as the contract compares it; null where the whole feed is meant. */
  readonly key: string | null;
  readonly check: string;
  /** The batch after which it fails. */
  readonly step: number;
}

/** What judging some packed feeds gave. */
export interface PackVerdict {
  readonly tallies: Awaited<ReturnType<Judge['judge']>>;
  /** Smallest first: by step, then in the order of the feeds. */
  readonly failing: readonly FailingHistory[];
  /** Histories whose content was not judged after some batch, because it needs evidence that a dimension loses. */
  readonly forgiven: number;
  readonly facts: number;
}

/** Judges packed feeds: a thousand histories cost hardly more than one. */
export async function judgePack(
  contract: Contract,
  traces: readonly Trace[],
  checks: readonly string[] | null,
  join: string | null,
): Promise<PackVerdict> {
  const judge = await OpenJudge.open(contract, traces);
  try {
    const tallies = await judge.judge(contract, { checks, join });
    await judge.loadFacts(contract, join);
    const roots = findRoots(tallies);
    const names = roots.length === 0 ? new Map<number, string>() : await keyNames(judge, contract);
    const failing = roots.map(({ violation: { feed, key, check, step } }) => ({
      feed: traces[feed]!.feed,
      key: key === null ? null : (names.get(key) ?? null),
      check,
      step,
    }));
    const [counted] = await judge.db.rows<{ forgiven: number; facts: number }>(`SELECT
      CAST((SELECT count(DISTINCT (feed, key)) FROM expected_key WHERE forgiven) AS INTEGER) AS forgiven,
      CAST((SELECT count(*) FROM fact) AS INTEGER) AS facts`);
    return {
      tallies,
      failing: failing.sort((a, b) => a.step - b.step),
      forgiven: counted?.forgiven ?? 0,
      facts: counted?.facts ?? 0,
    };
  } finally {
    judge.close();
  }
}

/** The keys that were delivered, as the contract compares them, by their numbers. */
export async function keyNames(
  judge: Judge,
  { columns, keyCompare }: Contract,
): Promise<ReadonlyMap<number, string>> {
  const parts = columns.key.map((_, index) => `k${index}`);
  const rows = await judge.db.rows<Record<string, Cell>>(
    `SELECT DISTINCT ON (key) key, ${parts.join(', ')} FROM delivered JOIN delivered_values USING (feed, batch, pos)`,
  );
  return new Map(
    rows.map((row) => [
      Number(row['key']),
      foldState(
        parts.map((part) => row[part] ?? null),
        columns.key,
        keyCompare,
      ),
    ]),
  );
}
