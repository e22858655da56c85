import type { Contract, Field } from '../contract/contract.ts';
import { rollDice } from './dice.ts';
import type { Feed, FeedBatch } from './feed.ts';
import { smallFeeds } from './small-feeds.ts';

/**
 * Input that the contract excludes, by name. No answer to it is right or wrong: all that may be asserted is that the table keeps its
 * structure, or that the batch is refused and changes nothing.
 */
export interface IllegalFeed {
  /** What it holds, in words. */
  readonly words: string;
  /** The field whose option excludes it. */
  readonly field: Field;
  readonly feed: Feed;
}

const STREAM = 0x11e6;

export function illegalFeeds(contract: Contract, seed: number): readonly IllegalFeed[] {
  const show = smallFeeds(contract, rollDice(seed, STREAM));
  const { late, sameInstant, duplicates, nullKey, deletes, emptySnapshot, feed, columns } = contract;
  // A snapshot without rows names no partition; else, where it closes all, it deletes.
  const empties = feed === 'snapshot' && emptySnapshot === 'close-all' && columns.partition === null;
  const excluded: readonly (readonly [string, Field, string, readonly FeedBatch[] | null, boolean])[] = [
    ['late', 'late', 'a batch with instants before the latest that arrived', show.late, late === 'never'],
    [
      'same-instant',
      'sameInstant',
      'another state for an instant that an earlier batch spoke of',
      show.sameInstant,
      sameInstant === 'never',
    ],
    [
      'duplicates-equal',
      'duplicates',
      'identical rows of one key and instant in a batch',
      show.equalDuplicates,
      duplicates === 'never',
    ],
    [
      'duplicates-differing',
      'duplicates',
      'different rows of one key and instant in a batch',
      show.differingDuplicates,
      duplicates === 'never' || duplicates === 'equal',
    ],
    ['null-key', 'nullKey', 'a row with NULL in its key', show.nullKey, nullKey === 'never'],
    ['delete', 'deletes', 'a key that was there and is gone', show.deleted, deletes === 'never'],
    [
      'empty-snapshot',
      'deletes',
      'a snapshot without rows',
      show.emptyBetween,
      deletes === 'never' && empties,
    ],
  ];
  return excluded.flatMap(([name, field, words, batches, isExcluded]) =>
    isExcluded && batches !== null
      ? [{ words, field, feed: { id: `illegal/${seed}/${name}`, batches } }]
      : [],
  );
}
