import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from 'apache-arrow';
import { dimensionColumns } from '../../contract/columns.ts';
import type { Batch, CallLimits, Interruptible, Outcome, Session, Setup } from '../implementation.ts';
import { AnswerReader } from './answer-rows.ts';
import type { Answer, ProtocolClient } from './protocol-client.ts';
import { quoteJson } from './quote.ts';
import { batchToWire, rowsToWire, setupToWire } from './wire.ts';

/** Where sessions get their programs from. */
export interface Programs {
  /** Gets the client back when the session closes, for the next one. */
  release(client: ProtocolClient): void;
  /** Another one, in the place of one that was killed. */
  replace(killed: ProtocolClient): Promise<ProtocolClient>;
}

/** One session over a program that speaks line protocol 1. A program has one session at a time; `start` empties it. */
export async function startProtocolSession(
  client: ProtocolClient,
  setup: Setup,
  limits: CallLimits,
  programs: Programs,
): Promise<Session> {
  await startOn(client, setup, limits, {});
  return new ProtocolSession(client, setup, limits, programs);
}

async function startOn(
  client: ProtocolClient,
  setup: Setup,
  limits: CallLimits,
  more: { readonly resume?: true },
): Promise<void> {
  const dimension =
    setup.dimension === null
      ? {}
      : { dimension: rowsToWire(setup.dimension, dimensionColumns(setup.contract)) };
  const { grain } = setup.contract;
  const fields = { caseId: setup.feedId, grain, ...setupToWire(setup), ...dimension, ...more };
  const answer = await client.request('start', fields, limits.startMs);
  if (answer['ok'] !== true) {
    const why =
      typeof answer['reason'] === 'string' ? `: ${answer['reason']}` : ` (it answered ${quoteJson(answer)})`;
    await client.refuse(
      'start',
      `${client.subject} did not start a session${why}. \`start\` asks for an empty dimension, or the one that it carries, and is answered \`{"id": "…", "ok": true}\`.`,
    );
  }
}

/** Times at which a load is killed, as parts of the time that the last one took. */
const KILLED_AT = [0.1, 0.3, 0.5, 0.7, 0.9];

class ProtocolSession implements Session {
  readonly #setup: Setup;
  readonly #limits: CallLimits;
  readonly #programs: Programs;
  #client: ProtocolClient;
  #applyMs = 10;
  /** The rows that the last `apply` brought along, which saves a `read`. */
  #rows: readonly unknown[] | null = null;
  readonly #reader: AnswerReader;
  #closed = false;

  constructor(client: ProtocolClient, setup: Setup, limits: CallLimits, programs: Programs) {
    this.#client = client;
    this.#setup = setup;
    this.#limits = limits;
    this.#programs = programs;
    this.#reader = new AnswerReader(setup.contract);
  }

  async apply(batch: Batch): Promise<Outcome> {
    this.#rows = null;
    const message = { batch: batchToWire(batch, this.#setup) };
    const started = performance.now();
    const answer = await this.#client.request('apply', message, this.#limits.callMs);
    this.#applyMs = performance.now() - started;
    const outcome = outcomeOf(answer);
    if (outcome === null) {
      return this.#client.refuse(
        'protocol',
        `${this.#client.subject} answered \`apply\` with ${'status' in answer ? `the status ${quoteJson(answer['status'])}` : `no status: ${quoteJson(answer)}`}. It is \`"applied"\`, \`"rejected"\` (refused, nothing changed) or \`"errored"\`; without it nobody knows whether the batch counts.`,
      );
    }
    if ('rows' in answer && answer['rows'] !== null) this.#rows = await this.#rowsOf(answer, 'apply');
    return outcome;
  }

  async read(): Promise<Table> {
    const rows =
      this.#rows ?? (await this.#rowsOf(await this.#client.request('read', {}, this.#limits.callMs), 'read'));
    return this.#reader.table(rows, `${this.#client.subject}, read`, this.#client.stderr);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#client.usable) this.#programs.release(this.#client);
    else await this.#client.kill();
  }

  /** Kills the program in the middle of `apply`, and has another one go on. */
  async interrupt(batch: Batch, point: number): Promise<Interruptible> {
    const part = KILLED_AT[point - 1];
    if (part === undefined) return { points: KILLED_AT.length };
    this.#rows = null;
    const killed = this.#client;
    const message = { batch: batchToWire(batch, this.#setup) };
    const applied = killed.request('apply', message, this.#limits.callMs).catch(() => undefined);
    await Promise.race([applied, sleep(this.#applyMs * part)]);
    await killed.kill();
    await applied;
    this.#client = await this.#programs.replace(killed);
    await startOn(this.#client, { ...this.#setup, dimension: null }, this.#limits, { resume: true });
    return { points: KILLED_AT.length };
  }

  async #rowsOf(answer: Answer, op: string): Promise<readonly unknown[]> {
    const { rows, reason } = answer;
    if (Array.isArray(rows)) return rows;
    const story =
      typeof reason === 'string'
        ? `${this.#client.subject} could not answer \`${op}\`: ${reason}.`
        : `${this.#client.subject} answered \`${op}\` with ${'rows' in answer ? `rows that are ${quoteJson(rows)}` : `no rows: ${quoteJson(answer)}`}.`;
    return this.#client.refuse(
      'protocol',
      `${story} \`rows\` holds every row of the dimension, as an array of objects; an empty dimension is \`[]\`.`,
    );
  }
}

function outcomeOf({ status, reason }: Answer): Outcome | null {
  const why = typeof reason === 'string' && reason !== '' ? reason : 'it gave no reason';
  if (status === 'applied') return { status };
  if (status === 'rejected' || status === 'errored') return { status, reason: why };
  return null;
}
