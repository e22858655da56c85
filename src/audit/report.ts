import type { ContractJson, JsonRow, Problem } from '../runner/report.ts';

/**
 * What an audit found, as data. Reporters render it and know nothing else. `json` prints it as it is; its schema is
 * `docs/schemas/audit-1.json`.
 */
export interface AuditReport {
  readonly schema: 1;
  readonly kind: 'audit';
  readonly tool: { readonly name: 'scd2check'; readonly version: string };
  readonly command: string;
  readonly table: AuditedTable;
  readonly contract: ContractJson;
  /** Sentences on what was guessed, and on what was looked at in part only. */
  readonly notes: readonly string[];
  /** What is unusual and no defect. */
  readonly notices: readonly string[];
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  readonly problems: readonly Problem[];
  readonly checks: readonly AuditCheck[];
  /** Up to so many of each check, new ones first. */
  readonly findings: readonly AuditFinding[];
  readonly baseline: { readonly new: number; readonly known: number; readonly resolved: number } | null;
  readonly facts: FactsReport | null;
  readonly previous: PreviousReport | null;
  readonly timings: { readonly totalMs: number; readonly parts: Readonly<Record<string, number>> };
}

export interface AuditedTable {
  readonly name: string;
  readonly rows: number;
  readonly keys: number;
  readonly open: number;
  /** Rows whose key is NULL. */
  readonly nullKeys: number;
  /** Times in which a key has no version between two that it has, whether the contract allows that or not. */
  readonly gaps: number;
  /** Keys that the one pass could not clear, and that were then looked at closely. */
  readonly suspects: number;
  /** Columns that were read. */
  readonly columns: readonly string[];
}

export interface AuditCheck {
  readonly id: string;
  readonly title: string;
  /** `follows`: every violation follows from one of another check. `warn`: violated, and does not fail the audit. */
  readonly verdict: 'pass' | 'fail' | 'warn' | 'follows' | 'inconclusive' | 'skipped';
  readonly severity: 'error' | 'warn';
  /** How often it was put to the test. */
  readonly exercised: number;
  /** All violations, on a pass too. */
  readonly count: number;
  /** Violations that follow from no other. */
  readonly leading: number;
  /** Of the leading ones, those that the baseline does not know. */
  readonly fresh: number;
  /** Keys with leading violations, and which share of all keys they are. */
  readonly keys: number;
  readonly share: number;
  /** What was allowed: so many violations, or that share of keys. */
  readonly allowed: { readonly count: number; readonly share: number };
  readonly skipReason?: string;
  /** SQL that repairs what can be repaired without guessing. Never run. */
  readonly repair?: string;
}

export interface AuditFinding {
  /** Stable: made from the check, the key and the bounds. */
  readonly id: string;
  readonly check: string;
  readonly state: 'new' | 'known';
  readonly key: JsonRow | null;
  readonly message: string;
  /** Versions of the key around the violation, in order. */
  readonly rows: readonly AuditRow[];
}

export interface AuditRow {
  /** Attributes, only where values are shown. */
  readonly values: JsonRow;
  readonly validFrom: string | null;
  /** Exclusive; null is open. */
  readonly validTo: string | null;
  readonly isCurrent: boolean | null;
  /** Whether it is one of those that the violation names. */
  readonly marked: boolean;
}

export interface FactsReport {
  readonly name: string;
  readonly facts: number;
  readonly amount: number;
  /** Facts that meet several versions, and what the join counts too much for them. */
  readonly fanOut: { readonly facts: number; readonly amount: number };
  /** Facts that meet none: the UNKNOWN member. */
  readonly unknown: { readonly facts: number; readonly amount: number };
  /** Totals by tracked attributes: each fact once, by the half-open join; and as `--join` has it. Those that differ, largest first. */
  readonly moves: readonly { readonly attribute: string; readonly once: number; readonly joined: number }[];
  readonly keys: readonly { readonly key: string; readonly facts: number; readonly amount: number }[];
  readonly days: readonly { readonly day: string; readonly facts: number; readonly amount: number }[];
}

export interface PreviousReport {
  readonly name: string;
  /** Closed versions that were there. */
  readonly closed: number;
  readonly changed: number;
  readonly vanished: number;
  /** By the month in which they hold, most first. */
  readonly periods: readonly { readonly month: string; readonly versions: number }[];
  /** What that does to the figures of the past; null without facts, or where there is only a digest. */
  readonly figures: RestatedFacts | null;
}

/** Facts of the past that belong to other attributes now. */
export interface RestatedFacts {
  readonly facts: number;
  readonly amount: number;
  /** By the month of the fact, most first. */
  readonly months: readonly { readonly month: string; readonly facts: number; readonly amount: number }[];
  /** From which value of an attribute to which, month by month, most first. `UNKNOWN` is the member of facts that meet no version. */
  readonly moves: readonly {
    readonly month: string;
    readonly attribute: string;
    readonly from: string;
    readonly to: string;
    readonly amount: number;
  }[];
}
