import { createHash } from 'node:crypto';
import { CHECKS, checkById } from '../checks/index.ts';
import { type CheckTally, Judge, type Trace } from '../checks/judge.ts';
import { UnreadableDimension } from '../checks/relations.ts';
import { batchColumns, type Cell } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { formatInstant } from '../contract/instant.ts';
import type { Feed } from '../feed/feed.ts';
import { jsonRow, readEvidence } from './evidence-rows.ts';
import { explainFailures } from './explain.ts';
import type { Count, Counterexample, Finding } from './report.ts';
import { findRoots, type Root } from './roots.ts';

export interface GroupOptions {
  readonly checks: readonly string[] | null;
  readonly join: string | null;
  /** Called when the traces are loaded and nothing is judged yet. */
  readonly store: (judge: Judge) => Promise<void>;
  readonly replay: (feedId: string) => string;
  /** Whether feeds are named cases. */
  readonly caseIds: boolean;
  readonly deadline: number;
}

export interface GroupVerdict {
  readonly tallies: readonly CheckTally[];
  readonly findings: readonly Finding[];
  readonly feeds: readonly FeedVerdict[];
}

export interface FeedVerdict {
  readonly feed: Feed;
  /** Batches after which the dimension was judged. */
  readonly steps: number;
  readonly failed: boolean;
  readonly versions: Count;
  readonly open: Count;
  readonly findings: readonly string[];
}

/** Judges traces that share a contract: tallies, the roots as findings, and the verdict of each feed. */
export async function judgeGroup(
  contract: Contract,
  traces: readonly Trace[],
  options: GroupOptions,
): Promise<GroupVerdict | { readonly unreadable: string }> {
  let judge: Judge;
  try {
    judge = await Judge.open(contract, traces);
  } catch (error) {
    if (error instanceof UnreadableDimension) return { unreadable: error.message };
    throw error;
  }
  try {
    await options.store(judge);
    const tallies = await judge.judge(contract, options);
    const counts = await countVersions(judge);
    const roots = findRoots(tallies);
    const drafts: Draft[] = [];
    for (const root of onePerFeed(roots)) drafts.push(await draft(judge, contract, root, options));
    const failing = new Set(tallies.flatMap(({ violations }) => violations.map(({ feed }) => feed)));
    const decisions = await explainFailures(judge, contract, failing, options.deadline);
    const findings = drafts.map(({ feed, finding }) => ({
      ...finding,
      decision: decisions.get(feed) ?? null,
    }));
    return {
      tallies,
      findings,
      feeds: traces.map((trace, index) => feedVerdict(trace, index, counts, failing, drafts)),
    };
  } finally {
    judge.close();
  }
}

interface Draft {
  readonly feed: number;
  readonly finding: Omit<Finding, 'decision'>;
}

/** Of several keys with the same root in one feed, the first. */
function onePerFeed(roots: readonly Root[]): readonly Root[] {
  const seen = new Set<string>();
  return roots.filter(
    ({ violation: { feed, check } }) => !seen.has(`${feed}/${check}`) && seen.add(`${feed}/${check}`),
  );
}

async function draft(
  judge: Judge,
  contract: Contract,
  { violation, implies }: Root,
  options: GroupOptions,
): Promise<Draft> {
  const { feed, step, key, check } = violation;
  const { feed: sent } = judge.traces[feed]!;
  const evidence = key === null ? null : await readEvidence(judge, contract, { feed, step, key });
  const counterexample = toCounterexample(contract, sent, step);
  const finding: Omit<Finding, 'decision'> = {
    id: findingId(check, contract, counterexample),
    check,
    implies,
    feed: sent.id,
    ...(options.caseIds ? { case: sent.id.replace(/^case\//, '') } : {}),
    step,
    key: evidence?.key ?? null,
    message: checkById(check).message(violation.found),
    expected: evidence?.expected ?? [],
    actual: evidence?.actual ?? [],
    ...(evidence?.money == null ? {} : { money: evidence.money }),
    counterexample,
    replay: options.replay(sent.id),
  };
  return { feed, finding };
}

function toCounterexample(contract: Contract, feed: Feed, step: number): Counterexample {
  const columns = batchColumns(contract.columns, contract.firstStart);
  let latest: bigint | null = null;
  const batches = feed.batches.slice(0, step + 1).map(({ asOf, rows }) => {
    const late = latest !== null && asOf < latest;
    if (latest === null || asOf > latest) latest = asOf;
    return {
      asOf: formatInstant(asOf),
      rows: rows.map((row) =>
        jsonRow(
          columns,
          columns.map(({ name }): Cell => row[name] ?? null),
        ),
      ),
      late,
    };
  });
  return { batches };
}

/** Stable: the same violation of the same feed has the same id on every machine. */
function findingId(
  check: string,
  { columns: _, ...decisions }: Contract,
  counterexample: Counterexample,
): string {
  const text = JSON.stringify([check, decisions, counterexample]);
  return `${check}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

type CountRow = { feed: number; side: string; versions: bigint; open: bigint };

/** Versions and open rows after the last batch of each feed, marker rows aside. */
async function countVersions(judge: Judge): Promise<readonly CountRow[]> {
  return judge.db.rows<CountRow>(`WITH last AS (SELECT feed, max(step) AS step FROM step GROUP BY feed)
    SELECT feed, 'expected' AS side, count(*) AS versions, count(*) FILTER (WHERE valid_to IS NULL) AS open
    FROM expected JOIN last USING (feed, step) WHERE NOT is_deleted GROUP BY feed
    UNION ALL
    SELECT feed, 'actual', count(*), count(*) FILTER (WHERE is_open) FROM version JOIN last USING (feed, step) WHERE NOT is_deleted GROUP BY feed`);
}

function feedVerdict(
  { feed, steps }: Trace,
  index: number,
  counts: readonly CountRow[],
  failing: ReadonlySet<number>,
  drafts: readonly Draft[],
): FeedVerdict {
  const of = (side: string) => counts.find((row) => Number(row.feed) === index && row.side === side);
  const count = (what: 'versions' | 'open'): Count => ({
    expected: Number(of('expected')?.[what] ?? 0),
    actual: Number(of('actual')?.[what] ?? 0),
  });
  return {
    feed,
    steps: steps.length,
    failed: failing.has(index),
    versions: count('versions'),
    open: count('open'),
    findings: drafts.filter((one) => one.feed === index).map(({ finding }) => finding.id),
  };
}

/** Tallies of several groups, check by check, in the order of reports. A check is skipped where every group skips it. */
export function mergeChecks(groups: readonly (readonly CheckTally[])[]) {
  return CHECKS.map(({ id }) => {
    const own = groups.flatMap((tallies) => tallies.filter((tally) => tally.id === id));
    const ran = own.filter(({ skipReason }) => skipReason === null);
    return {
      id,
      skipReason: ran.length > 0 ? null : (own[0]?.skipReason ?? null),
      exercised: ran.reduce((sum, { exercised }) => sum + exercised, 0),
      count: ran.reduce((sum, { violations }) => sum + violations.length, 0),
    };
  });
}
