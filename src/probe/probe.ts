import { UnreadableDimension } from '../checks/held.ts';
import type { Trace } from '../checks/judge.ts';
import type { Contract, Field } from '../contract/contract.ts';
import type { DeclaredContract } from '../contract/declare.ts';
import { guessRoles } from '../contract/guess.ts';
import { formatDate, formatInstant } from '../contract/instant.ts';
import { ImplementationFailure } from '../plugins/implementation.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import { runFeed } from '../runner/session.ts';
import { Answers } from './answers.ts';
import type { Literals } from './options.ts';
import * as ask from './questions.ts';
import { settle } from './settle.ts';
import { OPENED_AT, ownInstantOf, type Question } from './sheet.ts';
import { withSeenType } from './type.ts';

/** What was found out, before words are made of it. */
export interface Probed {
  readonly answers: Answers;
  /** The options that most answers agree with. */
  readonly contract: Contract;
  readonly literals: Literals;
  /** Its stamps are those of a clock, and do not tell one load from the next: nothing else could be asked. */
  readonly isBlind: boolean;
  /** `script` where it begins a transaction of its own; null where that does not show. */
  readonly transaction: Contract['transaction'] | null;
  /** The dimension after the first sheet. */
  readonly shown: Trace;
  readonly notes: readonly string[];
  readonly batches: number;
}

/**
 * Asks an implementation what it does. A few small feeds, packed, each run once: first what the table looks like, then one situation after
 * another, in the form of batches that the first answers call for. Nothing is judged; what comes back is compared with what the oracle
 * says under each option of each field.
 *
 * @throws ImplementationFailure where it gives no usable answer to the plainest feed
 */
export async function probe(
  implementation: OpenedImplementation,
  declared: DeclaredContract,
): Promise<Probed> {
  return new Probe(implementation, declared).run();
}

const DAY = 86_400_000_000n;

class Probe {
  readonly #implementation: OpenedImplementation;
  readonly #declared: DeclaredContract;
  #answers = new Answers();
  readonly #notes: string[] = [];
  #contract: Contract;
  #literals: Literals = { openMarker: [], firstStart: [] };
  #batches = 0;

  constructor(implementation: OpenedImplementation, declared: DeclaredContract) {
    this.#implementation = implementation;
    this.#declared = declared;
    this.#contract = { ...declared.contract, clock: 'injected', grain: 'microsecond', transaction: 'script' };
  }

