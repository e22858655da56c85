import type { ProjectCase } from '../../cases/project.ts';
import type { KnownFinding } from '../config/config.ts';
import type { DeclaredContract } from '../contract/declare.ts';
import type { Feed } from '../feed/feed.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import type { Origin, StoredFailure } from '../search/store.ts';
import type { RunEvent } from './report.ts';

export interface RunOptions {
  readonly implementation: OpenedImplementation;
  readonly declared: DeclaredContract;
  /** Case ids to run, or null for all; an empty list for none. */
  readonly cases: readonly string[] | null;
  /** Cases of the project's own, of which `cases` selects too. */
  readonly projectCases: readonly ProjectCase[];
  /** A feed to run instead of the cases. */
  readonly feed: Feed | null;
  /** Counterexamples of earlier runs of this implementation, tried first. */
  readonly stored: readonly StoredFailure[];
  /** What a counterexample of this run needs when it is tried again; null where none is to be kept. */
  readonly origin: Origin | null;
  /** Findings that are accepted. */
  readonly known: readonly KnownFinding[];
  /** Whether what is known under an id and was not found may be called gone: other implementations may have it. */
  readonly mayBeGone: (id: string) => boolean;
  /** Sentences for the report. */
  readonly notes: readonly string[];
  /** Check ids to run, or null for all. */
  readonly checks: readonly string[] | null;
  readonly skipChecks: readonly string[];
  readonly join: string | null;
  readonly timeLimitMs: number;
  readonly bail: boolean;
  /** Every history of up to so many batches; 0 for none; null for the default of the kind of implementation. */
  readonly scope: number | null;
  /** Random histories; 0 for none. */
  readonly histories: number;
  readonly seed: number;
  readonly maxFailures: number;
  /** Also sends what the contract excludes. */
  readonly illegal: boolean;
  readonly version: string;
  readonly command: string;
  /** The command that shows a finding again. */
  readonly replay: (feedId: string, findingId: string) => string;
  readonly root: string;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
}

/** A run of nothing that keeps nothing: whoever runs a part only says which. */
export const BARE_RUN = {
  cases: [],
  projectCases: [],
  feed: null,
  stored: [],
  origin: null,
  known: [],
  mayBeGone: () => false,
  notes: [],
  checks: null,
  skipChecks: [],
  join: null,
  bail: false,
  scope: 0,
  histories: 0,
  seed: 1,
  maxFailures: 5,
  illegal: false,
  version: '',
  command: '',
  replay: () => '',
  onEvent: () => undefined,
} satisfies Partial<RunOptions>;
