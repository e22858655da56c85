import { createHash } from 'node:crypto';
import { keyText } from '../../cases/packing.ts';
import { UnreadableDimension } from '../checks/held.ts';
import { ALL_CHECKS, CHECKS, checkById } from '../checks/index.ts';
import { type CheckTally, Judge, type Trace } from '../checks/judge.ts';
import { batchColumns, type Cell } from '../contract/columns.ts';
import type { Contract, Decision } from '../contract/contract.ts';
import { formatInstant } from '../contract/instant.ts';
import { hasCurrentTable, hasVersions } from '../contract/types.ts';
import type { Feed } from '../feed/feed.ts';
import { illegalFeeds } from '../oracle/duckdb/legality.ts';
import { type Mask, maskOf } from '../search/find.ts';
import { jsonRow, type KeyEvidence, readEvidence } from './evidence-rows.ts';
import { type Explained, explainFailures } from './explain.ts';
import type { Count, Counterexample, Finding } from './report.ts';
import { findRoots, type Root } from './roots.ts';

export interface GroupOptions {
  readonly checks: readonly string[] | null;
  readonly join: string | null;
  /** Called when the traces are loaded and nothing is judged yet. */
  readonly store: (judge: Judge) => Promise<void>;
  readonly replay: (feedId: string, findingId: string) => string;
  /** The id that a finding of a feed has already, if it comes from an earlier run. */
  readonly knownId: (feedId: string, check: string) => string | null;
  /** For a feed of named cases: each with its keys (cases/packing.ts). */
  readonly members: Members;
  /** Whether feeds are named cases. */
  readonly caseIds: boolean;
  readonly deadline: number;
}

/** By the id of a feed. */
export type Members = ReadonlyMap<
  string,
  readonly { readonly id: string; readonly keys: ReadonlySet<string> }[]
>;

export interface GroupVerdict {
  readonly tallies: readonly CheckTally[];
  readonly findings: readonly Finding[];
  /** Decisions that stand, the one that explains most first. */
  readonly taken: readonly Decision[];
  readonly feeds: readonly FeedVerdict[];
  /** What tells the histories of these defects from others. */
  readonly masks: readonly Mask[];
}

export interface FeedVerdict {
  readonly feed: Feed;
  /** Batches after which the dimension was judged. */
  readonly steps: number;
  readonly failed: boolean;
  /** The contract does not allow it, so nothing is said of it. Only feeds that were not made for this contract can be. */
  readonly illegal: boolean;
  /** Versions and open rows after the last batch, for each case in the feed. */
  readonly members: readonly { readonly id: string; readonly versions: Count; readonly open: Count }[];
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
    const all = await judge.judge(contract, options);
    const illegal = await illegalPositions(judge, contract);
    const tallies = all.map((tally) => withoutIllegal(tally, illegal));
    const counts = await countVersions(judge, contract);
    const roots = onePerFeed(findRoots(tallies));
    const drafts = await draftAll(judge, contract, roots, options);
    const failing = new Set(tallies.flatMap(({ violations }) => violations.map(({ feed }) => feed)));
    const leads = new Map(roots.map(({ violation: { feed, check } }) => [feed, check]));
    const explained = await explainFailures(judge, contract, leads, options.deadline);
    const { decisions, taken } = explained;
    const unexplained = drafts.filter(({ feed }) => !decisions.has(feed));
    const right = await rightUnder(judge, explained, unexplained, options);
    const findings = drafts.map((draft) => ({
      ...draft.finding,
      decision: decisions.get(draft.feed) ?? (right.has(draft) ? taken[0]! : null),
    }));
    return {
      tallies,
      findings,
      taken,
      masks: roots.map(({ violation: { feed, check } }) => maskOf(contract, check, judge.traces[feed]!.feed)),
      feeds: traces.map((trace, index) =>
        feedVerdict(trace, index, counts, failing, illegal, drafts, options.members),
      ),
    };
  } finally {
    judge.close();
  }
}

