import type { Table } from 'apache-arrow';
import type { Trace, TraceStep } from '../checks/judge.ts';
import { batchColumns, type Column } from '../contract/columns.ts';
import { type Contract, grainMicros } from '../contract/contract.ts';
import { truncateInstant } from '../contract/instant.ts';
import { tableFromRows } from '../duckdb/rows.ts';
import type { Feed, FeedBatch } from '../feed/feed.ts';
import {
  type Batch,
  type Implementation,
  ImplementationFailure,
  type Outcome,
  type Session,
} from '../plugins/implementation.ts';
import { busyTime } from './busy.ts';

import { timed, waitForNext } from './wall-clock.ts';

/** The implementation gave no usable answer to a feed, twice alike. */
export interface FeedFailure {
  readonly feed: Feed;
  /** The batch that it failed at, from 0; −1 before the first. */
  readonly batch: number;
  readonly failure: ImplementationFailure;
}

/** Called with each batch before it is applied. */
export type BeforeBatch = (session: Session, batch: Batch) => Promise<void>;

export type FeedRun = { readonly trace: Trace } | { readonly failed: FeedFailure };

/**
 * Sends one feed to a fresh session and reads the dimension after each batch.
 *
 * A call that crashes or runs out of time is never sent again: the whole session is repeated once, from its start. If that fails alike,
 * the feed has failed. A batch that raised an error ends the feed where the contract has no `reject`: what comes after it could be
 * judged under no contract.
 */
export async function runFeed(
  implementation: Implementation,
  contract: Contract,
  feed: Feed,
  before: BeforeBatch | null = null,
): Promise<FeedRun> {
  const first = await runOnce(implementation, contract, feed, before);
  if ('trace' in first) return first;
  return runOnce(implementation, contract, feed, before);
}

/** One session from its start, without a second try. */
export async function runOnce(
  implementation: Implementation,
  contract: Contract,
  feed: Feed,
  before: BeforeBatch | null,
): Promise<FeedRun> {
  const columns = batchColumns(contract.columns, contract.firstStart);
  const steps: TraceStep[] = [];
  let session: Session | null = null;
  try {
    session = await implementation.start({
      contract,
      batchColumns: columns,
      dimension: null,
      feedId: feed.id,
    });
    for (const [index, delivered] of feed.batches.entries()) {
      const batch = toBatch(contract, columns, delivered, index);
      await before?.(session, batch);
      if (session.window === undefined) await waitForNext(contract, steps.at(-1)?.window ?? null);
      const step = await busyTime(implementation).during(() => takeStep(session!, batch));
      steps.push(step);
      if (step.outcome.status === 'errored' && !mayReject(contract)) break;
    }
    return { trace: { feed, steps } };
  } catch (error) {
    if (!(error instanceof ImplementationFailure)) throw error;
    return { failed: { feed, batch: session === null ? -1 : steps.length, failure: error } };
  } finally {
    await session?.close().catch(() => undefined);
  }
}

function toBatch(contract: Contract, columns: readonly Column[], batch: FeedBatch, index: number): Batch {
  const asOf = truncateInstant(batch.asOf, grainMicros(contract.grain));
  return { index, asOf, rows: batchTable(columns, batch) };
}

async function takeStep(session: Session, batch: Batch): Promise<TraceStep> {
  const { value: outcome, window } = await timed<Outcome>(() => session.apply(batch));
  const dimension = await session.read();
  return { outcome, dimension, window: session.window?.(batch) ?? window };
}

/** A batch in Arrow, its columns in the order in which this batch delivers them. */
export function batchTable(columns: readonly Column[], batch: FeedBatch): Table {
  const order = batch.columns;
  const ordered =
    order === undefined ? columns : [...columns].sort((a, b) => place(order, a.name) - place(order, b.name));
  return tableFromRows(ordered, batch.rows);
}

function place(order: readonly string[], name: string): number {
  const index = order.indexOf(name);
  return index < 0 ? order.length : index;
}

/** Whether an error may be a refusal that the contract asks for. */
export function mayReject({ late, sameInstant, duplicates, nullKey, emptySnapshot }: Contract): boolean {
  return [late, sameInstant, duplicates, nullKey, emptySnapshot].includes('reject');
}
