import type { Cell } from '../contract/columns.ts';
import type { Contract, Decision } from '../contract/contract.ts';
import type { ImplementationKind } from '../plugins/implementation.ts';

/**
 * What a run found, as data. Reporters render it and know nothing else. `json` prints it as it is; its schema is
 * `docs/schemas/report-1.json`.
 */
export interface Report {
  readonly schema: 1;
  readonly tool: { readonly name: 'scd2check'; readonly version: string };
  readonly run: {
    readonly id: string;
    readonly command: string;
    /** ISO text. */
    readonly started?: string;
  };
  readonly environment?: Environment;
  readonly implementation: { readonly name: string; readonly kind: ImplementationKind };
  readonly contract: ContractJson;
  /** True where nobody declared a contract and `strict` was taken. */
  readonly contractAssumed: boolean;
  /** Sentences on what was guessed and not declared, and on what was passed over. */
  readonly notes: readonly string[];
  readonly verdict: Verdict;
  /** Why the run could not judge, where it could not. */
  readonly problems: readonly Problem[];
  /** Counterexamples of earlier runs, which are tried first. */
  readonly stored: readonly StoredResult[];
  readonly cases: readonly CaseResult[];
  /** Every history of up to so many batches; null where it was not run. */
  readonly scope: ScopeReport | null;
  /** The covering feed and the random ones; null where they were not run. */
  readonly random: RandomReport | null;
  /** Null where it was not asked for. */
  readonly illegal: readonly IllegalResult[] | null;
  /** How often each situation was reached, over the packed parts. */
  readonly coverage: Readonly<Record<string, number>>;
  readonly checks: readonly CheckResult[];
  readonly findings: readonly Finding[];
  /** Findings that the configuration accepts. They are in `findings` too, and do not touch the verdict. */
  readonly known: readonly KnownResult[];
  readonly timings: Timings;
}

/** Where the run took place, as far as it can matter to what was found. */
export interface Environment {
  readonly node: string;
  /** `linux x64`. */
  readonly platform: string;
  /** What a CI says of itself; null elsewhere. */
  readonly ci: {
    readonly name: string;
    readonly commit: string | null;
    readonly branch: string | null;
    /** Address of the build. */
    readonly build: string | null;
  } | null;
}

/** The contract as plain JSON; column roles hold names with types. */
export type ContractJson = Readonly<Record<string, unknown>>;

/** `inconclusive`: not a wrong answer, but none that could be judged. */
export type Verdict = 'pass' | 'fail' | 'inconclusive';

export interface Problem {
  /** `timeout`, `crash`, `protocol`, `output`, `unreadable`, `start`, `errored`, `not-exercised`, `time-limit`, `interrupted`, `bailed`, `unstable`, `not-reached`. */
  readonly kind: string;
  /** What happened, why it matters, what to do. */
  readonly message: string;
  readonly feed?: string;
  /** The end of the implementation's error stream. */
  readonly stderr?: string;
}

/** What became of input that the contract excludes. */
export interface IllegalResult {
  /** What was sent. */
  readonly words: string;
  /** The field of the contract that excludes it. */
  readonly field: string;
  /** Refused, and the table as before; applied, and the table sound in itself; or neither. */
  readonly outcome: 'refused' | 'sound' | 'broken';
  /** What is broken: ids of checks, or a sentence. */
  readonly detail: string | null;
}

export interface StoredResult {
  readonly id: string;
  /** The check that led when it was found. */
  readonly check: string;
  readonly outcome: 'fixed' | 'fails' | 'cannot-replay';
  /** Why it cannot be replayed. */
  readonly reason?: string;
  /** Ids of its findings. */
  readonly findings: readonly string[];
}

export interface KnownResult {
  readonly id: string;
  /** Why it is accepted, in the words of the configuration. */
  readonly reason: string;
  /** It was not found any more, by a run that would have found it: its line can be removed. */
  readonly gone: boolean;
}

export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict | 'skipped';
  readonly skipReason?: string;
  /** Where the dimension is overwritten and has no versions: `versions` and `open` count its rows. */
  readonly counts?: 'rows';
  readonly versions: Count | null;
  readonly open: Count | null;
  /** Ids of its findings. */
  readonly findings: readonly string[];
}

export interface ScopeReport {
  /** What is complete, as a sentence says it. */
  readonly words: string;
  readonly batches: number;
  readonly palette: readonly string[];
  readonly orders: number;
  readonly histories: number;
  /** Histories in which something fails; those of defects that the cases show already have no finding of their own. */
  readonly failing: number;
  /** Histories whose content was not judged throughout, because it needs evidence that a dimension loses. */
  readonly forgiven: number;
  readonly completed: boolean;
  readonly findings: readonly string[];
  readonly timings: PartTimings;
}

export interface RandomReport {
  readonly seed: number;
  readonly histories: number;
  readonly batches: number;
  readonly facts: number;
  readonly failing: number;
  readonly forgiven: number;
  readonly completed: boolean;
  readonly findings: readonly string[];
  readonly timings: PartTimings;
}

