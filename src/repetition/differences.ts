import type { Judge } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import { illegalFeeds } from '../oracle/duckdb/legality.ts';
import { type KeyEvidence, readTwoSides } from '../runner/evidence-rows.ts';
import { mayReject } from '../runner/session.ts';
import { keyNames } from '../search/pack.ts';
import { keyOf } from '../search/project.ts';
import { type Compared, comparePairs, type TracedStep } from './compare.ts';
import type { Deliveries, Moment, Pair, Repetition } from './deliveries.ts';

/** What came of a repetition. */
export interface Examined {
  readonly repetition: Repetition;
  /** How many keys were compared, over all pairs. */
  readonly exercised: number;
  /** Of each key that differs the first pair in which it does: earliest pairs first, then keys with few rows. */
  readonly differences: readonly Difference[];
  /** The contract does not allow one of its runs, which says nothing then. */
  readonly isIllegal: boolean;
}

export interface Difference {
  readonly pair: Pair;
  /** As the contract compares it; null where the run ended early, or nobody delivered the key. */
  readonly key: string | null;
  readonly found: Pair['found'];
  /** The rows on both sides, for the first difference of a repetition. */
  readonly evidence: KeyEvidence | null;
}

/** A pair, with where its dimensions are among the traces that are judged. */
interface Placed {
  readonly pair: Pair;
  readonly expected: TracedStep;
  readonly actual: TracedStep;
}

interface Differing extends Placed {
  readonly key: number;
}

/** Compares the runs of some repetitions. `runs` are the deliveries of the judge's traces, which have been judged. */
export async function findDifferences(
  judge: Judge,
  contract: Contract,
  runs: readonly Deliveries[],
  repetitions: readonly Repetition[],
): Promise<readonly Examined[]> {
  const illegal = await illegalFeeds(judge.db, contract);
  const isReached = ({ feed, step }: TracedStep) => {
    const status = judge.traces[feed]!.steps[step]?.outcome.status;
    return status !== undefined && (status !== 'errored' || mayReject(contract));
  };
  const placed = repetitions.map((repetition) => {
    const place = ({ run, step }: Moment) => ({ feed: runs.indexOf(repetition.runs[run]!), step });
    return repetition.pairs
      .map((pair): Placed => ({ pair, expected: place(pair.expected), actual: place(pair.actual) }))
      .filter(({ expected, actual }) => !illegal.has(expected.feed) && !illegal.has(actual.feed));
  });
  const whole = placed.map((pairs) =>
    pairs.filter((one) => isReached(one.expected) && isReached(one.actual)),
  );
  const compared = (await comparePairs(judge, whole.flat())).values();
  const found = whole.map((pairs) => pairs.map((): Compared => compared.next().value!));
  const isAlike = found.flat().every(({ differing }) => differing.length === 0);
  const names = isAlike ? new Map<number, string>() : await keyNames(judge, contract);
  const examined: Examined[] = [];
  for (const [index, repetition] of repetitions.entries()) {
    const differing = firstOfEachKey(contract, repetition, whole[index]!, found[index]!, names);
    const ended = placed[index]!.find((one) => isReached(one.expected) && !isReached(one.actual));
    examined.push({
      repetition,
      exercised: found[index]!.reduce((sum, { exercised }) => sum + exercised, 0),
      differences: [
        ...(await describe(judge, contract, differing, names)),
        ...(ended === undefined ? [] : [earlyEnd(judge, ended)]),
      ],
      isIllegal: placed[index]!.length < repetition.pairs.length,
    });
  }
  return examined;
}

function firstOfEachKey(
  contract: Contract,
  { runs }: Repetition,
  pairs: readonly Placed[],
  compared: readonly Compared[],
  names: ReadonlyMap<number, string>,
): readonly Differing[] {
  const first = new Map<number, Differing>();
  for (const [at, { differing }] of compared.entries()) {
    for (const key of differing) if (!first.has(key)) first.set(key, { ...pairs[at]!, key });
  }
  if (first.size === 0) return [];
  const rows = new Map<string, number>();
  for (const row of runs[0]!.flatMap(({ batch }) => batch.rows)) {
    const key = keyOf(row, contract);
    rows.set(key, (rows.get(key) ?? 0) + 1);
  }
  // Keys are numbered anew each time; by their names the first one is always the same.
  const nameOf = ({ key }: Differing) => names.get(key) ?? '';
  return [...first.values()].sort(
    (a, b) =>
      pairs.findIndex(({ pair }) => pair === a.pair) - pairs.findIndex(({ pair }) => pair === b.pair) ||
      (rows.get(nameOf(a)) ?? 0) - (rows.get(nameOf(b)) ?? 0) ||
      (nameOf(a) < nameOf(b) ? -1 : 1),
  );
}

async function describe(
  judge: Judge,
  contract: Contract,
  differing: readonly Differing[],
  names: ReadonlyMap<number, string>,
): Promise<readonly Difference[]> {
  const [first] = differing;
  if (first === undefined) return [];
  const at = (step: TracedStep) => ({ ...step, key: first.key });
  const evidence = await readTwoSides(judge, contract, at(first.expected), at(first.actual));
  return differing.map((one) => ({
    pair: one.pair,
    key: names.get(one.key) ?? null,
    found: one.pair.found,
    evidence: one === first ? evidence : null,
  }));
}

function earlyEnd(judge: Judge, { pair, actual }: Placed): Difference {
  const outcome = judge.traces[actual.feed]!.steps.at(-1)?.outcome;
  const reason = outcome === undefined || outcome.status === 'applied' ? 'it gave none' : outcome.reason;
  return { pair, key: null, found: { ...pair.found, reason }, evidence: null };
}
