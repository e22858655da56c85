import type { Contract } from '../contract/contract.ts';
import type { FeedBatch } from '../feed/feed.ts';
import { ballastOf, keyOf, project } from '../search/project.ts';
import { brokenOffOnce, narrow, spareSources, type TwoEnds, twoEnds, withBatches, withoutSources } from './deliveries.ts';
import { type Difference, type Examined, RepetitionEnded, type Repeater } from './examine.ts';

/** The smallest two runs that were found to end differently. */
export interface Isolated {
  readonly repetition: TwoEnds;
  readonly difference: Difference;
  /** False where it took other keys, or did not happen again at all. */
  readonly isAlone: boolean;
}

/**
 * Takes a difference out of its packed repetition: up to the one pair, with the one key (where it needs others, half of them are taken away
 * again and again), and then without batches, many at first and one by one in the end, as long as the key still differs.
 */
export async function isolate(
  repeater: Repeater,
  contract: Contract,
  packed: Examined,
  deadline: number,
): Promise<Isolated> {
  const search = new Search(repeater, contract, packed, deadline);
  try {
    await search.run();
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
  readonly #key: string | null;
  best: Isolated;

  constructor(repeater: Repeater, contract: Contract, packed: Examined, deadline: number) {
    this.#repeater = repeater;
    this.#contract = contract;
    this.#deadline = deadline;
    const difference = packed.differences[0]!;
    this.#key = difference.key;
    const whole = narrow(packed.repetition, difference.pair);
    this.best = { repetition: this.#with(whole, new Set()), difference, isAlone: false };
    this.#whole = whole;
  }

  readonly #whole: TwoEnds;

  async run(): Promise<void> {
    const others = this.#others();
    if (!(await this.#takes(this.#with(this.#whole, new Set()), true)) && !(await this.#bisect(others))) return;
    await this.#simplify();
    await this.#dropBatches();
  }

  /** The repetition with the rows of the key, of some others and of the ballast. */
  #with(repetition: TwoEnds, others: ReadonlySet<string>): TwoEnds {
    const keys = new Set([...others, ...(this.#key === null ? [] : [this.#key])]);
    return withBatches(repetition, (batch) => this.#project(batch, keys));
  }

  #project(batch: FeedBatch, keys: ReadonlySet<string>): FeedBatch {
    const [projected] = project({ id: '', batches: [batch] }, this.#contract, keys).batches;
    return projected!;
  }

  #others(): readonly string[] {
    const ballast = ballastOf(this.#contract);
    const rows = this.#whole.runs[1].flatMap(({ batch }) => batch.rows);
    const keys = new Set(rows.map((row) => keyOf(row, this.#contract)));
    return [...keys].filter((key) => key !== this.#key && !ballast.has(key));
  }

  async #bisect(all: readonly string[]): Promise<boolean> {
    if (!(await this.#takes(this.#with(this.#whole, new Set(all)), false))) return false;
    for (let others = all; others.length > 1; ) {
      const middle = Math.ceil(others.length / 2);
      const halves = [others.slice(0, middle), others.slice(middle)];
      let failing: readonly string[] | null = null;
      for (const half of halves) {
        if (await this.#takes(this.#with(this.#whole, new Set(half)), this.#key === null && half.length === 1)) {
          failing = half;
          break;
        }
      }
      if (failing === null) break;
      others = failing;
    }
    return true;
  }

  /** Fewer things that happen, where they are not what it takes. */
  async #simplify(): Promise<void> {
    const { repetition, isAlone } = this.best;
    const [expected, actual] = repetition.runs;
    if (actual.some(({ breakAt }) => breakAt !== undefined)) await this.#takes(brokenOffOnce(repetition), isAlone);
    const isShuffled = repetition.pairs[0]!.found['what'] === 'shuffled';
    if (isShuffled) await this.#takes(twoEnds(expected, [...expected], { what: 'again' }), isAlone);
  }

  async #dropBatches(): Promise<void> {
    const count = spareSources(this.best.repetition).length;
    for (let size = Math.ceil(count / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < spareSources(this.best.repetition).length; ) {
        const gone = new Set(spareSources(this.best.repetition).slice(at, at + size));
        const fewer = withoutSources(this.best.repetition, gone);
        const dropped = fewer.runs[0].length > 0 && (await this.#takes(fewer, this.best.isAlone));
        if (!dropped) at += size;
      }
    }
  }

  /** Tries a smaller repetition, and keeps it if the key still differs in it. */
  async #takes(repetition: TwoEnds, isAlone: boolean): Promise<boolean> {
    const attempts = repetition.pairs[0]!.found['what'] === undefined ? 1 : ATTEMPTS;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (performance.now() > this.#deadline) return false;
      const [examined] = await this.#repeater.examine([repetition]);
      const difference = examined!.differences.find(({ key }) => this.#key === null || key === this.#key);
      if (difference === undefined || examined!.illegal) continue;
      this.best = { repetition, difference: await this.#withRows(difference, examined!), isAlone };
      return true;
    }
    return false;
  }

  async #withRows(difference: Difference, { differences }: Examined): Promise<Difference> {
    return difference.evidence === null ? { ...difference, evidence: differences[0]!.evidence } : difference;
  }
}
