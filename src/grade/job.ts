import type { Declared } from '../contract/declared.ts';
import type { Bubblewrap } from '../plugins/isolation/bubblewrap.ts';
import type { IsolationLimits } from '../plugins/isolation/isolation.ts';
import type { Report } from '../runner/report.ts';
import type { Work } from './rubric.ts';

/** All that a worker needs to know of one submission, as plain data: it crosses a process border. */
export interface Job {
  /** What messages call it. */
  readonly name: string;
  readonly file: string;
  /** The folder of its copy. */
  readonly copy: string;
  readonly layers: readonly (readonly Declared[])[];
  readonly work: Work;
  readonly engine: string;
  readonly timeoutMs: number;
  readonly timeLimitMs: number;
  readonly isolation: {
    readonly bubblewrap: Bubblewrap | null;
    readonly limits: IsolationLimits;
    readonly readable: readonly string[];
    readonly environment: readonly string[];
  };
  /** The interpreter of Python submissions, by its path; null where the PATH is asked. */
  readonly python: string | null;
  /** The project's folder, for its own cases. */
  readonly root: string;
  /** An empty folder for what a run writes. */
  readonly traces: string;
}

export type JobResult =
  | {
      readonly outcome: 'judged';
      readonly report: Report;
      /** Sentences for the teacher. */
      readonly notes: readonly string[];
    }
  | {
      readonly outcome: 'not-gradable';
      /** Of failures of the implementation, or `fault` where it was ours. */
      readonly kind: string;
      /** For its author. */
      readonly reason: string;
      readonly stderr: string;
    };
