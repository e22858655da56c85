import type { Cell, Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Feed, FeedBatch } from '../feed/feed.ts';
import { foldState } from '../oracle/typescript/index.ts';

/** More are not tried: a feed of so many choices is no small counterexample. */
const MOST = 256;

/**
 * Under `batchStates: one` the oracle leaves a key alone of which a batch brings several states, since any of them may win. Whether an
 * implementation took one of them, and the same one ever after, is seen by trying: each feed that is left when a batch keeps one state of each key.
 *
 * @returns null where there are more than can be tried
 */
export function oneOfEach(contract: Contract, { id, batches }: Feed): readonly Feed[] | null {
  let feeds: FeedBatch[][] = [[]];
  for (const batch of batches) {
    const ways = waysToKeepOne(contract, batch.rows);
    if (ways === null || feeds.length * ways.length > MOST) return null;
    feeds = feeds.flatMap((before) => ways.map((rows) => [...before, { ...batch, rows }]));
  }
  return feeds.map((kept) => ({ id, batches: kept }));
}

function waysToKeepOne(
  { columns, keyCompare }: Contract,
  rows: readonly Row[],
): readonly (readonly Row[])[] | null {
  const { key, changedAt } = columns;
  const keyOf = (row: Row) =>
    foldState(
      key.map(({ name }): Cell => row[name] ?? null),
      key,
      keyCompare,
    );
  // What is said of one instant is one state, or for `duplicates` to settle.
  const instantOf = (row: Row) => String(changedAt === null ? '' : (row[changedAt.name] ?? null));
  const states = new Map<string, Set<string>>();
  for (const row of rows) states.set(keyOf(row), (states.get(keyOf(row)) ?? new Set()).add(instantOf(row)));
  let ways: ReadonlyMap<string, string>[] = [new Map()];
  for (const [of, instants] of states) {
    if (ways.length * instants.size > MOST) return null;
    ways = ways.flatMap((chosen) => [...instants].map((instant) => new Map([...chosen, [of, instant]])));
  }
  return ways.map((chosen) => rows.filter((row) => chosen.get(keyOf(row)) === instantOf(row)));
}
