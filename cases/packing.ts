/**
 * Cases that share a schedule, in one feed under keys of their own: histories of different keys do not touch each other, so a dozen
 * cases take the calls of one. What concerns a batch as a whole (an empty one, an order of columns, a refusal) goes alone, and so do the seven
 * boundary cases, with their exact inputs. Where a pack fails, its cases are run again one by one, so that a finding shows the case as it is.
 */
import type { Cell, Column, Row } from '../src/contract/columns.ts';
import type { Contract } from '../src/contract/contract.ts';
import type { Feed, FeedBatch } from '../src/feed/feed.ts';
import { standIn } from './cells.ts';
import { BOUNDARY_IDS } from './index.ts';
import type { NamedCase } from './project.ts';

/** A case as it is sent under a contract. */
export interface SendableCase {
  readonly theCase: NamedCase;
  readonly contract: Contract;
  readonly feed: Feed;
}

/** One feed to send, and the cases in it with the keys that are theirs, as JSON of the key cells. */
export interface CaseFeed {
  readonly contract: Contract;
  readonly feed: Feed;
  readonly members: readonly { readonly sent: SendableCase; readonly keys: ReadonlySet<string> }[];
}

/** Feeds that together hold every case, in the order of their first cases. */
export function packCases(cases: readonly SendableCase[]): readonly CaseFeed[] {
  const groups = new Map<string, SendableCase[]>();
  for (const [index, sent] of cases.entries()) {
    const name = mayPack(sent) ? scheduleOf(sent) : `alone ${index}`;
    groups.set(name, [...(groups.get(name) ?? []), sent]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length === 1 ? [alone(group[0]!)] : packGroup(group),
  );
}

/** A case in a feed of its own. */
export function alone(sent: SendableCase): CaseFeed {
  return {
    contract: sent.contract,
    feed: sent.feed,
    members: [{ sent, keys: keysOf(sent.feed, sent.contract) }],
  };
}

/** The key of a row, as `CaseFeed.members` names it. */
export function keyText(cells: readonly Cell[]): string {
  return JSON.stringify(cells, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

function mayPack({ theCase, contract, feed }: SendableCase): boolean {
  const refuses = [
    contract.late,
    contract.sameInstant,
    contract.duplicates,
    contract.nullKey,
    contract.emptySnapshot,
  ].includes('reject');
  const wholeBatch = feed.batches.some(({ rows, columns }) => rows.length === 0 || columns !== undefined);
  return !refuses && !wholeBatch && !BOUNDARY_IDS.includes(theCase.id) && contract.columns.partition === null;
}

function scheduleOf({ contract, feed }: SendableCase): string {
  const { key, tracked, untracked } = contract.columns;
  const names = [...key, ...tracked, ...untracked].map(({ name, type }) => `${name} ${type}`).join();
  return `${feed.batches.map(({ asOf }) => asOf).join()} ${names}`;
}

/** Cases whose own keys matter keep them, and are packed as far as these differ from each other; the others get new keys. */
function packGroup(group: readonly SendableCase[]): CaseFeed[] {
  const kept = new Set<string>();
  const packed: SendableCase[] = [];
  const leftOver: SendableCase[] = [];
  for (const sent of group) {
    const own = keysMatter(sent) ? [...keysOf(sent.feed, sent.contract)].map(folded) : [];
    if (own.some((key) => kept.has(key))) leftOver.push(sent);
    else packed.push(sent);
    for (const key of own) kept.add(key);
  }
  const pack = merge(packed, kept);
  return [...(pack === null ? packed.map(alone) : [pack]), ...leftOver.map(alone)];
}

function keysMatter({ theCase }: SendableCase): boolean {
  return theCase.columns.key.some(({ types }) => types !== 'any');
}

function keysOf(feed: Feed, { columns }: Contract): ReadonlySet<string> {
  return new Set(
    feed.batches.flatMap(({ rows }) =>
      rows.map((row) => keyText(columns.key.map(({ name }) => row[name] ?? null))),
    ),
  );
}

/** Keys that some folding might make equal do not share a pack. */
function folded(key: string): string {
  return key.toLowerCase().replace(/\s/g, '');
}

/** Null where the key columns cannot hold enough different keys. */
function merge(cases: readonly SendableCase[], kept: ReadonlySet<string>): CaseFeed | null {
  const { contract, feed } = cases[0]!;
  const freeKey = keyMaker(contract.columns.key, kept);
  const renamed: { sent: SendableCase; batches: readonly FeedBatch[] }[] = [];
  for (const sent of cases) {
    const batches = keysMatter(sent) ? sent.feed.batches : rename(sent, freeKey);
    if (batches === null) return null;
    renamed.push({ sent, batches });
  }
  const batches = feed.batches.map(({ asOf }, index) => ({
    asOf,
    rows: renamed.flatMap((one) => one.batches[index]!.rows),
  }));
  return {
    contract,
    feed: { id: `cases/${cases.map(({ theCase }) => theCase.id).join('+')}`, batches },
    members: renamed.map((one) => ({
      sent: one.sent,
      keys: keysOf({ id: '', batches: one.batches }, contract),
    })),
  };
}

function rename({ feed, contract }: SendableCase, freeKey: () => Row | null): readonly FeedBatch[] | null {
  const names = new Map<string, Row | null>();
  for (const key of keysOf(feed, contract)) names.set(key, freeKey());
  if ([...names.values()].includes(null)) return null;
  const keyOf = (row: Row) => names.get(keyText(contract.columns.key.map(({ name }) => row[name] ?? null)));
  return feed.batches.map((batch) => ({
    ...batch,
    rows: batch.rows.map((row) => ({ ...row, ...keyOf(row) })),
  }));
}

/** Makes keys that differ from each other and from those that are kept. */
function keyMaker(columns: readonly Column[], kept: ReadonlySet<string>): () => Row | null {
  let next = 0;
  return () => {
    for (let tries = 0; tries < 1000; tries++) {
      const at = next++;
      const cells = columns.map((column, index) => standIn(column, index === 0 ? at : 0));
      if (cells.includes(undefined)) return null;
      if (!kept.has(folded(keyText(cells as Cell[])))) {
        return Object.fromEntries(columns.map(({ name }, index) => [name, cells[index]!]));
      }
    }
    return null;
  };
}
