import type { Program } from '../command/program.ts';
import { type Bubblewrap, bubblewrapped } from './bubblewrap.ts';
import { grouped } from './grouped.ts';

/**
 * How code of strangers is run: what it may see, write, take and reach. Everything that a submission starts goes through `confine`, the host of
 * a script or module as well as a program, so that there is one place where it is decided.
 *
 * The strong form is bubblewrap's (`bubblewrap.ts`). Where it is not to be had, the weak form (`grouped.ts`) still empties the environment,
 * works on a copy and bounds what can be bounded; `protections` says which of the two holds what, for the report.
 */
export interface Isolation {
  /** Path of a file of the submission, as the confined process sees it. @param outside its path in the copy that was made for it */
  inside(outside: string): string;
  /** The same program, so started that it is confined. */
  confine(program: Program): Program;
  readonly protections: readonly Protection[];
}

/** One thing that submissions are kept from. */
export interface Protection {
  readonly id: ProtectionId;
  /** Whether it holds on this machine. */
  readonly holds: boolean;
  /** How, or why not. */
  readonly words: string;
}

export type ProtectionId =
  | 'process'
  | 'environment'
  | 'files'
  | 'harness'
  | 'user'
  | 'network'
  | 'processes'
  | 'memory'
  | 'disk'
  | 'ending';

/** The most that a submission may take, over all its processes. */
export interface IsolationLimits {
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly processes: number;
  /** What it may write: its working folder, and as much again in /tmp. */
  readonly diskBytes: number;
}

export const DEFAULT_ISOLATION_LIMITS: IsolationLimits = {
  memoryBytes: 2 ** 30,
  processes: 128,
  diskBytes: 64 * 2 ** 20,
};

export interface IsolationOptions {
  /** The copy of the submission, a folder of its own; null where its processes need no file of it (a SQL script's text is sent). */
  readonly copy: string | null;
  /** Files and folders beyond the usual that it may read: the interpreter that it runs in, data of the exercise. */
  readonly readable: readonly string[];
  /** Names of environment variables beyond the usual. */
  readonly environment: readonly string[];
  readonly limits: IsolationLimits;
}

/** @param bubblewrap as `findBubblewrap` found it; null for the weak form */
export function openIsolation(bubblewrap: Bubblewrap | null, options: IsolationOptions): Isolation {
  return bubblewrap === null ? grouped(options) : bubblewrapped(bubblewrap, options);
}
