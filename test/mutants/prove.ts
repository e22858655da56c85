import { CHECKS } from '../../src/checks/index.ts';
import type { CheckTally, Trace } from '../../src/checks/judge.ts';
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
import { type FailingHistory, judgePack } from '../../src/search/pack.ts';
import { ballastOf, keysOf } from '../../src/search/project.ts';
import { leadOfTable } from './judge.ts';
import type { Mutant } from './mutant.ts';
import type { OpenedMutant } from './open.ts';

/** What was found out about a mutant, the long way: as a run does it, with nothing judged together. */
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
  /** What leads with the checks on the table alone. */
  readonly tableLead: string | null;
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


export async function prove(opened: OpenedMutant, options: ProofOptions): Promise<Proof> {
  const { mutant, contract } = opened;
  const parts: Part[] = [];
  let scope: number | null = null;
  // The histories of a scope are the beginnings of those of a larger one.
  for (let size = 2; size <= options.scope && scope === null; size++) {
    const part = await judge(opened, scopeFeeds(contract, size));
    if (part.failing.length > 0) {
      scope = size;
      parts.push(part);
    }
  }
  const random: (number | null)[] = [];
  for (const seed of options.seeds) {
    const { part, histories } = await searchAtRandom(opened, seed, options.histories);
    random.push(part === null ? null : histories);
    if (part !== null) parts.push(part);
  }
  const first = parts.find(({ failing }) => failing.length > 0);
  const tallies = parts.flatMap((part) => part.tallies);
  return {
    mutant,
    scope,
    random,
    smallest: first === undefined ? null : await smallestOf(opened, first.failing),
    failing: CHECKS.map(({ id }) => id).filter((id) =>
      tallies.flat().some((tally) => tally.id === id && tally.violations.length > 0),
    ),
    tableLead: tallies.map(leadOfTable).find((lead) => lead !== null) ?? null,
  };
}

interface Part {
  readonly tallies: readonly (readonly CheckTally[])[];
  readonly failing: readonly FailingHistory[];
}

async function judge({ implementation, contract, join }: OpenedMutant, feeds: Iterable<Feed>): Promise<Part> {
  if (join !== null) return judgeJoin(implementation, contract, join, feeds);
  const part = await runPart(feeds, {
    implementation,
    contract,
    checks: null,
    stop: () => false,
    progress: () => undefined,
  });
  if (part.failure !== null) throw part.failure.failure;
  return part;
}

async function judgeJoin(
  implementation: OpenedMutant['implementation'],
  contract: Contract,
  join: string,
  feeds: Iterable<Feed>,
): Promise<Part> {
  const traces: Trace[] = [];
  for (const feed of feeds) {
    const outcome = await runFeed(implementation, contract, feed);
    if ('failed' in outcome) throw outcome.failed.failure;
    traces.push(outcome.trace);
  }
  const { tallies, failing } = await judgePack(contract, traces, null, join);
  return { tallies: [tallies], failing };
}

/** The random part of a run, feed by feed until something fails. */
async function searchAtRandom(
  opened: OpenedMutant,
  seed: number,
  limit: number,
): Promise<{ part: Part | null; histories: number }> {
  const { contract } = opened;
  const first = await judge(opened, [coveringFeed(contract), ...batchFeeds(contract, seed)]);
  let histories = 0;
  if (first.failing.length > 0) return { part: first, histories };
  for (const [index, keys] of randomSizes(limit).entries()) {
    const part = await judge(opened, [randomFeed(contract, { seed, index, keys })]);
    histories += keys;
    if (part.failing.length > 0) return { part, histories };
  }
  return { part: null, histories };
}

async function smallestOf(
  { mutant, implementation, contract, join }: OpenedMutant,
  failing: readonly FailingHistory[],
): Promise<Counterexample | null> {
  const [first] = failing;
  if (first === undefined) return null;
  // The search knows no joins of the reader's own; a history of a scope is small as it is.
  if (join !== null)
    return { check: first.check, roots: [first.check], keys: 1, batches: first.step + 1, shrinkMs: 0 };
  const started = performance.now();
  const examiner = new Examiner(implementation, contract, null);
  const limits = { maxFailures: 1, deadline: Number.POSITIVE_INFINITY };
  const rounds = mutant.isLarge === true ? 0 : 12;
  const { defects } = await findDefects(examiner, contract, failing, [], { ...limits, rounds });
  const defect = defects[0];
  if (defect === undefined) return null;
  const ballast = ballastOf(contract);
  return {
    check: defect.check,
    roots: defect.examined.roots,
    keys: keysOf(defect.feed, contract).filter((key) => !ballast.has(key)).length,
    batches: defect.feed.batches.length,
    shrinkMs: performance.now() - started,
  };
}
