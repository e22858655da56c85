import { CHECKS } from '../../src/checks/index.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { coveringFeed } from '../../src/feed/covering.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { batchFeeds, randomFeed } from '../../src/feed/random.ts';
import { scopeFeeds } from '../../src/feed/scope.ts';
import { runPart } from '../../src/runner/packed-part.ts';
import { randomSizes } from '../../src/runner/packed-run.ts';
import { runFeed } from '../../src/runner/session.ts';
import { Examiner } from '../../src/search/examine.ts';
import { findDefects } from '../../src/search/find.ts';
import { judgePack } from '../../src/search/pack.ts';
import { ballastOf, keysOf } from '../../src/search/project.ts';
import { judgeTogether, type Verdict } from './judge.ts';
import type { Mutant } from './mutant.ts';
import type { OpenedMutant } from './open.ts';

/** What was found out about a mutant, the long way. */
export interface Proof {
  readonly mutant: Mutant;
  /** The smallest scope that catches it, up to the one that was asked for; null where only random histories do. */
  readonly scope: number | null;
  /** For each seed, after how many random histories it was caught; null where it was not. */
  readonly random: readonly (number | null)[];
  /** The smallest counterexample that was found; null where nothing was. */
  readonly smallest: Counterexample | null;
  /** All checks that failed anywhere, in the order of reports. */
  readonly failing: readonly string[];
}

export interface Counterexample {
  readonly check: string;
  /** All checks that lead there: more than one where two findings are made of one defect. */
  readonly roots: readonly string[];
  readonly keys: number;
  readonly batches: number;
  readonly shrinkMs: number;
}

export interface ProofOptions {
  readonly scope: number;
  readonly histories: number;
  readonly seeds: readonly number[];
}

/** Mutants of one contract: the feeds are judged together, and what fails is isolated and shrunk mutant by mutant, as in a run. */
export async function prove(
  group: readonly OpenedMutant[],
  options: ProofOptions,
): Promise<readonly Proof[]> {
  const { contract } = group[0]!;
  const found = new Map<OpenedMutant, Verdict[]>(group.map((one) => [one, []]));
  const scopes = new Map<OpenedMutant, number>();
  // The histories of a scope are the beginnings of those of a larger one.
  for (let size = 2; size <= options.scope; size++) {
    const left = group.filter((one) => !scopes.has(one));
    for (const [one, verdict] of await judge(left, [...scopeFeeds(contract, size)])) {
      scopes.set(one, size);
      found.get(one)!.push(verdict);
    }
  }
  const random = new Map<OpenedMutant, (number | null)[]>(group.map((one) => [one, []]));
  for (const seed of options.seeds) {
    let left = group;
    for (const { feeds, histories } of randomStages(contract, seed, options.histories)) {
      const caught = await judge(left, feeds);
      for (const [one, verdict] of caught) {
        random.get(one)!.push(histories);
        found.get(one)!.push(verdict);
      }
      left = left.filter((one) => !caught.has(one));
    }
    for (const one of left) random.get(one)!.push(null);
  }
  const proofs: Proof[] = [];
  for (const one of group) {
    const verdicts = found.get(one)!;
    const smallest = verdicts[0] === undefined ? null : await smallestOf(one, verdicts[0].feed!);
    const failing = new Set([
      ...verdicts.flatMap((verdict) => verdict.failing),
      ...(smallest?.failing ?? []),
    ]);
    proofs.push({
      mutant: one.mutant,
      scope: scopes.get(one) ?? null,
      random: random.get(one)!,
      smallest: smallest?.counterexample ?? null,
      failing: CHECKS.map(({ id }) => id).filter((id) => failing.has(id)),
    });
  }
  return proofs;
}

/** The random part of a run, feed by feed. */
function* randomStages(
  contract: Contract,
  seed: number,
  limit: number,
): Generator<{ readonly feeds: readonly Feed[]; readonly histories: number }> {
  yield { feeds: [coveringFeed(contract), ...batchFeeds(contract, seed)], histories: 0 };
  let histories = 0;
  for (const [index, keys] of randomSizes(limit).entries()) {
    histories += keys;
    yield { feeds: [randomFeed(contract, { seed, index, keys })], histories };
  }
}

/** Rows of batches that are sent before something is judged. */
const ROWS_AT_ONCE = 60_000;

/** Those that are caught by the feeds. */
async function judge(
  group: readonly OpenedMutant[],
  feeds: readonly Feed[],
): Promise<ReadonlyMap<OpenedMutant, Verdict>> {
  const rows = feeds.flatMap(({ batches }) => batches.map((batch) => batch.rows.length));
  const most = Math.max(1, Math.floor(ROWS_AT_ONCE / rows.reduce((sum, count) => sum + count, 1)));
  const caught = new Map<OpenedMutant, Verdict>();
  for (let at = 0; at < group.length; at += most) {
    const some = group.slice(at, at + most);
    const verdicts = await judgeTogether(some, feeds);
    for (const [index, verdict] of verdicts.entries())
      if (verdict.lead !== null) caught.set(some[index]!, verdict);
  }
  return caught;
}

async function smallestOf(
  { mutant, implementation, contract, join }: OpenedMutant,
  feed: Feed,
): Promise<{ readonly counterexample: Counterexample; readonly failing: readonly string[] } | null> {
  if (join !== null) return smallestOfJoin(implementation, contract, join, feed);
  const part = await runPart([feed], {
    implementation,
    contract,
  });
  const started = performance.now();
  const examiner = new Examiner(implementation, contract, null);
  const limits = { maxFailures: 1, deadline: Number.POSITIVE_INFINITY };
  const rounds = mutant.isLarge === true ? 0 : 12;
  const { defects } = await findDefects(examiner, contract, part.failing, [], { ...limits, rounds });
  const defect = defects[0];
  if (defect === undefined) return null;
  const ballast = ballastOf(contract);
  return {
    failing: part.tallies.flat().flatMap(({ id, violations }) => (violations.length > 0 ? [id] : [])),
    counterexample: {
      check: defect.check,
      roots: defect.examined.roots,
      keys: keysOf(defect.feed, contract).filter((key) => !ballast.has(key)).length,
      batches: defect.feed.batches.length,
      shrinkMs: performance.now() - started,
    },
  };
}

/** The search knows no joins of the reader's own; a history of a scope is small as it is. */
async function smallestOfJoin(
  implementation: OpenedMutant['implementation'],
  contract: Contract,
  join: string,
  feed: Feed,
): Promise<{ readonly counterexample: Counterexample; readonly failing: readonly string[] } | null> {
  const outcome = await runFeed(implementation, contract, feed);
  if ('failed' in outcome) return null;
  const { tallies, failing } = await judgePack(contract, [outcome.trace], null, join);
  const first = failing[0];
  if (first === undefined) return null;
  return {
    failing: tallies.flatMap(({ id, violations }) => (violations.length > 0 ? [id] : [])),
    counterexample: {
      check: first.check,
      roots: [first.check],
      keys: 1,
      batches: first.step + 1,
      shrinkMs: 0,
    },
  };
}
