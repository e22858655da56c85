import { BOUNDARY_IDS, CASES } from '../../cases/index.ts';
import { mapCase } from '../../cases/mapping.ts';
import { alone, type CaseFeed, packCases, type SendableCase } from '../../cases/packing.ts';
import { CHECK_IDS, CHECKS } from '../checks/index.ts';
import type { Trace } from '../checks/judge.ts';
import { UnreadableDimension } from '../checks/relations.ts';
import type { Contract } from '../contract/contract.ts';
import { guessRoles } from '../contract/guess.ts';
import { contractToJson } from '../contract/print.ts';
import type { Feed } from '../feed/feed.ts';
import { requireClock } from '../plugins/set-clock.ts';
import { guessForm } from '../probe/form.ts';
import { runClock } from '../repetition/clock.ts';
import { notRepeated, runRepetition } from '../repetition/run.ts';
import { shapeOf } from '../search/find.ts';
import { moveFailure, type StoredFailure, storeFailures } from '../search/store.ts';
import { runAhead } from './ahead.ts';
import { busyTime } from './busy.ts';
import { currentEnvironment } from './environment.ts';
import { runIllegal } from './illegal-part.ts';
import { type GroupVerdict, judgeGroup, type Members } from './judge-group.ts';
import { knownResults } from './known.ts';
import { type PackedOutcome, runPacked, SHRINK_MS } from './packed-run.ts';
import { type PlannedCase, planCases } from './planned-cases.ts';
import { INTERRUPTED, notExercised, notReached, problemOf, timeLimit, unstable } from './problems.ts';
import type { CaseResult, Finding, IllegalResult, Problem, Report, StoredResult, Verdict } from './report.ts';
import { caseResult, checkResults, idsOf } from './results.ts';
import type { RunOptions } from './run-options.ts';
import { type FeedRun, runFeed } from './session.ts';
import { sortFindings } from './sort-findings.ts';
import { isKept, type PlannedFailure, planStored, storedResults } from './stored-part.ts';
import { contractWith, unsaidDecisions, withOneGrain } from './taken.ts';
import { RunFolder } from './trace-store.ts';
import { dropUnconditionalErrors } from './unconditional.ts';
import { decidedAgain, memberKeys, withoutFeeds } from './verdicts.ts';

/** Feeds that share a contract, and are judged together. */
interface Group {
  readonly contract: Contract;
  readonly traces: Trace[];
}

/**
 * Runs an implementation through the named cases (or one feed): sends, keeps the trace, judges, finds the roots and explains them.
 *
 * Nothing is judged before its trace is written, so that a fault of the judge loses nothing.
 * @throws UsageError where the contract says `clock: moved` of a clock that nobody can set
 */
export async function run(options: RunOptions): Promise<Report> {
  requireClock(options.implementation, options.declared.contract);
  const { declared, notes } = await guessForm(options.implementation, options.declared);
  return new Run({ ...options, declared, notes: [...options.notes, ...notes] }).run();
}

