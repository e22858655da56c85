import { Judge, type Trace } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import { hasVersions } from '../contract/types.ts';
import type { Feed } from '../feed/feed.ts';
import { expectFeed, foldState, type JudgedStep } from '../oracle/typescript/index.ts';
import { atBatches, type HeldRow, readHeld, sameContent, withoutBounds } from '../runner/held-rows.ts';
import type { Question } from './sheet.ts';

/** What came back for the feed of a sheet. */
interface Sheet {
  readonly trace: Trace;
  /** After each batch. */
  readonly held: readonly (readonly HeldRow[])[];
}

/**
 * What an implementation answered, held against what contracts ask for. Answers are kept: a search asks the same again and again. Ask the
 * TypeScript oracle, which answers for a small feed in a fraction of a millisecond.
 */
export class Answers {
  readonly #sheets = new Map<Feed, Sheet>();
  readonly #expected = new Map<Feed, Map<string, readonly JudgedStep[]>>();
  readonly #known = new Map<string, boolean>();
  #questions: Question[] = [];

  /** @throws UnreadableDimension where what came back has not the columns of the contract, in a form that can be read */
  async add(questions: readonly Question[], trace: Trace, contract: Contract): Promise<void> {
    const judge = await Judge.open(contract, [trace]);
    try {
      const held = await readHeld(judge.db, contract);
      this.#sheets.set(trace.feed, {
        trace,
        held: trace.steps.map((_, step) => atBatches(contract, trace, step, held.get(`0/${step}`) ?? [])),
      });
    } finally {
      judge.close();
    }
    this.#questions = [...this.#questions, ...questions];
    this.#known.clear();
  }

  get questions(): readonly Question[] {
    return this.#questions;
  }

  /** All rows that were read after any batch. */
  rows(): readonly HeldRow[] {
    return [...this.#sheets.values()].flatMap(({ held }) => held.flat());
  }

  trace(question: Question): Trace {
    return this.#sheets.get(question.feed)!.trace;
  }

  /** The rows of a question's keys after each batch. */
  held(question: Question, contract: Contract): readonly (readonly HeldRow[])[] {
    const only = keysOf(question, contract);
    return this.#sheets
      .get(question.feed)!
      .held.map((rows) =>
        rows.filter((row) => only.has(foldState(row.key, contract.columns.key, contract.keyCompare))),
      );
  }

  /** Whether the answer is one that the contract asks for. Where it leaves a winner open, either of them will do. */
  agrees(contract: Contract, question: Question): boolean {
    const name = `${nameOf(contract)} ${question.feed.id} ${question.id}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const answer = readings(contract, question).some((reading) =>
      this.#compare(reading.contract, reading.feed, question),
    );
    this.#known.set(name, answer);
    return answer;
  }

  /** Whether two contracts ask for different things. */
  differ(a: Contract, b: Contract, question: Question): boolean {
    return this.#wanted(a, question) !== this.#wanted(b, question);
  }

  #wanted(contract: Contract, question: Question): string {
    const only = keysOf(question, contract);
    const steps = this.#expect(contract, question.feed).map(({ outcome, keys }) => ({
      outcome,
      keys: keys.filter((key) => only.has(foldState(key.key, contract.columns.key, contract.keyCompare))),
    }));
    const bounds = hasVersions(contract) ? [contract.end, contract.openMarker] : [];
    return JSON.stringify([...bounds, steps], (name, value) =>
      name === 'current' ? withoutBounds(value) : typeof value === 'bigint' ? `${value}n` : value,
    );
  }

  #compare(contract: Contract, feed: Feed, question: Question): boolean {
    const { trace, held } = this.#sheets.get(question.feed)!;
    const expected = this.#expect(contract, feed);
    const only = keysOf(question, contract);
    return trace.steps.every(({ outcome }, step) => {
      const right = expected[step]!;
      if ((outcome.status === 'applied') !== (right.outcome === 'applied')) return false;
      return sameContent(contract, right, held[step]!, only, 'alone');
    });
  }

  #expect(contract: Contract, feed: Feed): readonly JudgedStep[] {
    const ofFeed = this.#expected.get(feed) ?? new Map<string, readonly JudgedStep[]>();
    this.#expected.set(feed, ofFeed);
    const name = nameOf(contract);
    const known = ofFeed.get(name);
    if (known !== undefined) return known;
    const steps = expectFeed(contract, feed);
    ofFeed.set(name, steps);
    return steps;
  }
}

function keysOf(question: Question, { columns, keyCompare }: Contract): ReadonlySet<string> {
  return new Set(question.keys.map((key) => foldState(key, columns.key, keyCompare)));
}

const names = new WeakMap<Contract, string>();

function nameOf(contract: Contract): string {
  const known = names.get(contract);
  if (known !== undefined) return known;
  const { columns: _, ...decisions } = contract;
  const name = JSON.stringify(decisions);
  names.set(contract, name);
  return name;
}

interface Reading {
  readonly contract: Contract;
  readonly feed: Feed;
}

/** The oracle calls a key ambiguous where a contract leaves the winner open; here each winner is tried. */
function readings(contract: Contract, { feed, about, either }: Question): readonly Reading[] {
  if (contract.sameInstant === 'any' && about.includes('sameInstant')) {
    return (['first', 'last'] as const).map((sameInstant) => ({
      contract: { ...contract, sameInstant },
      feed,
    }));
  }
  if (contract.duplicates === 'any' && about.includes('duplicates')) {
    return either.map((one) => ({ contract: { ...contract, duplicates: 'last' as const }, feed: one }));
  }
  if (contract.batchStates === 'one' && about.includes('batchStates')) {
    return either.map((one) => ({ contract: { ...contract, batchStates: 'latest' as const }, feed: one }));
  }
  return [{ contract, feed }];
}
