import { UnreadableDimension } from '../checks/held.ts';
import { CHECK_IDS } from '../checks/index.ts';
import type { Trace } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import { guessRoles } from '../contract/guess.ts';
import { contractToJson } from '../contract/print.ts';
import type { Feed } from '../feed/feed.ts';
import type { StoredFailure } from '../search/store.ts';
import { type GroupVerdict, judgeGroup, type Members } from './judge-group.ts';
import { INTERRUPTED, problemOf, timeLimit } from './problems.ts';
import type { Finding, Problem } from './report.ts';
import type { RunOptions } from './run-options.ts';
import { type FeedFailure, type FeedRun, runFeed } from './session.ts';
import type { RunFolder } from './trace-store.ts';
import { dropUnconditionalErrors } from './unconditional.ts';

/** Feeds that share a contract, and are judged together. */
export interface Group {
  readonly contract: Contract;
  readonly traces: Trace[];
}

/** What the stages of a run share: what was sent and not judged yet, what stands in the way of a verdict, the columns seen, and the time. */
export class RunState {
  readonly options: RunOptions;
  readonly folder: RunFolder;
  readonly deadline: number;
  /** Traces by the columns of their contract, until they are judged. */
  readonly groups = new Map<string, Group>();
  readonly problems: Problem[] = [];
  /** Milliseconds by part. */
  readonly timings: Record<string, number> = {};
  /** With the roles that were guessed so far. */
  contract: Contract;
  /** What was guessed, in sentences. */
  guessed: readonly string[] = [];
  /** True where nothing more is sent. */
  ended = false;
  /** Columns that the dimension had after any batch. */
  readonly #names = new Set<string>();

  constructor(options: RunOptions, folder: RunFolder, started: number) {
    this.options = options;
    this.folder = folder;
    this.deadline = started + options.timeLimitMs;
    this.contract = options.declared.contract;
  }

  async send(feed: Feed, contract: Contract): Promise<void> {
    if (this.mayNotStart()) return;
    this.collect(contract, await runFeed(this.options.implementation, contract, feed));
  }

  /** Keeps a trace until it is judged; a failure of the implementation ends the run. */
  collect(contract: Contract, outcome: FeedRun): void {
    if (this.ended) return;
    if (this.options.signal.aborted) {
      this.end(INTERRUPTED);
      return;
    }
    if ('failed' in outcome) {
      this.end(problemOf(outcome.failed));
      return;
    }
    for (const { dimension } of outcome.trace.steps) {
      for (const { name } of dimension.schema.fields) this.#names.add(name);
    }
    const key = JSON.stringify(contractToJson(contract).columns);
    const group = this.groups.get(key) ?? { contract, traces: [] };
    group.traces.push(outcome.trace);
    this.groups.set(key, group);
  }

  /** `part` names the trace in the folder of the run. */
  async judge(part: string, members: Members, isCertain = this.#isCertain): Promise<readonly GroupVerdict[]> {
    this.#guess();
    const groups = [...this.groups.values()];
    const { problem, kept } = dropUnconditionalErrors(
      groups.map(({ traces }) => traces),
      this.contract,
      this.options.feed !== null,
      isCertain,
    );
    if (problem !== null) this.problems.push(problem);
    const verdicts: GroupVerdict[] = [];
    for (const [index, { contract }] of groups.entries()) {
      const { validFrom, validTo, isCurrent, isDeleted, hash, surrogateKey } = this.contract.columns;
      const columns = { ...contract.columns, validFrom, validTo, isCurrent, isDeleted, hash, surrogateKey };
      const result = await judgeGroup({ ...contract, columns }, kept[index]!, {
        checks: this.selectedChecks(),
        join: this.options.join,
        store: (judge) => this.folder.writeTrace(judge, index === 0 ? part : `${part}-${index}`),
        members,
        replay: this.options.replay,
        knownId: (feedId, check) => this.#storedAs(feedId, check)?.id ?? null,
        caseIds: this.options.feed === null,
        deadline: this.deadline,
      });
      if ('unreadable' in result) this.problems.push({ kind: 'unreadable', message: result.unreadable });
      else verdicts.push(result);
    }
    return verdicts;
  }

  /** Check ids, or null for all. */
  selectedChecks(): readonly string[] | null {
    const { checks, skipChecks } = this.options;
    if (checks === null && skipChecks.length === 0) return null;
    const all = checks ?? CHECK_IDS;
    return all.filter((id) => !skipChecks.includes(id));
  }

  /** Whether anything was found that is not accepted. */
  fails(verdicts: readonly GroupVerdict[]): boolean {
    return verdicts.some(({ findings }) => findings.some((finding) => !this.#isKnown(finding)));
  }

  /** Interrupted, or out of time. */
  readonly stop = (): boolean => this.options.signal.aborted || performance.now() > this.deadline;

  /** Ends the run where nothing more may begin. */
  mayNotStart(): boolean {
    if (!this.stop()) return false;
    this.end(this.#whyStopped());
    return true;
  }

  end(problem: Problem): void {
    this.ended = true;
    this.problems.push(problem);
  }

  /** Whatever else ended the run followed from the interruption, which closes the implementation. */
  interrupted(): void {
    this.ended = true;
    this.problems.splice(0, this.problems.length, INTERRUPTED);
  }

  /** Why a stage ended before its end, if it did. */
  noteEnd({ failure, completed }: { failure: FeedFailure | null; completed: boolean }): void {
    if (failure !== null) this.problems.push(problemOf(failure));
    else if (!completed) this.problems.push(this.#whyStopped());
  }

  async time<T>(part: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.timings[part] = (this.timings[part] ?? 0) + Math.round(performance.now() - started);
    }
  }

  /** Null where some histories make the dimension unreadable, which is then said. */
  async orUnreadable<T>(work: Promise<T>): Promise<T | null> {
    return work.catch((error: unknown) => {
      if (!(error instanceof UnreadableDimension)) throw error;
      this.problems.push({ kind: 'unreadable', message: error.message });
      return null;
    });
  }

  /**
   * The columns that the dimension has shown so far tell which of them play the roles that nobody declared. Rows may mention an end for
   * the first time where one is closed, so this waits until there is something to judge.
   */
  #guess(): void {
    if (this.#names.size === 0) return;
    const { declared } = this.options;
    const { contract, notes } = guessRoles(declared.contract, declared.declaredRoles, [...this.#names]);
    this.contract = contract;
    this.guessed = notes;
  }

  #whyStopped(): Problem {
    return this.options.signal.aborted ? INTERRUPTED : timeLimit(this.options.timeLimitMs);
  }

  /** Where nothing but counterexamples is run, there is no case to tell whether an error that was data-dependent still is. */
  readonly #isCertain = (feedId: string): boolean =>
    this.options.cases?.length === 0 && this.#storedAs(feedId, 'accepts-legal-input') !== undefined;

  #storedAs(feedId: string, check: string): StoredFailure | undefined {
    return this.options.stored.find((one) => `stored/${one.id}` === feedId && one.check === check);
  }

  #isKnown({ id }: Finding): boolean {
    return this.options.known.some((one) => one.id === id);
  }
}