  async run(): Promise<Probed> {
    let shown = await this.#first();
    for (const clock of this.#otherClocks()) {
      if (!this.#readsClock()) break;
      shown = (await this.#firstUnder(clock)) ?? shown;
    }
    if (this.#readsClock()) return this.#probed(null, shown);
    this.#literals = this.#seen();
    this.#contract = { ...this.#contract, grain: this.#grain() };
    this.#settle(['historyHolds', 'stamp', 'changeBy', 'end', 'openMarker', 'firstStart', 'firstStartScope']);
    this.#settle(['feed', 'deletes', 'reappearance']);
    this.#preferMarkers();
    this.#preferChanges();
    this.#settle(['untracked']);
    await this.#others();
    return this.#probed(await this.#transaction(), shown);
  }

  /** A row that stays and is marked is also one that stays: `ignore` says less of it. */
  #preferMarkers(): void {
    const { deletes, columns } = this.#contract;
    const isMarked = columns.isDeleted !== null && this.#answers.rows().some(({ isDeleted }) => isDeleted);
    if (deletes !== 'ignore' || !isMarked) return;
    const marked: Contract = { ...this.#contract, deletes: 'marker-row', reappearance: 'gap' };
    const asked = this.#answers.questions.filter(({ about }) => about.includes('deletes'));
    if (asked.every((question) => this.#answers.agrees(marked, question))) this.#contract = marked;
  }

  /** A delta whose rows carry their own instants is a log of changes, unless somebody says otherwise. */
  #preferChanges(): void {
    const { feed, stamp } = this.#contract;
    if (feed !== 'delta' || stamp !== 'row-time' || this.#declared.contract.feed === 'delta') return;
    this.#contract = { ...this.#contract, feed: 'changes', stamp: 'as-of' };
  }

  /** Where it stamps with a clock: one that can be set, else whichever there is, read by the time of each load. */
  #otherClocks(): readonly Contract['clock'][] {
    return this.#implementation.kind === 'sql' ? ['moved', 'wall'] : ['wall'];
  }

  async #firstUnder(clock: Contract['clock']): Promise<Trace | null> {
    const before = this.#contract;
    this.#contract = {
      ...before,
      clock,
      ...(clock === 'wall' ? { late: 'never', sameInstant: 'never' } : {}),
    };
    try {
      return await this.#first();
    } catch (error) {
      // Not every engine has a clock that can be set.
      if (!(error instanceof ImplementationFailure) || error.kind !== 'start') throw error;
      this.#contract = before;
      return null;
    }
  }

  /** The sheet that everything else rests on. */
  async #first(): Promise<Trace> {
    this.#answers = new Answers();
    const questions = ask.basicQuestions(this.#contract);
    const trace = await this.#run(questions);
    const names = new Set(
      trace.steps.flatMap(({ dimension }) => dimension.schema.fields.map(({ name }) => name)),
    );
    const [step] = trace.steps;
    if (step?.outcome.status !== 'applied') {
      throw new ImplementationFailure(
        'output',
        `It did not take the first load, which has nothing unusual in it: ${step?.outcome.reason ?? 'no answer'}. If its columns are not the ones that it was sent, declare them; \`scd2check doctor\` tries the adapter.`,
      );
    }
    const change = questions.find(({ id }) => id === 'change');
    this.#contract = withSeenType(this.#contract, trace, change);
    const guessed = guessRoles(this.#contract, this.#declared.declaredRoles, [...names]);
    this.#contract = guessed.contract;
    this.#notes.push(...guessed.notes.filter((note) => !this.#notes.includes(note)));
    await this.#add(questions, trace);
    return trace;
  }

  async #others(): Promise<void> {
    const { feed, clock } = this.#contract;
    const isEvents = feed === 'changes' || (feed === 'delta' && this.#contract.stamp === 'row-time');
    await this.#ask(ask.valueQuestions, ['compare']);
    await this.#ask(ask.keyQuestions, ['keyCompare']);
    if (clock !== 'wall') await this.#ask(ask.tieQuestions, ['sameInstant']);
    await this.#ask(ask.equalRowsQuestions, []);
    await this.#ask(ask.differingRowsQuestions, ['duplicates']);
    await this.#ask(ask.nullKeyQuestions, ['nullKey']);
    if (this.#contract.nullKey !== 'never') await this.#ask(ask.emptyKeyQuestions, ['keyCompare']);
    if (feed === 'snapshot') await this.#ask(ask.emptyQuestions, ['emptySnapshot']);
    if (clock !== 'wall') await this.#ask(ask.lateQuestions, ['late', 'lateEvidence', 'lateScope']);
    if (clock === 'wall') return;
    if (this.#contract.late === 'ignore' || this.#contract.late === 'reject')
      await this.#ask(ask.lateScopeQuestions, ['late', 'lateScope']);
    if (isEvents) await this.#ask(ask.severalQuestions, ['batchStates']);
  }

  async #ask(sheet: (contract: Contract) => readonly Question[], fields: readonly Field[]): Promise<void> {
    const questions = sheet(this.#contract);
    if (questions.length < 2) return;
    try {
      await this.#add(questions, await this.#run(questions));
    } catch (error) {
      if (!(error instanceof ImplementationFailure || error instanceof UnreadableDimension)) throw error;
      this.#notes.push(`It gave no usable answer where ${questions.at(-1)!.words}: ${error.message}`);
      return;
    }
    this.#settle(fields);
  }

  async #run(questions: readonly Question[], contract = this.#contract): Promise<Trace> {
    const { feed } = questions[0]!;
    const outcome = await runFeed(this.#implementation, contract, feed);
    this.#batches += feed.batches.length;
    if ('failed' in outcome) throw outcome.failed.failure;
    return outcome.trace;
  }

  async #add(questions: readonly Question[], trace: Trace): Promise<void> {
    await this.#answers.add(questions, trace, this.#contract);
  }

  #settle(fields: readonly Field[]): void {
    if (fields.length > 0) this.#contract = settle(this.#answers, this.#contract, fields, this.#literals);
  }

  /** Every start of a version lies near today, and none near what was sent. */
  #readsClock(): boolean {
    const now = BigInt(Date.now()) * 1000n;
    const near = 2n * DAY;
    const starts = this.#answers
      .rows()
      .filter(({ isCurrentTable }) => !isCurrentTable)
      .map(({ from }) => from);
    return (
      starts.length > 0 && starts.every((from) => from !== null && from > now - near && from < now + near)
    );
  }

  /** Far ends, and starts long before anything that was sent. */
  #seen(): Literals {
    const farAway = 2_145_916_800_000_000n; // 2038-01-01
    const infinite = 8_000_000_000_000_000_000n;
    const rows = this.#answers.rows();
    const ends = rows.map(({ to }) => to).filter((to) => to !== null && to > farAway && to < infinite);
    const starts = rows
      .map(({ from }) => from)
      .filter(
        (from) =>
          from !== null && from < ownInstantOf(0) - DAY && (from < OPENED_AT - DAY || from > OPENED_AT),
      );
    const { tracked, untracked } = this.#contract.columns;
    const columns = [...tracked, ...untracked].filter(({ type }) => type === 'timestamp' || type === 'date');
    return {
      openMarker: distinct(ends as bigint[]).map(literal),
      firstStart: [...distinct(starts as bigint[]).map(literal), ...columns.map(({ name }) => name)],
    };
  }

  /** The coarsest that holds every start which was observed; literals may be coarser. */
  #grain(): Contract['grain'] {
    const observed = this.#answers
      .rows()
      .map(({ from }) => from)
      .filter((from) => from !== null && from >= ownInstantOf(0) - DAY) as bigint[];
    const isAt = (micros: bigint) => observed.length > 0 && observed.every((from) => from % micros === 0n);
    if (isAt(86_400_000_000n)) return 'day';
    if (isAt(1_000_000n)) return 'second';
    return isAt(1_000n) ? 'millisecond' : 'microsecond';
  }

