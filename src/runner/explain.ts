import { CHECKS } from '../checks/index.ts';
import type { Judge } from '../checks/judge.ts';
import { type Contract, type Decision, type Field, FOLDINGS, OPTIONS } from '../contract/contract.ts';
import { formatDate, formatInstant } from '../contract/instant.ts';
import { illegalFeeds } from '../oracle/duckdb/legality.ts';

/**
 * Finds the decisions that would explain what failed: options under which a failing feed is right and nothing that was right becomes wrong.
 *
 * An implementation may differ in several decisions at once, so this is a greedy search: the option that explains most is taken, the traces
 * are judged under it, and the search goes on from there. `never` explains nothing: that the source does not send something says nothing
 * about what the implementation does with it. What is left when no option helps is a defect under every contract that was tried.
 */
export async function explainFailures(
  judge: Judge,
  contract: Contract,
  failing: ReadonlySet<number>,
  deadline: number,
): Promise<ReadonlyMap<number, Decision>> {
  const explained = new Map<number, Decision>();
  let current = contract;
  let left = failing;
  const untried = await candidates(judge, contract);
  while (left.size > 0 && performance.now() < deadline) {
    const best = await bestCandidate(judge, current, left, untried, deadline);
    if (best === null) break;
    for (const feed of left) if (!best.failing.has(feed)) explained.set(feed, best.candidate.decision);
    current = best.candidate.apply(current);
    left = best.failing;
    untried.delete(best.candidate);
  }
  return explained;
}

interface Candidate {
  readonly decision: Decision;
  readonly apply: (contract: Contract) => Contract;
  /** Taken only where it leaves nothing unexplained, because a defect looks like it on some feeds. */
  readonly onlyIfWhole: boolean;
}

async function bestCandidate(
  judge: Judge,
  current: Contract,
  left: ReadonlySet<number>,
  untried: ReadonlySet<Candidate>,
  deadline: number,
): Promise<{ candidate: Candidate; failing: ReadonlySet<number> } | null> {
  let best: { candidate: Candidate; failing: ReadonlySet<number> } | null = null;
  for (const candidate of untried) {
    if (performance.now() > deadline) break;
    const failing = await failingFeeds(judge, candidate.apply(current), left);
    if (failing === null || failing.size >= (best?.failing ?? left).size) continue;
    if (candidate.onlyIfWhole && failing.size > 0) continue;
    best = { candidate, failing };
    if (failing.size === 0) break;
  }
  return best;
}

const STRUCTURE = CHECKS.filter(({ group }) => group !== 'as-of').map(({ id }) => id);

/** Feeds of `before` that still fail under a contract; null where one that was right now fails, or is not judged. */
async function failingFeeds(
  judge: Judge,
  contract: Contract,
  before: ReadonlySet<number>,
): Promise<ReadonlySet<number> | null> {
  const tallies = await judge.judge(contract, { checks: STRUCTURE, join: null });
  const illegal = await illegalFeeds(judge.db, contract);
  const failing = new Set(tallies.flatMap(({ violations }) => violations.map(({ feed }) => feed)));
  for (const feed of illegal) {
    failing.delete(feed);
    // A feed that the option forbids tells nothing either way, so it stays unexplained.
    if (before.has(feed)) failing.add(feed);
  }
  for (const feed of failing) if (!before.has(feed)) return null;
  return failing;
}

const EXPLAINING: readonly (keyof typeof OPTIONS)[] = [
  'deletes',
  'late',
  'lateEvidence',
  'lateScope',
  'end',
  'reappearance',
  'emptySnapshot',
  'changeBy',
  'sameInstant',
  'duplicates',
  'batchStates',
  'nullKey',
  'grain',
  'untracked',
  'feed',
];

async function candidates(judge: Judge, contract: Contract): Promise<Set<Candidate>> {
  const found: Candidate[] = [];
  const add = (field: Field, option: string, change: Partial<Contract>, onlyIfWhole = false) =>
    found.push({ decision: { field, option }, apply: (current) => ({ ...current, ...change }), onlyIfWhole });
  for (const field of EXPLAINING) {
    for (const option of OPTIONS[field].options) {
      if (option === contract[field] || option === 'never' || isSenseless(contract, field, option)) continue;
      add(field, option, { [field]: option });
    }
  }
  for (const folding of FOLDINGS) {
    const whole = folding === 'empty-is-null';
    if (!contract.compare.includes(folding))
      add(
        'compare',
        folding,
        { compare: FOLDINGS.filter((f) => f === folding || contract.compare.includes(f)) },
        whole,
      );
    if (!contract.keyCompare.includes(folding))
      add(
        'keyCompare',
        folding,
        { keyCompare: FOLDINGS.filter((f) => f === folding || contract.keyCompare.includes(f)) },
        whole,
      );
  }
  for (const literal of await literals(judge, contract))
    add(literal.field, literal.option, { [literal.field]: literal.option });
  return new Set(found);
}

/** Options that cannot be told apart here, need what is not there, or contradict another field. */
function isSenseless(contract: Contract, field: keyof typeof OPTIONS, option: string): boolean {
  if (option === 'any') return field !== 'untracked';
  if (field === 'deletes' && option === 'marker-row')
    return contract.columns.isDeleted === null || contract.reappearance === 'bridge';
  if (field === 'reappearance' && option === 'bridge') return contract.deletes === 'marker-row';
  if (field === 'changeBy' && option === 'row-time')
    return contract.feed !== 'changes' && contract.stamp !== 'row-time';
  if (field === 'emptySnapshot') return contract.feed !== 'snapshot';
  if (field === 'batchStates') return contract.feed !== 'changes';
  if (field === 'feed')
    return option === 'changes' || contract.feed === 'changes' || contract.columns.partition !== null;
  if (field === 'lateScope') return contract.late !== 'ignore' && contract.late !== 'reject';
  return false;
}

/** An open marker and a first start that the dimension itself shows. */
async function literals(judge: Judge, contract: Contract): Promise<readonly Decision[]> {
  const far = 2_145_916_800_000_000n; // 2038-01-01
  const [marker] = await judge.db.rows<{ value: bigint | null; ends: bigint }>(
    `SELECT mode(to_us) AS value, count(*) AS ends FROM held_values WHERE to_us > ${far} AND to_us < 9000000000000000000`,
  );
  const [start] = await judge.db.rows<{ value: bigint | null; feeds: bigint }>(
    `SELECT value, feeds FROM (SELECT from_us AS value, count(DISTINCT feed) AS feeds FROM held_values
      WHERE from_us NOT IN (SELECT as_of FROM load_values) GROUP BY from_us) ORDER BY feeds DESC LIMIT 1`,
  );
  const found: Decision[] = [];
  if (contract.openMarker === 'null' && marker?.value != null)
    found.push({ field: 'openMarker', option: literal(marker.value) });
  if (contract.firstStart === 'observed' && start?.value != null)
    found.push({ field: 'firstStart', option: literal(start.value) });
  return found;
}

function literal(micros: bigint): string {
  return micros % 86_400_000_000n === 0n ? formatDate(micros) : formatInstant(micros);
}
