import type { CheckTally } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import { addSituations, noSituations, type SituationCounts } from '../feed/coverage.ts';
import { coveringFeed } from '../feed/covering.ts';
import type { Feed } from '../feed/feed.ts';
import { batchFeeds, randomFeed } from '../feed/random.ts';
import { describeScope, scopeFeeds } from '../feed/scope.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import { Examiner } from '../search/examine.ts';
import { type Defect, findDefects, type Instability, type Mask, maskOf } from '../search/find.ts';
import { ballastOf, keysOf } from '../search/project.ts';
import { type PartResult, runPart } from './packed-part.ts';
import type { PartTimings, RandomReport, ScopeReport } from './report.ts';
import type { FeedFailure } from './session.ts';

export interface PackedOptions {
  readonly implementation: OpenedImplementation;
  readonly contract: Contract;
  readonly checks: readonly string[] | null;
  /** Every history of up to so many batches; 0 for none. */
  readonly scope: number;
  /** Random histories; 0 for no covering and no random feeds. */
  readonly histories: number;
  readonly seed: number;
  readonly maxFailures: number;
  readonly deadline: number;
  /** Defects that are known from the cases. */
  readonly masks: readonly Mask[];
  /** Shapes of those that are known from earlier runs (search/find.ts). */
  readonly shapes: readonly string[];
  readonly stop: () => boolean;
  readonly progress: (part: string, done: number, total: number) => void;
}

export interface PackedOutcome {
  readonly scope: Omit<ScopeReport, 'findings'> | null;
  readonly random: Omit<RandomReport, 'findings'> | null;
  readonly situations: SituationCounts;
  readonly tallies: readonly (readonly CheckTally[])[];
  readonly defects: readonly (Defect & { readonly part: 'scope' | 'random' })[];
  readonly unstable: readonly Instability[];
  readonly failure: FeedFailure | null;
  readonly completed: boolean;
}

/** Most keys of one random feed. */
const MOST_KEYS = 4096;
/** For one finding. */
export const SHRINK_MS = 10_000;

/** The packed parts: every small history, the covering feed, random feeds. What fails is isolated and shrunk part by part. */
export async function runPacked(options: PackedOptions): Promise<PackedOutcome> {
  const examiner = new Examiner(options.implementation, options.contract, options.checks);
  const defects: (Defect & { part: 'scope' | 'random' })[] = [];
  const unstable: Instability[] = [];
  const results: PartResult[] = [];
  const shapes = new Set(options.shapes);
  let masks = options.masks;

  const part = async (
    name: 'scope' | 'random',
    feeds: Iterable<Feed>,
    total: number,
  ): Promise<PartResult | null> => {
    if (options.stop() || results.some(({ failure }) => failure !== null)) return null;
    const result = await runPart(feeds, {
      implementation: options.implementation,
      contract: options.contract,
      checks: options.checks,
      stop: options.stop,
      progress: (done) => options.progress(name, done, total),
    });
    results.push(result);
    const found = await findDefects(
      examiner,
      options.contract,
      result.failing,
      masks,
      {
        maxFailures: options.maxFailures - defects.length,
        deadline: options.deadline,
      },
      shapes,
    );
    defects.push(...found.defects.map((defect) => ({ ...defect, part: name })));
    unstable.push(...found.unstable);
    masks = [...masks, ...found.defects.map(({ check, feed }) => maskOf(options.contract, check, feed))];
    return result;
  };

  const about = options.scope > 0 ? describeScope(options.contract, options.scope) : null;
  const scope =
    about === null
      ? null
      : await part(
          'scope',
          scopeFeeds(options.contract, options.scope),
          about.feeds + about.redeliveries + about.singles,
        );
  const random =
    options.histories > 0
      ? await part('random', randomParts(options), randomSizes(options.histories).length + 1)
      : null;
  return {
    scope: scope === null || about === null ? null : scopeReport(about, scope),
    random: random === null ? null : randomReport(options.seed, random),
    situations: results.reduce((sum, { situations }) => addSituations(sum, situations), noSituations()),
    tallies: results.flatMap(({ tallies }) => tallies),
    defects,
    unstable,
    failure: results.find(({ failure }) => failure !== null)?.failure ?? null,
    completed: results.every(({ completed }) => completed),
  };
}

function* randomParts({ contract, seed, histories }: PackedOptions): Generator<Feed> {
  yield coveringFeed(contract);
  yield* batchFeeds(contract, seed);
  yield* randomFeeds(contract, { seed, histories });
}

/** Feeds that are asked for beside the planned ones: a key that no batch of a feed names is no history. */
const MORE_FEEDS = 4;

/** Random feeds that hold at least so many histories together, as far as the key columns can hold so many keys. */
export function* randomFeeds(
  contract: Contract,
  { seed, histories }: { readonly seed: number; readonly histories: number },
): Generator<Feed> {
  const sizes = randomSizes(histories);
  const ballast = ballastOf(contract);
  let left = histories;
  for (let index = 0; left > 0 && index < sizes.length + MORE_FEEDS; index++) {
    const feed = randomFeed(contract, { seed, index, keys: sizes[index] ?? Math.max(16, left) });
    left -= keysOf(feed, contract).filter((key) => !ballast.has(key)).length;
    yield feed;
  }
}

/**
 * Histories in each random feed: a few small feeds first, because what fails there is seen soonest, then larger and larger ones. Fixed by
 * count and not by time, so that a slow machine tests the same.
 */
export function randomSizes(histories: number): readonly number[] {
  const sizes: number[] = [];
  let left = histories;
  for (let size = 16; left > 0; size = Math.min(size * 4, MOST_KEYS)) {
    sizes.push(Math.min(size, left));
    left -= Math.min(size, left);
  }
  return sizes;
}

function scopeReport(
  about: ReturnType<typeof describeScope>,
  result: PartResult,
): Omit<ScopeReport, 'findings'> {
  return {
    words: about.words,
    batches: about.batches,
    palette: about.palette,
    orders: about.orders,
    histories: result.histories,
    failing: failingHistories(result),
    forgiven: result.forgiven,
    completed: result.completed,
    timings: timingsOf(result),
  };
}

function randomReport(seed: number, result: PartResult): Omit<RandomReport, 'findings'> {
  const { histories, batches, facts, forgiven, completed } = result;
  return {
    seed,
    histories,
    failing: failingHistories(result),
    batches,
    facts,
    forgiven,
    completed,
    timings: timingsOf(result),
  };
}

function failingHistories({ failing }: PartResult): number {
  return new Set(failing.map(({ feed, key }) => `${feed.id} ${key}`)).size;
}

function timingsOf({ timings }: PartResult): PartTimings {
  return {
    totalMs: Math.round(timings.totalMs),
    implementationMs: Math.round(timings.implementationMs),
    generateMs: Math.round(timings.generateMs),
    judgeMs: Math.round(timings.judgeMs),
  };
}
