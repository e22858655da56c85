import { type CheckWords, type RepetitionCheck, whySkipped } from '../checks/check.ts';
import { REPETITION_CHECKS } from '../checks/index.ts';
import type { CheckTally } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import type { Feed } from '../feed/feed.ts';
import type { Implementation } from '../plugins/implementation.ts';
import { findingId, type GroupVerdict, toCounterexample } from '../runner/judge-group.ts';
import type { Finding } from '../runner/report.ts';
import type { FeedFailure } from '../runner/session.ts';
import type { Repetition } from './deliveries.ts';
import type { Examined } from './differences.ts';
import { Repeater, RepetitionEnded } from './examine.ts';
import { type RepeatedFeeds, repeatedFeeds } from './feeds.ts';
import { isolate } from './isolate.ts';
import { planBatching, planCrash, planDeterministic, planIdempotent, planOrder, planResume } from './plan.ts';

export interface RepetitionOptions {
  readonly implementation: Implementation;
  readonly contract: Contract;
  /** Ids of the checks to run; ids of other checks are passed over. */
  readonly checks: readonly string[];
  readonly seed: number;
  /** When shrinking ends, by `performance.now()`; and how long that of one finding may take. */
  readonly deadline: number;
  readonly shrinkMs: number;
  /** True when all should end: interrupted, or out of time. */
  readonly stop: () => boolean;
  readonly progress: (done: number, total: number) => void;
  readonly replay: (feedId: string, findingId: string) => string;
}

export interface RepetitionOutcome {
  /** Exercised: keys that were compared, once for each pair of dimensions. */
  readonly tallies: readonly CheckTally[];
  /** At most one for each check, with its smallest counterexample. */
  readonly findings: readonly Finding[];
  readonly completed: boolean;
  readonly failure: FeedFailure | null;
}

/** Under some contracts every history loses evidence by a repetition, or has an open winner. */
export const NOTHING_PROMISED = 'the contract promises the same dimension for no key that was tried';

type Plan = (contract: Contract, feeds: RepeatedFeeds) => readonly Repetition[];

const PLANS: Readonly<Record<string, Plan>> = {
  idempotent: planIdempotent,
  'order-independent': planOrder,
  deterministic: planDeterministic,
  batching: planBatching,
  resumes: planResume,
};

/** The checks by repetition: some feeds delivered twice in different ways, which must lead to the same dimension. */
export async function runRepetition(options: RepetitionOptions): Promise<RepetitionOutcome> {
  const { implementation, contract, checks, seed, stop } = options;
  const selected = REPETITION_CHECKS.filter(({ id }) => checks.includes(id));
  const reasons = new Map(selected.map((check) => [check.id, whySkipped(check, contract, implementation)]));
  const applicable = selected.filter(({ id }) => reasons.get(id) === null);
  const repeater = new Repeater(implementation, contract, stop);
  const examined = new Map<string, readonly Examined[]>();
  const findings: Finding[] = [];
  let ended: RepetitionEnded | null = null;
  try {
    if (applicable.length > 0) {
      const feeds = repeatedFeeds(contract, seed);
      await examineAll(repeater, applicable, feeds, options, examined, reasons);
    }
  } catch (error) {
    if (!(error instanceof RepetitionEnded)) throw error;
    ended = error;
  }
  for (const check of applicable) {
    const own = examined.get(check.id) ?? [];
    const isOpen = own.every(({ exercised, differences }) => exercised === 0 && differences.length === 0);
    if (own.length > 0 && isOpen) reasons.set(check.id, NOTHING_PROMISED);
    const failing = own.find(({ differences }) => differences.length > 0);
    if (failing !== undefined) findings.push(await explain(check, failing, repeater, options));
  }
  return {
    tallies: selected.map(({ id }) => tallyOf(id, reasons.get(id)!, examined.get(id) ?? [])),
    findings,
    completed: ended === null,
    failure: ended?.failure ?? null,
  };
}

/** Where no feed was repeated. */
export function notRepeated(): GroupVerdict {
  const skipReason = 'no feed was repeated: that is the last part of a whole run';
  const tallies = REPETITION_CHECKS.map(({ id }) => tallyOf(id, skipReason, []));
  return { tallies, findings: [], taken: [], feeds: [], masks: [] };
}

async function examineAll(
  repeater: Repeater,
  checks: readonly RepetitionCheck[],
  feeds: RepeatedFeeds,
  { implementation, contract, progress }: RepetitionOptions,
  examined: Map<string, readonly Examined[]>,
  reasons: Map<string, string | null>,
): Promise<void> {
  const planned: { id: string; repetition: Repetition }[] = [];
  for (const { id } of checks) {
    if (id === 'crash-safe') {
      const points = await repeater.points(feeds.short[0]!.batch);
      for (let point = 1; point <= points; point++) {
        const found = { kind: implementation.kind, points };
        planned.push({ id, repetition: planCrash(feeds, point, found) });
      }
      if (points === 0) reasons.set(id, 'a load is one statement, which is done as a whole or not at all');
    } else {
      const repetitions = PLANS[id]!(contract, feeds);
      planned.push(...repetitions.map((repetition) => ({ id, repetition })));
      if (repetitions.length === 0) reasons.set(id, 'no batch that could be drawn may come again');
    }
  }
  const all = await repeater.examine(
    planned.map(({ repetition }) => repetition),
    progress,
  );
  for (const { id } of checks)
    examined.set(
      id,
      all.filter((_, at) => planned[at]!.id === id),
    );
}

function tallyOf(id: string, skipReason: string | null, examined: readonly Examined[]): CheckTally {
  return {
    id,
    skipReason,
    exercised: examined.reduce((sum, one) => sum + one.exercised, 0),
    count: new Set(examined.flatMap(({ differences }) => differences.map(({ key }) => key))).size,
    violations: [],
  };
}

/** The finding that a failing repetition makes, with its smallest counterexample. */
export async function explain(
  check: Pick<CheckWords, 'id' | 'message'>,
  failing: Examined,
  repeater: Repeater,
  {
    contract,
    deadline,
    shrinkMs,
    replay,
  }: Pick<RepetitionOptions, 'contract' | 'deadline' | 'shrinkMs' | 'replay'>,
): Promise<Finding> {
  const until = Math.min(deadline, performance.now() + shrinkMs);
  const { repetition, difference, isAlone } = await isolate(repeater, contract, failing, until);
  const feed: Feed = { id: `repetition/${check.id}`, batches: repetition.runs[1].map(({ batch }) => batch) };
  const step = feed.batches.length - 1;
  const counterexample = toCounterexample(contract, feed, step);
  const id = findingId(check.id, contract, counterexample);
  return {
    id,
    check: check.id,
    implies: [],
    decision: null,
    feed: feed.id,
    step,
    key: difference.evidence?.key ?? null,
    message: `${check.message(difference.found)}${isAlone ? '' : ' It was seen beside other keys.'}`,
    expected: difference.evidence?.expected ?? [],
    actual: difference.evidence?.actual ?? [],
    counterexample,
    replay: replay(feed.id, id),
  };
}
