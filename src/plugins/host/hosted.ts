import { type Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import type { Contract } from '../../contract/contract.ts';
import {
  type Batch,
  type CallLimits,
  ImplementationFailure,
  type ImplementationKind,
  type Interruptible,
  type Outcome,
  type Session,
  type SetClock,
  type Setup,
} from '../implementation.ts';
import type { Declared, OpenedImplementation } from '../opened.ts';
import { clockOf } from '../set-clock.ts';
import type { Host, SessionBatch, SessionCalls } from './calls.ts';

export interface HostedOptions {
  readonly name: string;
  readonly kind: ImplementationKind;
  readonly anyColumns: boolean;
  readonly interruptible: boolean;
  readonly beginsFromTable?: boolean;
  /** Sessions that the host runs at once. */
  readonly concurrency: number;
  readonly declared: readonly Declared[];
  readonly refusesClock: (clock: SetClock, contract: Contract) => string | null;
  readonly limits: CallLimits;
  /** A host in which the implementation is open. */
  readonly host: Host<SessionCalls>;
  /** Another one, after that has ended. */
  readonly reopen: () => Promise<Host<SessionCalls>>;
  /** Waited for after the last host has ended. */
  readonly afterClose?: () => Promise<void>;
}

/** An implementation that lives in a host process, many sessions in one; after a crash or timeout, in a fresh one. */
export class HostedImplementation implements OpenedImplementation {
  readonly name: string;
  readonly kind: ImplementationKind;
  readonly anyColumns: boolean;
  readonly interruptible: boolean;
  readonly beginsFromTable: boolean;
  readonly concurrency: number;
  readonly declared: readonly Declared[];
  readonly #options: HostedOptions;
  #host: Host<SessionCalls>;
  #reopening: Promise<void> | null = null;
  #sessions = 0;
  #closed = false;

  constructor(options: HostedOptions) {
    this.name = options.name;
    this.kind = options.kind;
    this.anyColumns = options.anyColumns;
    this.interruptible = options.interruptible;
    this.beginsFromTable = options.beginsFromTable ?? false;
    this.concurrency = options.concurrency;
    this.declared = options.declared;
    this.#options = options;
    this.#host = options.host;
  }

  refusesClock(clock: SetClock, contract: Contract): string | null {
    return this.#options.refusesClock(clock, contract);
  }

  async start(setup: Setup): Promise<Session> {
    const host = await this.#livingHost();
    const session = ++this.#sessions;
    const { contract, batchColumns, feedId } = setup;
    const dimension = setup.dimension === null ? null : tableToIPC(setup.dimension, 'stream');
    const request = { session, contract, batchColumns, dimension, clock: clockOf(setup), feedId };
    const lane = this.concurrency > 1 ? session : 0;
    await host.call('start', request, { doing: 'start', limitMs: this.#options.limits.startMs, lane });
    return new HostedSession(host, session, lane, this.#options.limits.callMs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#host.close();
    await this.#reopening?.catch(() => {});
    this.#host.close();
    await this.#options.afterClose?.();
  }

  async #livingHost(): Promise<Host<SessionCalls>> {
    if (!this.#host.alive && !this.#closed) {
      this.#reopening ??= this.#reopen().finally(() => {
        this.#reopening = null;
      });
      await this.#reopening;
    }
    if (this.#closed)
      throw new ImplementationFailure('start', `${this.name} was closed and cannot start again.`);
    return this.#host;
  }

  async #reopen(): Promise<void> {
    this.#host = await this.#options.reopen();
  }
}

class HostedSession implements Session {
  readonly #host: Host<SessionCalls>;
  readonly #session: number;
  readonly #lane: number;
  readonly #limitMs: number;
  #lastBatch = -1;

  constructor(host: Host<SessionCalls>, session: number, lane: number, limitMs: number) {
    this.#host = host;
    this.#session = session;
    this.#lane = lane;
    this.#limitMs = limitMs;
  }

  apply(batch: Batch): Promise<Outcome> {
    this.#lastBatch = batch.index;
    const doing = `apply of batch ${batch.index + 1}`;
    return this.#host.call('apply', this.#request(batch), {
      doing,
      limitMs: this.#limitMs,
      lane: this.#lane,
    });
  }

  interrupt(batch: Batch, point: number): Promise<Interruptible> {
    const doing = `the first part of batch ${batch.index + 1}`;
    const request = { ...this.#request(batch), point };
    return this.#host.call('interrupt', request, { doing, limitMs: this.#limitMs, lane: this.#lane });
  }

  async read(): Promise<Table> {
    const doing = this.#lastBatch < 0 ? 'the first read' : `the read after batch ${this.#lastBatch + 1}`;
    const bytes = await this.#host.call(
      'read',
      { session: this.#session },
      { doing, limitMs: this.#limitMs, lane: this.#lane },
    );
    try {
      return tableFromIPC(bytes);
    } catch (error) {
      const message = `What ${doing} returned is not an Arrow table: ${(error as Error).message}`;
      throw new ImplementationFailure('output', message, this.#host.output());
    }
  }

  #request({ index, asOf, rows }: Batch): SessionBatch {
    return { session: this.#session, index, asOf, rows: tableToIPC(rows, 'stream') };
  }

  async close(): Promise<void> {
    if (!this.#host.alive) return;
    await this.#host
      .call('close', { session: this.#session }, { doing: 'close', limitMs: this.#limitMs, lane: this.#lane })
      .catch(() => {});
  }
}