class Run {
  readonly #options: RunOptions;
  readonly #started = performance.now();
  readonly #deadline: number;
  readonly #startedAt = new Date().toISOString();
  readonly #groups = new Map<string, Group>();
  readonly #problems: Problem[] = [];
  /** Columns that the dimension had after any batch. */
  readonly #names = new Set<string>();
  readonly #cases: CaseResult[] = [];
  readonly #stored: readonly PlannedFailure[];
  readonly #timings: Record<string, number> = {};
  /** What the cases came to, under the contract of the packed parts. */
  #shown: readonly Trace[] = [];
  #contract: Contract;
  #notes: readonly string[] = [];
  #illegal: readonly IllegalResult[] | null = null;
  #ended = false;
  /** What was not tried of the clock, and why. */
  #clockNote: string | null = null;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#deadline = this.#started + options.timeLimitMs;
    this.#contract = options.declared.contract;
    this.#stored = planStored(this.#contract, options.stored);
  }

  async run(): Promise<Report> {
    const folder = await RunFolder.create(this.#options.root, this.#options.runId);
    const { implementation, command, version, feed, onEvent } = this.#options;
    const about = {
      tool: { name: 'scd2check', version },
      command,
      implementation: { name: implementation.name, kind: implementation.kind },
    };
    await folder.writeRun({
      ...about,
      contract: contractToJson(this.#contract),
      started: this.#startedAt,
    });
    const planned = feed === null ? planCases(this.#contract, this.#options) : [];
    onEvent({
      type: 'run-start',
      implementation: about.implementation,
      contract: this.#contract,
      cases: planned.length,
    });
    const { verdicts, feeds } =
      feed === null ? await this.#runCases(planned, folder) : await this.#runFeed(feed, folder);
    const packed = await this.#runPacked(verdicts, folder);
    const repeated = await this.#runRepetition([...verdicts, ...packed.verdicts]);
    const all = [...verdicts, ...packed.verdicts, repeated];
    this.#illegal = await this.#runIllegal();
    const report = this.#report(planned, all, feeds, packed);
    this.#keep(report, all);
    await folder.write('report.json', `${JSON.stringify(report, null, 2)}\n`);
    return report;
  }

  /** One by one, until one fails. */
  async #runUntilFailure(feeds: readonly CaseFeed[], folder: RunFolder): Promise<CasesVerdict> {
    const verdicts: GroupVerdict[] = [];
    for (const [index, one] of feeds.entries()) {
      if (this.#ended) break;
      this.#groups.clear();
      await this.#time('apply', () => this.#send(one.feed, one.contract));
      verdicts.push(
        ...(await this.#time('judge', () => this.#judge(folder, `case-${index}`, memberKeys([one])))),
      );
      if (this.#fails(verdicts)) {
        this.#end({
          kind: 'bailed',
          message: `Stopped at the first case that fails (--bail); ${feeds.length - index - 1} more of those that fail packed were not looked at alone.`,
        });
      }
    }
    return { verdicts, feeds };
  }

  async #runFeed(feed: Feed, folder: RunFolder): Promise<CasesVerdict> {
    await this.#time('apply', () => this.#send(feed, this.#contract));
    return { verdicts: await this.#time('judge', () => this.#judge(folder, 'feed', new Map())), feeds: [] };
  }

  /** The scope, the covering feed and the random ones; then what failed in them as findings, each by its smallest feed. */
  async #runPacked(cases: readonly GroupVerdict[], folder: RunFolder): Promise<PackedVerdict> {
    const { implementation, feed, scope, histories, seed, maxFailures, bail, onEvent } = this.#options;
    const size = scope ?? (implementation.kind === 'sql' || implementation.kind === 'function' ? 4 : 3);
    if (feed !== null || this.#ended || (bail && this.#fails(cases))) return NOTHING_PACKED;
    // What fails whatever it is given would do so in each of thousands of histories, and say nothing more.
    if (this.#problems.some(({ kind }) => kind === 'errored' || kind === 'unreadable')) return NOTHING_PACKED;
    if (!CHECKS.some(({ id }) => this.#selectedChecks()?.includes(id) ?? true)) return NOTHING_PACKED;
    const contract = this.#contract;
    this.#shown = [...this.#groups.values()]
      .filter((group) => group.contract.columns === contract.columns)
      .flatMap(({ traces }) => traces);
    const outcome = await this.#part('packed', () =>
      runPacked({
        implementation,
        contract,
        checks: this.#selectedChecks(),
        scope: size,
        histories,
        seed,
        maxFailures,
        deadline: this.#deadline,
        masks: cases.flatMap(({ masks }) => masks),
        shapes: this.#storedShapes(),
        stop: this.#stop,
        progress: (part, done, total) => onEvent({ type: 'progress', part, done, total }),
      }),
    );
    if (outcome === null) return NOTHING_PACKED;
    this.#noteEnd(outcome);
    this.#problems.push(...outcome.unstable.map(unstable));
    if (outcome.failure === null && outcome.completed && size > 0 && histories > 0) {
      this.#problems.push(...notReached(contract, outcome.situations));
    }
    const verdicts = await this.#judgeDefects(outcome, folder);
    return { outcome, verdicts };
  }

  /** The checks by repetition. They are part of a whole run only, after all else, because what they find may follow from other defects. */
  async #runRepetition(verdicts: readonly GroupVerdict[]): Promise<GroupVerdict> {
    const { implementation, cases, feed, histories, seed, bail, onEvent, replay } = this.#options;
    const isWhole = feed === null && (cases === null || cases.length === 0) && histories > 0;
    const isUsable = this.#problems.every(({ kind }) => ['unstable', 'not-reached'].includes(kind));
    if (!isWhole || !isUsable || (bail && this.#fails(verdicts))) return notRepeated();
    const repeat = (contract: Contract, checks: readonly string[]) =>
      this.#time('repetition', () =>
        runRepetition({
          implementation,
          contract,
          checks,
          seed,
          deadline: this.#deadline,
          shrinkMs: SHRINK_MS,
          stop: this.#stop,
          progress: (done, total) => onEvent({ type: 'progress', part: 'repetition', done, total }),
          replay,
        }),
      );
    const outcome = await this.#orUnreadable(repeat(this.#contract, this.#selectedChecks() ?? CHECK_IDS));
    if (outcome === null) return notRepeated();
    this.#noteEnd(outcome);
    const findings = await this.#explainRepetition(outcome.findings, verdicts, repeat);
    const clock = outcome.completed ? await this.#runClock(verdicts) : NO_CLOCK;
    return {
      tallies: [...outcome.tallies, ...clock.tallies],
      findings: [...findings, ...clock.findings],
      taken: [],
      feeds: [],
      masks: [],
    };
  }

  /** What repetition finds follows from a decision where nothing is found under the contract with all decisions that stand. */
  async #explainRepetition(
    findings: readonly Finding[],
    verdicts: readonly GroupVerdict[],
    repeat: (contract: Contract, checks: readonly string[]) => ReturnType<typeof runRepetition>,
  ): Promise<readonly Finding[]> {
    const taken = verdicts.map((one) => one.taken).filter((decisions) => decisions.length > 0);
    const [first] = taken.flat();
    if (findings.length === 0 || first === undefined) return findings;
    const checks = findings.map(({ check }) => check);
    const again = await repeat(contractWith(this.#contract, taken), checks).catch(() => null);
    if (again === null || !again.completed || again.failure !== null) return findings;
    const still = new Set(again.findings.map(({ check }) => check));
    return findings.map((finding) => (still.has(finding.check) ? finding : { ...finding, decision: first }));
  }

  /** Where stamps of the clock were found, it is known that the clock is read. */
  async #runClock(verdicts: readonly GroupVerdict[]): Promise<Pick<GroupVerdict, 'tallies' | 'findings'>> {
    const { implementation, seed, signal, replay } = this.#options;
    const isFound = verdicts
      .flatMap(({ tallies }) => tallies)
      .some(({ id, count }) => id === CLOCK && count > 0);
    if (isFound || !(this.#selectedChecks()?.includes(CLOCK) ?? true)) return NO_CLOCK;
    const outcome = await this.#part('repetition', () =>
      runClock({
        implementation,
        contract: this.#contract,
        seed,
        deadline: this.#deadline,
        shrinkMs: SHRINK_MS,
        stop: this.#stop,
        replay,
      }),
    );
    if (outcome === null) return NO_CLOCK;
    if (signal.aborted) this.#problems.push(INTERRUPTED);
    this.#clockNote = outcome.whyNot === null ? null : `\`${CLOCK}\`: ${outcome.whyNot}.`;
    return { tallies: outcome.tally === null ? [] : [outcome.tally], findings: outcome.findings };
  }

  async #runIllegal(): Promise<readonly IllegalResult[] | null> {
    const { implementation, illegal, seed } = this.#options;
    if (!illegal || this.#ended) return null;
    return this.#time('illegal', () =>
      runIllegal(implementation, this.#contract, seed, () => this.#mayNotStart()),
    );
  }

  /** The smallest feeds are run once more, and judged like a case: with their rows, their money, and the decision that explains them. */
  async #judgeDefects(
    { defects, tallies }: PackedOutcome,
    folder: RunFolder,
  ): Promise<readonly GroupVerdict[]> {
    const own = { tallies: tallies.flat(), findings: [], taken: [], feeds: [], masks: [] };
    if (defects.length === 0) return [own];
    this.#groups.clear();
    for (const [index, { feed, check, part }] of defects.entries()) {
      await this.#send({ id: `${part}/${index + 1}-${check}`, batches: feed.batches }, this.#contract);
    }
    // What the cases showed is judged beside them: a decision must explain those too, or it is a coincidence.
    if (this.#shown.length === 0) this.#shown = await this.#witnesses();
    for (const group of this.#groups.values()) group.traces.push(...this.#shown);
    // An error that some feeds raise and others do not is what was looked for.
    const verdicts = await this.#judge(folder, 'counterexamples', new Map(), () => true);
    // The tallies of all histories stand; those of the few that were run again would count them twice.
    const shown = new Set(this.#shown.map(({ feed }) => feed.id));
    return [own, ...verdicts.map((verdict) => ({ ...withoutFeeds(verdict, shown), tallies: [] }))];
  }

  /** Where no case was run, the seven boundary cases speak against what only one small feed would show. */
  async #witnesses(): Promise<readonly Trace[]> {
    const traces: Trace[] = [];
    for (const theCase of CASES.filter(({ id }) => BOUNDARY_IDS.includes(id))) {
      const mapped = mapCase(theCase, this.#contract);
      if ('skip' in mapped || this.#options.signal.aborted) continue;
      const outcome = await runFeed(this.#options.implementation, this.#contract, mapped.feed);
      if ('trace' in outcome) traces.push(outcome.trace);
    }
    return traces;
  }

  async #sendCases(feeds: readonly CaseFeed[]): Promise<void> {
    let done = 0;
    for await (const { errand, outcome } of runAhead(
      this.#options.implementation,
      this.#whileRunning(feeds),
    )) {
      this.#collect(errand.contract, outcome);
      this.#options.onEvent({ type: 'progress', part: 'cases', done: ++done, total: feeds.length });
    }
  }

  /** Ends the supply when the run has ended, was interrupted, or is out of time. */
  *#whileRunning<E>(errands: Iterable<E>): Generator<E> {
    for (const errand of errands) {
      if (this.#ended || this.#mayNotStart()) return;
      yield errand;
    }
  }

  /**
   * What failed in earlier runs is sent first. Cases are sent packed. Those of a pack in which something fails are then sent one by one, and judged by that;
   * where all of them are right alone, keys leak into each other, and the pack's own finding stands.
   */
  async #runCases(planned: readonly PlannedCase[], folder: RunFolder): Promise<CasesVerdict> {
    const sendable = planned.filter((one) => 'feed' in one);
    const first = this.#stored.flatMap((one) => ('feed' in one ? [this.#unnamed(one.feed)] : []));
    const isOwn = ({ feed }: SendableCase) => feed.id.startsWith('project/');
    const feeds = [
      ...first,
      ...packCases(sendable.filter((one) => !isOwn(one))),
      ...sendable.filter(isOwn).map(alone),
    ];
    await this.#time('apply', () => this.#sendCases(feeds));
    const packed = await this.#time('judge', () => this.#judge(folder, 'cases', memberKeys(feeds)));
    const failed = new Set(
      packed
        .flatMap((one) => one.feeds)
        .filter((one) => one.failed)
        .map(({ feed }) => feed.id),
    );
    const again = feeds.filter(({ feed, members }) => members.length > 1 && failed.has(feed.id));
    if (again.length === 0 || this.#ended) return { verdicts: packed, feeds };
    if (this.#options.bail) return this.#untilFirst(packed, feeds, failed, folder);
    const packedGroups = [...this.#groups];
    this.#groups.clear();
    const single = again.flatMap(({ members }) => members.map(({ sent }) => alone(sent)));
    await this.#time('apply alone', () => this.#sendCases(single));
    // The other cases are judged beside them: a decision must explain those too, or it is a coincidence.
    const others = new Set(
      feeds.map(({ feed }) => feed.id).filter((id) => again.every(({ feed }) => feed.id !== id)),
    );
    for (const [name, { traces }] of packedGroups) {
      this.#groups.get(name)?.traces.push(...traces.filter(({ feed }) => others.has(feed.id)));
    }
    const judged = await this.#time('judge alone', () =>
      this.#judge(folder, 'cases-alone', memberKeys(single)),
    );
    const apart = judged.map((verdict) => withoutFeeds(verdict, others));
    const failedAlone = new Set(
      apart
        .flatMap((one) => one.feeds)
        .filter((one) => one.failed)
        .map(({ feed }) => feed.id),
    );
    const explained = again.filter(({ members }) =>
      members.some(({ sent }) => failedAlone.has(sent.feed.id)),
    );
    const replaced = new Set(explained.map(({ feed }) => feed.id));
    return {
      verdicts: [...packed.map((one) => decidedAgain(withoutFeeds(one, replaced), judged)), ...apart],
      feeds: [
        ...feeds.filter(({ feed }) => !replaced.has(feed.id)),
        ...single.filter(({ members }) =>
          explained.some((pack) => pack.members.some(({ sent }) => sent === members[0]!.sent)),
        ),
      ],
    };
  }

  /** Of the feeds that fail packed, the cases one by one until one fails alone; where none does, the packs' findings stand. */
  async #untilFirst(
    packed: readonly GroupVerdict[],
    feeds: readonly CaseFeed[],
    failed: ReadonlySet<string>,
    folder: RunFolder,
  ): Promise<CasesVerdict> {
    const suspects = feeds.filter(({ feed }) => failed.has(feed.id));
    const single = suspects.flatMap((one) =>
      one.members.length > 1 ? one.members.map(({ sent }) => alone(sent)) : [one],
    );
    const apart = await this.#runUntilFailure(single, folder);
    if (!apart.verdicts.some(({ findings }) => findings.length > 0)) return { verdicts: packed, feeds };
    return {
      verdicts: [...packed.map((one) => withoutFeeds(one, failed)), ...apart.verdicts],
      feeds: [...feeds.filter((one) => !suspects.includes(one)), ...apart.feeds],
    };
  }

  #unnamed(feed: Feed): CaseFeed {
    return { contract: this.#contract, feed, members: [] };
  }

  async #send(feed: Feed, contract: Contract): Promise<void> {
    if (this.#mayNotStart()) return;
    this.#collect(contract, await runFeed(this.#options.implementation, contract, feed));
  }

  /** Ends the run where nothing more may begin. */
  #mayNotStart(): boolean {
    if (!this.#stop()) return false;
    this.#end(this.#whyStopped());
    return true;
  }

  #collect(contract: Contract, outcome: FeedRun): void {
    if (this.#ended) return;
    if (this.#options.signal.aborted) {
      this.#end(INTERRUPTED);
      return;
    }
    if ('failed' in outcome) {
      this.#end(problemOf(outcome.failed));
      return;
    }
    for (const { dimension } of outcome.trace.steps) {
      for (const { name } of dimension.schema.fields) this.#names.add(name);
    }
    const key = JSON.stringify(contractToJson(contract).columns);
    const group = this.#groups.get(key) ?? { contract, traces: [] };
    group.traces.push(outcome.trace);
    this.#groups.set(key, group);
  }

  /**
   * The columns that the dimension has shown so far tell which of them play the roles that nobody declared. Rows may mention an end for
   * the first time where one is closed, so this waits until there is something to judge.
   */
  #guess(): void {
    if (this.#names.size === 0) return;
    const { declared } = this.#options;
    const guessed = guessRoles(declared.contract, declared.declaredRoles, [...this.#names]);
    this.#contract = guessed.contract;
    this.#notes = guessed.notes;
  }

  #end(problem: Problem): void {
    this.#ended = true;
    this.#problems.push(problem);
  }

  async #judge(
    folder: RunFolder,
    part: string,
    members: Members,
    isCertain = this.#isCertain,
  ): Promise<readonly GroupVerdict[]> {
    this.#guess();
    const groups = [...this.#groups.values()];
    const { problem, kept } = dropUnconditionalErrors(
      groups.map(({ traces }) => traces),
      this.#contract,
      this.#options.feed !== null,
      isCertain,
    );
    if (problem !== null) this.#problems.push(problem);
    const verdicts: GroupVerdict[] = [];
    for (const [index, { contract }] of groups.entries()) {
      const { validFrom, validTo, isCurrent, isDeleted, hash, surrogateKey } = this.#contract.columns;
      const columns = { ...contract.columns, validFrom, validTo, isCurrent, isDeleted, hash, surrogateKey };
      const result = await judgeGroup({ ...contract, columns }, kept[index]!, {
        checks: this.#selectedChecks(),
        join: this.#options.join,
        store: (judge) => folder.writeTrace(judge, index === 0 ? part : `${part}-${index}`),
        members,
        replay: this.#options.replay,
        knownId: (feedId, check) => this.#storedAs(feedId, check)?.id ?? null,
        caseIds: this.#options.feed === null,
        deadline: this.#deadline,
      });
      if ('unreadable' in result) this.#problems.push({ kind: 'unreadable', message: result.unreadable });
      else verdicts.push(result);
    }
    return verdicts;
  }

  #storedShapes(): readonly string[] {
    return this.#stored.flatMap((one) =>
      'feed' in one ? [shapeOf(this.#contract, one.failure.check, one.feed)] : [],
    );
  }

  #storedAs(feedId: string, check: string): StoredFailure | undefined {
    return this.#options.stored.find((one) => `stored/${one.id}` === feedId && one.check === check);
  }

  /** Where nothing but counterexamples is run, there is no case to tell whether an error that was data-dependent still is. */
  readonly #isCertain = (feedId: string): boolean =>
    this.#options.cases?.length === 0 && this.#storedAs(feedId, 'accepts-legal-input') !== undefined;

  #isKnown({ id }: Finding): boolean {
    return this.#options.known.some((one) => one.id === id);
  }

  #fails(verdicts: readonly GroupVerdict[]): boolean {
    return verdicts.some(({ findings }) => findings.some((finding) => !this.#isKnown(finding)));
  }

  /**
   * What is accepted and was not found is gone if its counterexample was tried and is right now, or if a whole run found nothing else:
   * another defect can stand before it.
   */
  #isGone(stored: readonly StoredResult[], fails: boolean): (id: string) => boolean {
    const whole = !fails && this.#problems.length === 0 && this.#options.feed === null;
    return (id) =>
      stored.some((one) => one.id === id && one.outcome === 'fixed') ||
      (whole && this.#options.mayBeGone(id));
  }

  /** Counterexamples are kept for later runs; those that are right again are put aside. */
  #keep({ findings, stored }: Report, verdicts: readonly GroupVerdict[]): void {
    const { root, origin, seed } = this.#options;
    if (origin === null) return;
    const feeds = new Map(verdicts.flatMap((one) => one.feeds).map(({ feed }) => [feed.id, feed]));
    const kept = findings.filter(isKept).flatMap((finding) => {
      const feed = feeds.get(finding.feed);
      return feed === undefined ? [] : [{ finding, feed }];
    });
    storeFailures(root, this.#contract, origin, seed, kept);
    for (const { failure } of this.#stored) {
      const outcome = stored.find(({ id }) => id === failure.id)?.outcome;
      if (outcome === 'fixed') moveFailure(root, failure, 'fixed');
      if (outcome === 'fails') moveFailure(root, failure, 'failures');
    }
  }

  #selectedChecks(): readonly string[] | null {
    const { checks, skipChecks } = this.#options;
    if (checks === null && skipChecks.length === 0) return null;
    const all = checks ?? CHECK_IDS;
    return all.filter((id) => !skipChecks.includes(id));
  }

  #report(
    planned: readonly PlannedCase[],
    verdicts: readonly GroupVerdict[],
    feeds: readonly CaseFeed[],
    packed: PackedVerdict,
  ): Report {
    const { implementation, declared, version, command, runId, onEvent, cases, feed, known } = this.#options;
    const whole = cases === null && feed === null && this.#problems.length === 0;
    const { outcome } = packed;
    const checks = checkResults(verdicts, whole, this.#selectedChecks());
    const findings = sortFindings(withOneGrain(verdicts.flatMap((one) => one.findings)));
    for (const one of planned) this.#cases.push(caseResult(one, verdicts, feeds));
    if (whole) this.#problems.push(...notExercised(checks));
    for (const result of this.#cases) onEvent({ type: 'case-end', result });
    for (const finding of findings) onEvent({ type: 'finding', finding });
    for (const problem of this.#problems) onEvent({ type: 'problem', problem });
    const fails = this.#fails(verdicts) || (this.#illegal ?? []).some(({ outcome }) => outcome === 'broken');
    const stored = storedResults(this.#stored, verdicts);
    const verdict: Verdict = fails ? 'fail' : this.#problems.length > 0 ? 'inconclusive' : 'pass';
    return {
      schema: 1,
      tool: { name: 'scd2check', version },
      run: { id: runId, command, started: this.#startedAt },
      environment: currentEnvironment(process.env),
      implementation: { name: implementation.name, kind: implementation.kind },
      contract: contractToJson(this.#contract),
      contractAssumed: !declared.decided,
      notes: [
        ...this.#options.notes,
        ...this.#notes,
        ...(this.#contract.clock === 'wall' ? [WALL_NOTE] : []),
        ...declared.notes,
        ...unsaidDecisions(
          verdicts.flatMap(({ taken }) => taken),
          findings,
        ),
        ...(this.#clockNote === null ? [] : [this.#clockNote]),
      ],
      verdict,
      problems: this.#problems,
      stored,
      cases: this.#cases,
      scope: outcome?.scope ? { ...outcome.scope, findings: idsOf(findings, 'scope') } : null,
      random: outcome?.random ? { ...outcome.random, findings: idsOf(findings, 'random') } : null,
      illegal: this.#illegal,
      coverage: outcome?.situations ?? {},
      checks,
      findings,
      known: knownResults(known, findings, this.#isGone(stored, fails)),
      timings: {
        totalMs: Math.round(performance.now() - this.#started),
        implementationMs: Math.round(busyTime(implementation).ms),
        loads: busyTime(implementation).loads,
        parts: this.#timings,
      },
    };
  }

  /** Interrupted, or out of time. */
  readonly #stop = (): boolean => this.#options.signal.aborted || performance.now() > this.#deadline;

  #whyStopped(): Problem {
    return this.#options.signal.aborted ? INTERRUPTED : timeLimit(this.#options.timeLimitMs);
  }

  /** Why a part ended before its end, if it did. */
  #noteEnd({ failure, completed }: Pick<PackedOutcome, 'failure' | 'completed'>): void {
    if (failure !== null) this.#problems.push(problemOf(failure));
    else if (!completed) this.#problems.push(this.#whyStopped());
  }

  /** Null where some histories make the dimension unreadable, which is then said. */
  async #orUnreadable<T>(work: Promise<T>): Promise<T | null> {
    return work.catch((error: unknown) => {
      if (!(error instanceof UnreadableDimension)) throw error;
      this.#problems.push({ kind: 'unreadable', message: error.message });
      return null;
    });
  }

  #part<T>(part: string, work: () => Promise<T>): Promise<T | null> {
    return this.#orUnreadable(this.#time(part, work));
  }

  async #time<T>(part: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.#timings[part] = (this.#timings[part] ?? 0) + Math.round(performance.now() - started);
    }
  }
}

interface PackedVerdict {
  readonly outcome: PackedOutcome | null;
  readonly verdicts: readonly GroupVerdict[];
}

const NOTHING_PACKED: PackedVerdict = { outcome: null, verdicts: [] };

const WALL_NOTE =
  'Stamps come from the wall clock (`clock: wall`): each was judged as the instant of the batch in whose load it lies. A rerun gives other stamps. No load was late and no two had one instant, because nobody can set that clock back.';

const CLOCK = 'clock-injected';

const NO_CLOCK = { tallies: [], findings: [] };

interface CasesVerdict {
  readonly verdicts: readonly GroupVerdict[];
  /** The feeds in which each case was judged. */
  readonly feeds: readonly CaseFeed[];
}
