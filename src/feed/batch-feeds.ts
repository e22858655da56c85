import type { Contract } from '../contract/contract.ts';
import { rollDice } from './dice.ts';
import type { Feed, FeedBatch } from './feed.ts';
import { situations } from './situations.ts';
import { smallFeeds } from './small-feeds.ts';

/** Another stream of the seed than those of the random feeds. */
const STREAM = 0x6a7c;

/**
 * What concerns a batch as a whole, in small feeds of their own: loads without rows and of one row, and all that the contract refuses.
 * In a packed feed one such batch would take a thousand histories along.
 */
export function batchFeeds(contract: Contract, seed: number): readonly Feed[] {
  const show = smallFeeds(contract, rollDice(seed, STREAM));
  const allowed = new Set(situations(contract).flatMap(({ id, allowed: is }) => (is ? [id] : [])));
  const { duplicates, nullKey } = contract;
  const wanted: readonly (readonly [string, readonly FeedBatch[] | null, boolean])[] = [
    ['one-row', show.oneRow, true],
    ['empty-first', show.emptyFirst, true],
    ['empty-between', show.emptyBetween, allowed.has('empty-batch')],
    ['late', show.late, allowed.has('rejected-late')],
    ['same-instant', show.sameInstant, allowed.has('rejected-same-instant')],
    ['duplicates-equal', show.equalDuplicates, duplicates === 'reject'],
    ['duplicates-differing', show.differingDuplicates, duplicates === 'reject'],
    ['null-key', show.nullKey, nullKey === 'reject' || nullKey === 'skip'],
  ];
  return wanted.flatMap(([name, batches, isWanted]) =>
    isWanted && batches !== null ? [{ id: `batch/${seed}/${name}`, batches }] : [],
  );
}
