import type { Judge } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import { hasVersions } from '../contract/types.ts';
import { expectFeed, type JudgedStep } from '../oracle/typescript/index.ts';
import { atBatches, type HeldRow, readHeld, sameContent, withoutBounds } from './held-rows.ts';
import { oneOfEach } from './one-of-each.ts';

/**
 * Whether what an implementation made of a feed is what a contract asks for: content and untracked attributes after every batch, and
 * what became of each batch. Answers are kept, because a search asks the same again and again.
 */
export class Agreement {
  readonly #judge: Judge;
  /** By feed and step. */
  readonly #held: ReadonlyMap<string, readonly HeldRow[]>;
  readonly #answers = new Map<string, boolean>();
  readonly #expected = new Map<string, readonly JudgedStep[]>();
  readonly #names = new Map<Contract, string>();

  readonly #lost: 'anything' | 'alone';

  private constructor(
    judge: Judge,
    held: ReadonlyMap<string, readonly HeldRow[]>,
    lost: 'anything' | 'alone',
  ) {
    this.#judge = judge;
    this.#held = held;
    this.#lost = lost;
  }

  static async load(judge: Judge, contract: Contract): Promise<Agreement> {
    const lost = contract.lateEvidence === 'dimension' ? 'anything' : 'alone';
    return new Agreement(judge, await readHeld(judge.db, contract), lost);
  }

  get feeds(): readonly number[] {
    return [...this.#judge.traces.keys()];
  }

  /** Whether a load of the feed comes after one of a later instant. */
  isLate(feed: number): boolean {
    const { batches } = this.#judge.traces[feed]!.feed;
    return batches.some(({ asOf }, at) => batches.slice(0, at).some((earlier) => earlier.asOf > asOf));
  }

  agrees(contract: Contract, feed: number): boolean {
    const name = `${this.#name(contract)} ${feed}`;
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    const answer = this.#compare(contract, feed);
    this.#answers.set(name, answer);
    return answer;
  }

  /** Whether two contracts ask for different things of a feed. Untracked attributes only count where the two treat them differently. */
  differs(a: Contract, b: Contract, feed: number): boolean {
    const untracked = a.untracked !== b.untracked;
    return this.#text(a, feed, untracked) !== this.#text(b, feed, untracked);
  }

  #text(contract: Contract, feed: number, untracked: boolean): string {
    return JSON.stringify(
      [...(hasVersions(contract) ? [contract.end, contract.openMarker] : []), this.#expect(contract, feed)],
      (name, value) => {
        if (name === 'current') return withoutBounds(value);
        if (name === 'untracked' || (name === 'untrackedRight' && !untracked)) return undefined;
        return typeof value === 'bigint' ? `${value}n` : value;
      },
    );
  }

  #expect(contract: Contract, feed: number): readonly JudgedStep[] {
    const name = `${this.#name(contract)} ${feed}`;
    const known = this.#expected.get(name);
    if (known !== undefined) return known;
    const steps = expectFeed(contract, this.#judge.traces[feed]!.feed);
    this.#expected.set(name, steps);
    return steps;
  }

  #compare(contract: Contract, feed: number): boolean {
    if (contract.feed !== 'changes' || contract.batchStates !== 'one')
      return this.#fits(contract, feed, this.#expect(contract, feed));
    const latest: Contract = { ...contract, batchStates: 'latest' };
    const readings = oneOfEach(contract, this.#judge.traces[feed]!.feed) ?? [];
    return readings.some((reading) => this.#fits(latest, feed, expectFeed(latest, reading)));
  }

  #fits(contract: Contract, feed: number, expected: readonly JudgedStep[]): boolean {
    const trace = this.#judge.traces[feed]!;
    return trace.steps.every(({ outcome }, step) => {
      const right = expected[step]!;
      if ((outcome.status === 'applied') !== (right.outcome === 'applied')) return false;
      const held = this.#held.get(`${feed}/${step}`) ?? [];
      return sameContent(contract, right, atBatches(contract, trace, step, held), null, this.#lost);
    });
  }

  #name(contract: Contract): string {
    const known = this.#names.get(contract);
    if (known !== undefined) return known;
    const { columns: _, ...decisions } = contract;
    const name = JSON.stringify(decisions);
    this.#names.set(contract, name);
    return name;
  }
}