export interface PartTimings {
  readonly totalMs: number;
  /** In which the implementation had something to do; sessions that run at once count once. */
  readonly implementationMs: number;
  readonly generateMs: number;
  readonly judgeMs: number;
}

/** After the last batch, over all keys of the case. */
export interface Count {
  readonly expected: number;
  readonly actual: number;
}

export interface CheckResult {
  readonly id: string;
  readonly verdict: Verdict | 'skipped';
  readonly severity: 'error' | 'warn';
  /** How often the check was put to the test: rows, pairs, facts, as its page says. */
  readonly exercised: number;
  /** Keys that violate it, over all feeds, before folding. */
  readonly count: number;
  readonly skipReason?: string;
}

/** One violation, at the first batch that shows it, for one key, with what follows from it folded in. */
export interface Finding {
  /** Stable: made from the check and the counterexample. */
  readonly id: string;
  readonly check: string;
  /** Checks that fail at the same place and follow from this one. */
  readonly implies: readonly string[];
  /** The option that would explain it, or null: a defect under every contract. */
  readonly decision: Decision | null;
  /** The feed it was seen in; for a case, its id. */
  readonly feed: string;
  readonly case?: string;
  /** Position of the batch after which it was seen, from 0. */
  readonly step: number;
  readonly key: JsonRow | null;
  /** One sentence, with the values that matter. */
  readonly message: string;
  /** Versions of the key that the dimension should hold after that batch, and those that it holds. */
  readonly expected: readonly VersionRow[];
  readonly actual: readonly VersionRow[];
  /** The rows of the key after each batch up to that one, the last so many of a long feed; none where only the last is known. */
  readonly history?: readonly KeyStep[];
  /** Where the facts of the key should land after that batch and where they do, in order of time; the first so many. */
  readonly facts?: readonly FactPoint[];
  /** What the violation does to a total by attribute, where facts move. */
  readonly money?: Money;
  readonly counterexample: Counterexample;
  /** The command that shows it again. */
  readonly replay: string;
}

export interface VersionRow {
  /** With types 1, 3 and 4, the table that it is in; the one that is overwritten has no bounds. */
  readonly table?: 'current' | 'history';
  /** Key and attributes, canonical cells as JSON; the previous or current values of types 3 and 6 too. */
  readonly values: JsonRow;
  /** ISO text with six decimals, exclusive end; null is open (for `from`: missing). */
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly isCurrent: boolean | null;
  readonly isDeleted: boolean;
  /** Names of `values` and of the other fields that differ from the row it was paired with; all of them where none fits. */
  readonly differs: readonly string[];
}

/** One key after one batch. */
export interface KeyStep {
  /** Position of the batch, from 0. */
  readonly step: number;
  readonly expected: readonly VersionRow[];
  readonly actual: readonly VersionRow[];
}

/** A fact at, or beside, a boundary of a version. */
export interface FactPoint {
  readonly instant: string;
  readonly amount: number;
  /** Value of the attribute that it belongs to; `UNKNOWN` where the key was not there. */
  readonly expected: string;
  /** Values of the versions that it meets: `UNKNOWN` where it meets none. */
  readonly met: readonly string[];
}

export interface Money {
  /** Facts of the key that land elsewhere than they should, and all of its facts. */
  readonly facts: number;
  readonly total: number;
  /** Sum of amounts that land elsewhere than they should. */
  readonly moved: number;
  /** From which attribute value to which, largest first. `UNKNOWN` is the member of facts that meet no version. */
  readonly moves: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
}

export interface Counterexample {
  readonly batches: readonly CounterexampleBatch[];
}

export interface CounterexampleBatch {
  readonly asOf: string;
  readonly rows: readonly JsonRow[];
  /** True where its instant lies before one that arrived earlier. */
  readonly late: boolean;
}

/** A row as JSON: 64-bit integers and what JSON cannot hold (NaN, −0, ±Infinity) are text. */
export type JsonRow = Readonly<Record<string, Exclude<Cell, bigint>>>;

export interface Timings {
  readonly totalMs: number;
  /** In which the implementation had something to do; sessions that run at once count once. */
  readonly implementationMs: number;
  /** Batches that it was given, each read back after it; those of repetitions among them. */
  readonly loads: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** What happens during a run, in order. */
export type RunEvent =
  | {
      readonly type: 'run-start';
      readonly implementation: Report['implementation'];
      /** As declared; what is guessed is in the report. */
      readonly contract: Contract;
      /** How many will be reported. */
      readonly cases: number;
    }
  | { readonly type: 'case-end'; readonly result: CaseResult }
  | { readonly type: 'finding'; readonly finding: Finding }
  | { readonly type: 'problem'; readonly problem: Problem }
  | { readonly type: 'progress'; readonly part: string; readonly done: number; readonly total: number }
  | { readonly type: 'run-end'; readonly report: Report };
