import type { Table } from 'apache-arrow';
import type { Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';

/**
 * The one small interface between the harness and whatever it tests. Everything that knows about processes,
 * protocols or engines is behind it; nothing behind it knows an expected row.
 */
export interface Implementation {
  /** What reports call it. */
  readonly name: string;
  readonly kind: ImplementationKind;
  /** True where it takes any key and attribute columns that `Setup.contract` names, and not only its own. */
  readonly anyColumns: boolean;
  /** Sessions that may run at once without getting in each other's way; one where it is left out. */
  readonly concurrency?: number;
  /** True where its sessions can be interrupted in the middle of a load and go on. */
  readonly interruptible?: boolean;
  /** True where its whole state is its table, so that a session may begin with the rows that another has left (`Setup.dimension`). */
  readonly beginsFromTable?: boolean;
  /** Why the clock that it reads cannot show what a session would ask of it; null where it can. Left out: nobody can set it. */
  refusesClock?(clock: SetClock, contract: Contract): string | null;
  /** A fresh, empty dimension, or the one in `setup.dimension`. */
  start(setup: Setup): Promise<Session>;
  /** Ends every process and file that the implementation holds. Safe to call twice. */
  close(): Promise<void>;
}

export type ImplementationKind = 'function' | 'sql' | 'command' | 'python' | 'dbt';

export interface Setup {
  readonly contract: Contract;
  /** The columns that every batch has, in order. */
  readonly batchColumns: readonly Column[];
  /** Rows that the dimension holds before the first batch, or null. */
  readonly dimension: Table | null;
  /** What the clock shows that the implementation reads; null for the machine's own. Left out: what the contract says. */
  readonly clock?: SetClock | null;
  /** Name of the feed, for implementations that log it. It says nothing about the expected answer. */
  readonly feedId: string;
}

/** What an implementation's own clock shows, where the harness sets it. */
export interface SetClock {
  /** The instant of each batch while it is loaded; or this one in every load, in microseconds since the epoch. */
  readonly shows: 'batch' | bigint;
  /** Whether it goes on by a grain from one reading to the next, as far as the clock that it stands for would go on there. */
  readonly ticks: boolean;
}

/** One load, as an implementation receives it. */
export interface Batch {
  /** Position in the feed, from 0. */
  readonly index: number;
  /** Microseconds since the epoch, UTC, cut to the contract's grain. */
  readonly asOf: bigint;
  readonly rows: Table;
}

export type Outcome =
  | { readonly status: 'applied' }
  /** The implementation refused the batch and says that it changed nothing. */
  | { readonly status: 'rejected'; readonly reason: string }
  /** It raised an error. Whether that is allowed is for the contract to say, not for the plug-in. */
  | { readonly status: 'errored'; readonly reason: string };

export interface Session {
  apply(batch: Batch): Promise<Outcome>;
  /** Every row of the dimension, with whatever columns and types the implementation has. */
  read(): Promise<Table>;
  /**
   * Begins to load a batch and breaks off at a point, counted from 1, as if the machine had gone down there: what is open is rolled back,
   * and the session goes on in a new connection or process. Where there is no such point nothing happens. For `interruptible` ones.
   */
  interrupt?(batch: Batch, point: number): Promise<Interruptible>;
  /** Where the clock ticks: the times that it may show in a load, in the place of those that were measured. */
  window?(batch: Batch): { readonly from: bigint; readonly to: bigint };
  close(): Promise<void>;
}

/** Where a load can be broken off. */
export interface Interruptible {
  /** How many points there are; none where a load is one step that is done as a whole or not at all. */
  readonly points: number;
}

/** Why an implementation could not be judged: not a wrong answer, but no usable one. `usage`: what it needs is not there, or was named wrong. */
export type FailureKind = 'timeout' | 'crash' | 'protocol' | 'output' | 'unreadable' | 'start' | 'usage';

/**
 * Thrown by sessions where the implementation gave no usable answer: it ran out of time, ended, or spoke
 * rubbish. The message says what happened, why it matters and what to do, for the implementation's author.
 */
export class ImplementationFailure extends Error {
  override readonly name = 'ImplementationFailure';
  readonly kind: FailureKind;
  /** The end of what the implementation wrote to its error stream, at most 64 KiB. */
  readonly stderr: string;

  constructor(kind: FailureKind, message: string, stderr = '') {
    super(message);
    this.kind = kind;
    this.stderr = stderr;
  }
}

/** Time allowed for each call, in milliseconds. */
export interface CallLimits {
  /** `hello` and `start`: interpreters and engines come up here. */
  readonly startMs: number;
  /** `apply` and `read`. */
  readonly callMs: number;
}

export const DEFAULT_LIMITS: CallLimits = { startMs: 30_000, callMs: 10_000 };
