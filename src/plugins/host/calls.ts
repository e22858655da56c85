import { totalmem } from 'node:os';
import type { Column } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import type { FailureKind, Interruptible, Outcome, SetClock } from '../implementation.ts';
import type { SparkOptions } from '../spark.ts';
import type { EngineChoice } from '../sql/engine-name.ts';
import type { TableName } from '../sql/names.ts';

/**
 * What the harness asks of a host, and the messages it asks with. Everything here crosses a process border as a
 * structured clone; Arrow tables cross as the bytes of an IPC stream.
 */
export interface Request {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: { readonly kind: FailureKind; readonly message: string } };

/** Something that answers calls and may end: a process, or in tests an object. */
export interface Host<C extends Calls> {
  readonly alive: boolean;
  call<K extends keyof C & string>(
    name: K,
    argument: Parameters<C[K]>[0],
    context: CallContext,
  ): Promise<Awaited<ReturnType<C[K]>>>;
  /** What the user's code wrote: the end of its error stream, then of what it printed. */
  output(): string;
  close(): void;
}

/** Where a call is and how long it may take; `doing` completes "did not finish …" (`apply of batch 3`). */
export interface CallContext {
  readonly doing: string;
  readonly limitMs: number;
  /** Calls of one lane take turns; those of different lanes run at once. */
  readonly lane?: number;
}

/** What a host can be asked for, by name: one argument, one answer. Failures are thrown `ImplementationFailure`s. */
// biome-ignore lint/suspicious/noExplicitAny: each host names its own argument and answer types.
export type Calls = Record<string, (argument: any) => Promise<any>>;

export interface SessionSetup {
  readonly session: number;
  readonly contract: Contract;
  readonly batchColumns: readonly Column[];
  readonly dimension: Uint8Array | null;
  readonly clock: SetClock | null;
  readonly feedId: string;
}

export interface SessionBatch {
  readonly session: number;
  readonly index: number;
  readonly asOf: bigint;
  readonly rows: Uint8Array;
}

/** The calls that every kind of host answers once an implementation is open. */
export type SessionCalls = {
  start(setup: SessionSetup): Promise<void>;
  apply(batch: SessionBatch): Promise<Outcome>;
  read(which: { readonly session: number }): Promise<Uint8Array>;
  /** See `Session.interrupt`. A host whose sessions have no such point answers with none. */
  interrupt(batch: SessionBatch & { readonly point: number }): Promise<Interruptible>;
  close(which: { readonly session: number }): Promise<void>;
};

export type FunctionCalls = SessionCalls & {
  /** Loads the module; `contract` is what it exports under that name. */
  open(module: {
    readonly path: string;
  }): Promise<{ readonly contract: unknown; readonly anyColumns: boolean }>;
};

export type SqlCalls = SessionCalls & {
  /** Opens the engine and parses the script; `clockRefusal` says why the clock that it reads cannot be set. */
  open(script: ScriptSource): Promise<{ readonly clockRefusal: string | null }>;
};

/** A script as its host runs it: the sections stand at their lines in the file, the rest is blank lines. */
export interface ScriptSource {
  readonly path: string;
  readonly setup: string;
  readonly load: string;
  readonly batchTable: TableName;
  readonly dimensionTable: TableName;
  /** Of a dimension of type 4. */
  readonly historyTable: TableName;
  readonly sandbox: boolean;
  readonly engine: EngineSource;
}

/** An engine, and on a server what the names of our databases begin with. */
export interface EngineSource extends EngineChoice {
  readonly prefix: string;
  /** Where Spark runs, if it is Spark. */
  readonly spark?: SparkOptions;
}

/**
 * The most memory that a host may hold, in bytes: half of what there is, at most 4 GiB (a DuckDB in it has a limit of its own, below
 * that), or what SCD2CHECK_MEMORY_GIB says. Loads of a test are small; what takes more is a runaway, and must not take the machine along.
 */
export function memoryLimit(): number {
  const chosen = Number(process.env['SCD2CHECK_MEMORY_GIB']);
  if (chosen > 0) return chosen * 2 ** 30;
  const constrained = process.constrainedMemory() ?? 0;
  const all = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.min(4 * 2 ** 30, all / 2);
}

/** The largest message either side accepts: a result of a gigabyte is a runaway, not a dimension. */
export const MAX_MESSAGE_BYTES = 1 << 30;