  /** A script that begins a transaction cannot run inside another. */
  async #transaction(): Promise<Contract['transaction'] | null> {
    if (this.#implementation.kind !== 'sql') return null;
    const questions = ask.equalRowsQuestions(this.#contract).filter(({ id }) => id === 'anchor');
    const { feed } = questions[0]!;
    const alone = { ...feed, id: 'probe/transaction', batches: feed.batches.slice(0, 1) };
    const trace = await this.#run([{ ...questions[0]!, feed: alone }], {
      ...this.#contract,
      transaction: 'caller',
    });
    const outcome = trace.steps[0]?.outcome;
    return outcome?.status !== 'applied' && /transaction/i.test(outcome?.reason ?? '') ? 'script' : null;
  }

  #probed(transaction: Contract['transaction'] | null, shown: Trace): Probed {
    return {
      answers: this.#answers,
      contract: this.#contract,
      literals: this.#literals,
      isBlind: this.#readsClock(),
      transaction,
      shown,
      notes: this.#notes,
      batches: this.#batches,
    };
  }
}

function distinct(instants: readonly bigint[]): readonly bigint[] {
  return [...new Set(instants)].sort((a, b) => (a < b ? -1 : 1)).slice(0, 3);
}

function literal(micros: bigint): string {
  return micros % 86_400_000_000n === 0n ? formatDate(micros) : formatInstant(micros);
}
