import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { type FailureKind, ImplementationFailure } from '../implementation.ts';
import type { Isolation } from '../isolation/isolation.ts';
import {
  type CallContext,
  type Calls,
  type Host,
  MAX_MESSAGE_BYTES,
  memoryLimit,
  type Reply,
} from './calls.ts';
import { encodeFrame, FrameReader, SECRET_BYTES } from './frame.ts';
import { type HostKind, killGroup, spawnHost } from './spawn.ts';
import { Tail } from './tail.ts';

const TAIL_BYTES = 64 * 1024;
/** How long output of a process that has ended may still arrive: something it started may hold the pipes open. */
const DRAIN_MS = 500;

interface Pending {
  readonly id: number;
  readonly doing: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * One child process that runs code of others. Whatever that code does (never returns, ends the process, prints
 * without end, fills the memory), here it is an `ImplementationFailure`, and the process and all that it started
 * are killed together: it leads a process group of its own.
 *
 * A host never comes back: once it has ended, every call fails with the reason. Whoever wants to go on starts another.
 */
export class HostProcess<C extends Calls> implements Host<C> {
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #socket: Socket;
  readonly #secret = randomBytes(SECRET_BYTES);
  readonly #stdout = new Tail(TAIL_BYTES);
  readonly #stderr = new Tail(TAIL_BYTES);
  readonly #pending = new Map<number, Pending>();
  readonly #turns = new Map<number, Promise<unknown>>();
  #lastId = 0;
  /** Why it has ended, or is being ended. */
  #death: { readonly kind: FailureKind; readonly message: string } | null = null;

  /** `name` is what messages call the user's code: its file. */
  constructor(kind: HostKind, name: string, isolation: Isolation | null = null) {
    this.#name = name;
    this.#child = spawnHost(kind, isolation);
    this.#socket = this.#child.stdio[3] as Socket;
    this.#listen();
    this.#socket.write(this.#secret);
  }

  get alive(): boolean {
    return this.#death === null;
  }

  output(): string {
    const printed = this.#stdout.text();
    const errors = this.#stderr.text();
    if (printed === '') return errors;
    return `${errors}${errors === '' || errors.endsWith('\n') ? '' : '\n'}[printed]\n${printed}`;
  }

  /** Calls of a lane take turns; the time limit runs from a call's own turn. */
  call<K extends keyof C & string>(
    name: K,
    argument: Parameters<C[K]>[0],
    context: CallContext,
  ): Promise<Awaited<ReturnType<C[K]>>> {
    const lane = context.lane ?? 0;
    const turn = (this.#turns.get(lane) ?? Promise.resolve()).then(() =>
      this.#callNow(name, argument, context),
    );
    const done = turn
      .catch(() => {})
      .then(() => {
        if (this.#turns.get(lane) === done) this.#turns.delete(lane);
      });
    this.#turns.set(lane, done);
    return turn as Promise<Awaited<ReturnType<C[K]>>>;
  }

  /** Ends the process and all that it started. */
  close(): void {
    this.#end('crash', `${this.#name} was closed.`);
  }

  async #callNow(name: string, argument: unknown, context: CallContext): Promise<unknown> {
    if (this.#death !== null) throw this.#failure(this.#death.kind, this.#death.message);
    const id = ++this.#lastId;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(id, { id, doing: context.doing, resolve, reject });
        timer = setTimeout(() => this.#end('timeout', this.#timeoutMessage(context)), context.limitMs);
        for (const part of encodeFrame(this.#secret, { id, name, argument })) this.#socket.write(part);
      });
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  #listen(): void {
    const reader = new FrameReader(this.#secret, MAX_MESSAGE_BYTES);
    this.#socket.on('data', (chunk: Buffer) => {
      if (this.#death !== null) return;
      try {
        for (const message of reader.push(chunk)) this.#receive(message as Reply);
      } catch (error) {
        this.#end('protocol', this.#rubbishMessage(error as Error));
      }
    });
    // Errors of the socket are the other side's end, which `exit` reports with more to say.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () =>
      setTimeout(() => this.#end('protocol', this.#deafMessage()), DRAIN_MS).unref(),
    );
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#stdout.push(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    this.#child.on('error', (error) =>
      this.#end('start', `The process for ${this.#name} did not start: ${error.message}`),
    );
    this.#child.on('exit', (code, signal) => {
      killGroup(this.#child.pid);
      // A reply may still be on its way, and so may the last words; `close` comes after both.
      const ended = () => this.#end('crash', this.#crashMessage(code, signal));
      this.#child.once('close', ended);
      setTimeout(ended, DRAIN_MS).unref();
    });
  }

  #receive(reply: Reply): void {
    const pending = this.#pending.get(reply?.id);
    if (pending === undefined) return;
    if ('failure' in reply) pending.reject(this.#failure(reply.failure.kind, reply.failure.message));
    else pending.resolve(reply.value);
  }

  #end(kind: FailureKind, message: string): void {
    if (this.#death !== null) return;
    this.#death = { kind, message };
    killGroup(this.#child.pid);
    this.#socket.destroy();
    for (const pending of this.#pending.values()) pending.reject(this.#failure(kind, message));
  }

  #failure(kind: FailureKind, message: string): ImplementationFailure {
    return new ImplementationFailure(kind, message, this.output());
  }

  #timeoutMessage({ doing, limitMs }: CallContext): string {
    return (
      `${this.#name} did not finish ${doing} within ${seconds(limitMs)}, so its process was stopped. ` +
      'Look for a loop or a wait that never ends; if it is only slow, allow more with --timeout.'
    );
  }

  #crashMessage(code: number | null, signal: NodeJS.Signals | null): string {
    const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    const [pending] = this.#pending.values();
    const when = pending === undefined ? 'between two calls' : `in the middle of ${pending.doing}`;
    return `The process of ${this.#name} ${how} ${when}, so there is no dimension to judge. ${why(code, signal)}`;
  }

  #rubbishMessage(error: Error): string {
    return (
      `${this.#name} wrote to file descriptor 3 (${error.message}), which belongs to scd2check, ` +
      'so nothing it answers can be trusted. Write to other files, or to stdout or stderr.'
    );
  }

  #deafMessage(): string {
    return `${this.#name} closed file descriptor 3, which belongs to scd2check, so it can no longer be asked anything.`;
  }
}

function why(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === 0)
    return 'Something in it ends the process (process.exit, perhaps): an implementation must return instead.';
  if (signal === 'SIGKILL')
    return `That happens where it takes too much memory (it may hold ${(memoryLimit() / 2 ** 30).toFixed(1)} GiB): look for something that grows without end, or allow more with SCD2CHECK_MEMORY_GIB.`;
  return 'Its last words, if it had any, are in its error output.';
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
