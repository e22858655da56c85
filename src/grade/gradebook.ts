import type { Protection } from '../plugins/isolation/isolation.ts';
import type { CaseResult, ContractJson, Finding, Problem, Report } from '../runner/report.ts';
import type { RubricItem, Work } from './rubric.ts';

/**
 * The grades of a class, as data: everything that reporters render. Its schema is `docs/schemas/grade-1.json`. It holds no time and no path of this
 * machine, so that the same submissions give the same bytes.
 */
export interface Gradebook {
  readonly schema: 1;
  readonly tool: { readonly name: 'scd2check'; readonly version: string };
  /** False while it is being graded, or where that was interrupted. */
  readonly complete: boolean;
  readonly contract: ContractJson;
  readonly rubric: readonly RubricItem[];
  readonly maximum: number;
  readonly work: Work;
  readonly isolation: IsolationReport;
  /** Sentences on what was passed over. */
  readonly notes: readonly string[];
  readonly submissions: readonly Graded[];
  readonly similar: readonly SimilarFailure[];
}

export interface IsolationReport {
  readonly form: 'bubblewrap' | 'process-group';
  /** Why it is not bubblewrap. */
  readonly why: string | null;
  readonly protections: readonly Protection[];
}

export interface Graded {
  readonly id: string;
  /** As it was handed in. */
  readonly name: string;
  readonly status: 'graded' | 'not-gradable' | 'waiting';
  /** Null where there is no grade: that is not 0. */
  readonly score: number | null;
  readonly items: readonly ItemResult[];
  /** Why it is not gradable, for its author; else null. */
  readonly reason: string | null;
  /** Sentences for the teacher: what it declares and does not count, what it was ended for. */
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
  /** What was found beyond the cases, in small and random histories, which may cost nothing and tell of answers learnt by heart. */
  readonly beyond: Beyond | null;
  readonly findings: readonly Finding[];
  /** For the pages of students. */
  readonly cases: readonly CaseResult[];
  readonly implementation: Report['implementation'] | null;
}

export interface Beyond {
  readonly histories: number;
  readonly failing: number;
}

export interface ItemResult {
  /** Of the item in the rubric. */
  readonly id: string;
  readonly earned: number;
  readonly points: number;
  /** `follows`: not right, and not charged. */
  readonly status: 'passed' | 'follows' | 'partly' | 'failed' | 'not-judged' | 'not-applicable';
  readonly units: readonly UnitResult[];
}

/** One case or check of an item. */
export interface UnitResult {
  readonly id: string;
  readonly title: string;
  /** `follows`: it fails because of a check that leads, or by a decision that has cost points already; it costs nothing. */
  readonly status: 'passed' | 'failed' | 'follows' | 'not-judged' | 'not-applicable';
  /** One sentence, of what is wrong or why it was not judged. */
  readonly message: string | null;
  /** The check that leads, where it failed. */
  readonly check: string | null;
  /** Ids of findings, the leading one first. */
  readonly findings: readonly string[];
}

/** A failure that several submissions have. */
export interface SimilarFailure {
  /** Of the case or check. */
  readonly unit: string;
  readonly title: string;
  readonly check: string;
  /** The option of the contract that would explain it; null for a defect under every contract. */
  readonly decision: string | null;
  readonly submissions: readonly string[];
  readonly of: number;
}