/** Of what no decision explains by its content, that which no check finds wrong under all the decisions that stand. */
async function rightUnder(
  judge: Judge,
  { contract, taken }: Explained,
  drafts: readonly Draft[],
  options: GroupOptions,
): Promise<ReadonlySet<Draft>> {
  if (taken.length === 0 || drafts.length === 0) return new Set();
  const checks = options.checks ?? CHECKS.map(({ id }) => id);
  const tallies = await judge.judge(contract, { checks, join: options.join });
  const wrong = new Set(tallies.flatMap(({ violations }) => violations.map(({ feed }) => feed)));
  return new Set(drafts.filter(({ feed }) => !wrong.has(feed)));
}

/** Feeds that were made for another contract, or by hand, may hold what this one does not allow. */
async function illegalPositions(judge: Judge, contract: Contract): Promise<ReadonlySet<number>> {
  if (!judge.traces.some(({ feed }) => /^(stored|project)\//.test(feed.id))) return new Set();
  return illegalFeeds(judge.db, contract);
}

function withoutIllegal(tally: CheckTally, illegal: ReadonlySet<number>): CheckTally {
  const violations = tally.violations.filter(({ feed }) => !illegal.has(feed));
  return { ...tally, violations, count: tally.count - (tally.violations.length - violations.length) };
}

function isCase({ id }: Feed): boolean {
  return /^(cases?|project)\//.test(id);
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

async function draftAll(
  judge: Judge,
  contract: Contract,
  roots: readonly Root[],
  options: GroupOptions,
): Promise<Draft[]> {
  const places = roots.flatMap(({ violation: { feed, step, key } }) =>
    key === null ? [] : [{ feed, step, key }],
  );
  if (places.length > 0) await judge.loadFacts(contract, options.join);
  const evidence = await readEvidence(judge, contract, places);
  const found = new Map(
    places.map((place, index) => [`${place.feed}/${place.step}/${place.key}`, evidence[index]!]),
  );
  return roots.map((root) => {
    const { feed, step, key } = root.violation;
    return {
      feed,
      finding: draft(judge.traces[feed]!.feed, contract, root, found.get(`${feed}/${step}/${key}`), options),
    };
  });
}

function draft(
  sent: Feed,
  contract: Contract,
  { violation: { check, step, found }, implies }: Root,
  evidence: KeyEvidence | undefined,
  options: GroupOptions,
): Omit<Finding, 'decision'> {
  const counterexample = toCounterexample(contract, sent, step);
  const id = options.knownId(sent.id, check) ?? findingId(check, contract, counterexample);
  return {
    id,
    check,
    implies,
    feed: sent.id,
    ...(options.caseIds && isCase(sent) ? { case: sent.id.replace(/^cases?\//, '') } : {}),
    step,
    key: evidence?.key ?? null,
    message: checkById(check).message(found),
    expected: evidence?.expected ?? [],
    actual: evidence?.actual ?? [],
    ...(evidence?.history == null ? {} : { history: evidence.history }),
    ...(evidence === undefined || evidence.facts.length === 0 ? {} : { facts: evidence.facts }),
    ...(evidence?.money == null ? {} : { money: evidence.money }),
    counterexample,
    replay: options.replay(sent.id, id),
  };
}

export function toCounterexample(contract: Contract, feed: Feed, step: number): Counterexample {
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
export function findingId(
  check: string,
  { columns: _, ...decisions }: Contract,
  counterexample: Counterexample,
): string {
  const text = JSON.stringify([check, decisions, counterexample]);
  return `${check}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

interface KeyCount {
  readonly feed: number;
  readonly key: string;
  readonly side: string;
  readonly versions: number;
  readonly open: number;
}

/**
 * Versions and open rows of each key after the last batch of each feed, marker rows aside. Rows of a table that is overwritten count as open
 * ones, and where it is the only one also as versions.
 */
async function countVersions(judge: Judge, contract: Contract): Promise<readonly KeyCount[]> {
  const { columns } = contract;
  const isOpen = (ofVersion: string) => (hasCurrentTable(contract) ? 'false' : ofVersion);
  const isVersion = hasVersions(contract) ? 'false' : 'true';
  const parts = columns.key.map((_, index) => `k${index}`);
  const spelling = (source: string) =>
    parts.map((part) => `any_value(${source}.${part}) AS ${part}`).join(', ');
  const rows = await judge.db.rows<
    Record<string, Cell>
  >(`WITH last AS (SELECT feed, max(step) AS step FROM step GROUP BY feed),
    expected_row AS (
      SELECT feed, step, key, batch, pos, is_deleted, true AS is_version, ${isOpen('valid_to IS NULL')} AS is_open FROM expected WHERE ${hasVersions(contract)}
      UNION ALL SELECT feed, step, key, batch, pos, is_deleted, ${isVersion}, true FROM expected_current),
    actual_row AS (
      SELECT feed, step, key, row, is_deleted, true AS is_version, ${isOpen('is_open')} AS is_open FROM version
      UNION ALL SELECT feed, step, key, row, is_deleted, ${isVersion}, true FROM current_row),
    expected_count AS (
      SELECT e.feed, 'expected' AS side, ${spelling('d')}, ${COUNTS}
      FROM expected_row e JOIN last USING (feed, step) JOIN delivered_values d ON d.feed = e.feed AND d.batch = e.batch AND d.pos = e.pos
      WHERE NOT e.is_deleted GROUP BY e.feed, e.key),
    actual_count AS (
      SELECT v.feed, 'actual' AS side, ${spelling('h')}, ${COUNTS}
      FROM actual_row v JOIN last USING (feed, step) JOIN held_values h USING (feed, step, row) WHERE NOT v.is_deleted GROUP BY v.feed, v.key)
    FROM expected_count UNION ALL FROM actual_count`);
  return rows.map((row) => ({
    feed: Number(row['feed']),
    side: String(row['side']),
    key: keyText(parts.map((part) => row[part] ?? null)),
    versions: Number(row['versions']),
    open: Number(row['open']),
  }));
}

const COUNTS = 'count(*) FILTER (WHERE is_version) AS versions, count(*) FILTER (WHERE is_open) AS open';

function feedVerdict(
  { feed, steps }: Trace,
  index: number,
  counts: readonly KeyCount[],
  failing: ReadonlySet<number>,
  illegal: ReadonlySet<number>,
  drafts: readonly Draft[],
  members: Members,
): FeedVerdict {
  const own = counts.filter((count) => count.feed === index);
  const cases = members.get(feed.id) ?? [];
  // Alone, a case answers for every key there is: also for one that it never sent.
  const belongs = (keys: ReadonlySet<string>, key: string) => cases.length === 1 || keys.has(key);
  const sum = (keys: ReadonlySet<string>, side: string, what: 'versions' | 'open') =>
    own
      .filter((count) => count.side === side && belongs(keys, count.key))
      .reduce((total, count) => total + count[what], 0);
  const count = (keys: ReadonlySet<string>, what: 'versions' | 'open'): Count => ({
    expected: sum(keys, 'expected', what),
    actual: sum(keys, 'actual', what),
  });
  return {
    feed,
    steps: steps.length,
    failed: failing.has(index),
    illegal: illegal.has(index),
    members: cases.map(({ id, keys }) => ({
      id,
      versions: count(keys, 'versions'),
      open: count(keys, 'open'),
    })),
    findings: drafts.filter((one) => one.feed === index).map(({ finding }) => finding.id),
  };
}

/** Tallies of several groups, check by check, in the order of reports. A check is skipped where every group skips it. */
export function mergeChecks(groups: readonly (readonly CheckTally[])[]) {
  return ALL_CHECKS.map(({ id }) => {
    const own = groups.flatMap((tallies) => tallies.filter((tally) => tally.id === id));
    const ran = own.filter(({ skipReason }) => skipReason === null);
    return {
      id,
      skipReason: ran.length > 0 ? null : (own[0]?.skipReason ?? null),
      exercised: ran.reduce((sum, { exercised }) => sum + exercised, 0),
      count: ran.reduce((sum, { count }) => sum + count, 0),
    };
  });
}
