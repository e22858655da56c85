import type { Contract } from '../contract/contract.ts';
import type { FeedBatch } from '../feed/feed.ts';
import { ballastOf, keyOf, project } from '../search/project.ts';
import {
  brokenOffOnce,
  narrow,
  neededSource,
  sourcesOf,
  type TwoEnds,
  twoEnds,
  withBatches,
  withSources,
} from './deliveries.ts';
import type { Difference, Examined } from './differences.ts';
import { type Repeater, RepetitionEnded } from './examine.ts';

/** The smallest two runs that were found to end differently. */
export interface Isolated {
  readonly repetition: TwoEnds;
  readonly difference: Difference;
  /** False where it took other keys, or did not happen again at all. */
  readonly isAlone: boolean;
}

/**
 * Takes a difference out of its packed repetition: the runs up to that one pair, with the rows of the one key. Most differences need no more
 * than one or two batches, so these are tried first, all in one go, because comparing costs the same for one as for thirty. Where none will do,
 * batches are taken away one at a time; where the key alone is not enough, half of the others are taken away again and again.
 */
export async function isolate(
  repeater: Repeater,
  contract: Contract,
  packed: Examined,
  deadline: number,
): Promise<Isolated> {
  const search = new Search(repeater, contract, packed, deadline);
  try {
    if ((await search.alone()) || (await search.besideOthers())) await search.dropBatches();
  } catch (error) {
    // What was found stands.
    if (!(error instanceof RepetitionEnded)) throw error;
  }
  return search.best;
}

/** An implementation that answers differently from time to time may do so again. */
const ATTEMPTS = 3;

class Search {
  readonly #repeater: Repeater;
  readonly #contract: Contract;
  readonly #deadline: number;
  /** The key that must differ; null where any will do. */
  readonly #key: string | null;
  /** With all keys. */
  readonly #whole: TwoEnds;
  best: Isolated;

  constructor(repeater: Repeater, contract: Contract, packed: Examined, deadline: number) {
    this.#repeater = repeater;
    this.#contract = contract;
    this.#deadline = deadline;
    const difference = packed.differences[0]!;
    this.#key = difference.key;
    this.#whole = narrow(packed.repetition, difference.pair);
    this.best = { repetition: this.#beside([]), difference, isAlone: false };
  }

  /** The key with no other. */
  async alone(): Promise<boolean> {
    return this.#key !== null && this.#takeFirst(this.#smaller(this.#beside([])), true);
  }

  /** The key with as few others as it takes. */
  async besideOthers(): Promise<boolean> {
    let others = this.#others();
    if (!(await this.#takeFirst([this.#beside(others)], false))) return false;
    while (others.length > 1) {
      const middle = Math.ceil(others.length / 2);
      const halves = [others.slice(0, middle), others.slice(middle)];
      const wasTaken = await this.#takeFirst(
        halves.map((half) => this.#beside(half)),
        this.#key === null && others.length === 2,
      );
      if (!wasTaken) break;
      others = halves.find((half) => this.#isBest(half))!;
    }
    await this.#takeFirst(this.#smaller(this.best.repetition), this.best.isAlone);
    return true;
  }

  async dropBatches(): Promise<void> {
    for (;;) {
      const { repetition, isAlone } = this.best;
      const sources = sourcesOf(repetition);
      if (sources.length <= 2) return;
      const fewer = sources
        .filter((source) => source !== neededSource(repetition))
        .map((gone) => withSources(repetition, new Set(sources.filter((source) => source !== gone))));
      if (!(await this.#takeFirst(fewer, isAlone))) return;
    }
  }

  /** What is smaller by far, as long as the implementation is quick; else only the repetition itself. */
  #smaller(repetition: TwoEnds): readonly TwoEnds[] {
    const all = smallerThan(repetition);
    const batches = all.reduce((sum, { runs }) => sum + runs[0].length + runs[1].length, 0);
    const isQuick = batches * this.#repeater.msPerBatch < this.#deadline - performance.now();
    return isQuick ? all : plainer(repetition);
  }

  #beside(others: readonly string[]): TwoEnds {
    const keys = new Set([...others, ...(this.#key === null ? [] : [this.#key])]);
    const rowsOf = (batch: FeedBatch) =>
      project({ id: '', batches: [batch] }, this.#contract, keys).batches[0]!.rows;
    return withBatches(this.#whole, (batch) => ({ ...batch, rows: rowsOf(batch) }));
  }

  #isBest(others: readonly string[]): boolean {
    const size = ({ runs }: TwoEnds) =>
      JSON.stringify(runs, (_, cell) => (typeof cell === 'bigint' ? `${cell}` : cell));
    return size(this.#beside(others)) === size(this.best.repetition);
  }

  #others(): readonly string[] {
    const ballast = ballastOf(this.#contract);
    const rows = this.#whole.runs[1].flatMap(({ batch }) => batch.rows);
    const keys = new Set(rows.map((row) => keyOf(row, this.#contract)));
    return [...keys].filter((key) => key !== this.#key && !ballast.has(key));
  }

  /** Tries all of them, and keeps the first in which the key still differs. */
  async #takeFirst(repetitions: readonly TwoEnds[], isAlone: boolean): Promise<boolean> {
    const mayVary = repetitions[0]?.pairs[0]?.found['what'] !== undefined;
    for (let attempt = 0; attempt < (mayVary ? ATTEMPTS : 1); attempt++) {
      if (performance.now() > this.#deadline) return false;
      const examined = await this.#repeater.examine(repetitions);
      for (const [index, { differences, isIllegal }] of examined.entries()) {
        const difference = differences.find(({ key }) => this.#key === null || key === this.#key);
        if (difference === undefined || isIllegal) continue;
        this.best = { repetition: repetitions[index]!, difference, isAlone };
        return true;
      }
    }
    return false;
  }
}

/** Those with one batch, those with two, and the repetition itself. */
function smallerThan(repetition: TwoEnds): readonly TwoEnds[] {
  const sources = sourcesOf(repetition);
  const needed = neededSource(repetition);
  const pairs = sources.flatMap((one, at) => sources.slice(at + 1).map((other) => [one, other]));
  return [...sources.map((one) => [one]), ...pairs, ...(sources.length > 2 ? [sources] : [])]
    .filter((set) => needed === null || set.includes(needed))
    .flatMap((set) => plainer(withSources(repetition, new Set(set))));
}

/** With less that happens in it, where that is possible; then as it is. */
function plainer(repetition: TwoEnds): readonly TwoEnds[] {
  const [expected, actual] = repetition.runs;
  const isShuffled = repetition.pairs[0]!.found['what'] === 'shuffled';
  if (isShuffled) return [twoEnds(expected, [...expected], { what: 'again' }), repetition];
  const attempts = actual.filter(({ breakAt }) => breakAt !== undefined).length;
  return attempts > 1 ? [brokenOffOnce(repetition), repetition] : [repetition];
}
