import type { Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Feed } from '../feed/feed.ts';
import { ballastKeys } from '../feed/keys.ts';
import { foldState } from '../oracle/typescript/index.ts';

/** A key as the contract compares it. */
export function keyOf(row: Row, { columns, keyCompare }: Contract): string {
  return foldState(
    columns.key.map(({ name }) => row[name] ?? null),
    columns.key,
    keyCompare,
  );
}

/** The keys of a feed, each once, in the order in which they are first named. */
export function keysOf(feed: Feed, contract: Contract): readonly string[] {
  return [...new Set(feed.batches.flatMap(({ rows }) => rows.map((row) => keyOf(row, contract))))];
}

/**
 * The feed with the rows of some keys only, and of the ballast, so that the absence of the one key under test does not become an empty
 * snapshot. Where the contract has empty snapshots close all, they mean nothing else, and the ballast goes too.
 */
export function project(feed: Feed, contract: Contract, keys: ReadonlySet<string>): Feed {
  const ballast = ballastOf(contract);
  const kept =
    contract.feed === 'snapshot' && contract.emptySnapshot === 'close-all'
      ? keys
      : new Set([...keys, ...ballast]);
  const batches = feed.batches.map((batch) => ({
    ...batch,
    rows: batch.rows.filter((row) => kept.has(keyOf(row, contract))),
  }));
  return { id: feed.id, batches };
}

/** The keys that every snapshot of a packed feed has. They are never part of a counterexample. */
export function ballastOf(contract: Contract): ReadonlySet<string> {
  return new Set(
    ballastKeys(contract).flatMap(({ spellings }) => spellings.map((row) => keyOf(row, contract))),
  );
}
