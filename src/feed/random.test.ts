import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { foldState } from '../oracle/typescript/values.ts';
import { addSituations, countSituations, noSituations, type SituationId, situations } from './coverage.ts';
import { coveringFeed } from './covering.ts';
import { rollDice } from './dice.ts';
import type { Feed } from './feed.ts';
import { keyMaker } from './keys.ts';
import { batchFeeds, randomFeed } from './random.ts';
import { contractOf, NAMED, someContracts } from './testing.ts';

function hash(feeds: readonly Feed[]): string {
  const text = JSON.stringify(feeds, (_, value) => {
    if (typeof value === 'bigint') return `${value}n`;
    return typeof value === 'number' && !Number.isFinite(value)
      ? String(value)
      : Object.is(value, -0)
        ? '-0'
        : value;
  });
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

describe('the same seed gives the same feeds on every machine', () => {
  // Where a generator changes, these change with it: then seeds that people noted down mean other feeds.
  test.each(Object.entries(NAMED))('%s', (_, contract) => {
    const feeds = [1, 2].flatMap((seed) => [
      ...[0, 1, 2].map((index) => randomFeed(contract, { seed, index, keys: 20 })),
      ...batchFeeds(contract, seed),
    ]);
    expect({ random: hash(feeds), covering: hash([coveringFeed(contract)]) }).toMatchSnapshot();
  });

  test('other seeds and other feeds of a seed differ', () => {
    const { strict } = NAMED;
    const hashes = [0, 1, 2].flatMap((seed) =>
      [0, 1, 2].map((index) =>
        hash([{ id: '', batches: randomFeed(strict!, { seed, index, keys: 5 }).batches }]),
      ),
    );
    expect(new Set(hashes).size).toBe(9);
  });
});

const HISTORIES = 1000;

/** The situations that a contract allows and that so many histories did not reach. */
function unreached(contract: Contract, histories: number, withCovering: boolean): readonly SituationId[] {
  let counts = noSituations();
  const add = (feed: Feed) => {
    counts = addSituations(counts, countSituations(contract, feed));
  };
  if (withCovering) add(coveringFeed(contract));
  for (const feed of batchFeeds(contract, 1)) add(feed);
  const missing = () =>
    situations(contract).flatMap(({ id, allowed }) => (allowed && counts[id] === 0 ? [id] : []));
  // Where the columns hold few keys, it takes many feeds to send a thousand histories.
  const keys = Math.min(40, capacity(contract));
  for (let sent = 0, index = 0; sent < histories && missing().length > 0; sent += keys, index++) {
    add(randomFeed(contract, { seed: 1, index, keys }));
  }
  return missing();
}

function capacity(contract: Contract): number {
  const maker = keyMaker(contract, { dice: null, ballast: true });
  let count = 0;
  while (count < 40 && maker.next() !== null) count++;
  return Math.max(1, count);
}

describe('every situation that a contract allows is reached within a thousand histories', () => {
  test.each(Object.entries(NAMED))('%s', (_, contract) => {
    expect(unreached(contract, HISTORIES, false)).toEqual([]);
  });

  test('thirty random contracts', () => {
    for (const contract of someContracts(30, 11)) {
      const { columns, ...decisions } = contract;
      expect({ decisions, key: columns.key, unreached: unreached(contract, HISTORIES, true) }).toMatchObject({
        unreached: [],
      });
    }
  });

  test('the covering feed alone reaches all that one key can go through', () => {
    for (const contract of Object.values(NAMED)) {
      const counts = countSituations(contract, coveringFeed(contract));
      const missing = situations(contract).filter(({ id, allowed }) => allowed && counts[id] === 0);
      expect(
        missing.map(({ id }) => id).filter((id) => !/empty|one-row|rejected|null-key|columns/.test(id)),
      ).toEqual([]);
      expect(coveringFeed(contract).batches.length).toBeLessThanOrEqual(11);
    }
  });
});

describe('keys', () => {
  test('no two keys of a feed are the same, and many are easily confused', () => {
    for (const keyCompare of [[], ['case-insensitive', 'trim']]) {
      const contract = contractOf({ key: 'a text(6), b text(6)', tracked: 'x', keyCompare });
      const maker = keyMaker(contract, { dice: rollDice(1), ballast: true });
      const keys = Array.from({ length: 400 }, () => maker.next()!.spellings[0]!);
      const cells = keys.map((row) => [row['a']!, row['b']!]);
      expect(
        new Set(cells.map((key) => foldState(key, contract.columns.key, contract.keyCompare))).size,
      ).toBe(400);
      const joined = new Set(cells.map((key) => key.join('')));
      expect(joined.size).toBeLessThan(400);
    }
  });

  test('NULL is part of a key only where it is a value', () => {
    const key = 'a text, b text';
    const nulls = (nullKey: string) =>
      countSituations(
        contractOf({ key, tracked: 'x', nullKey }),
        randomFeed(contractOf({ key, tracked: 'x', nullKey }), { seed: 1, index: 0, keys: 60 }),
      )['null-key'];
    expect(nulls('value')).toBeGreaterThan(0);
    expect(['never', 'skip', 'reject'].map(nulls)).toEqual([0, 0, 0]);
  });
});

test('a large feed has more than a thousand rows in a batch', () => {
  const feed = randomFeed(NAMED['strict']!, { seed: 1, index: 0, keys: 4096 });
  expect(Math.max(...feed.batches.map(({ rows }) => rows.length))).toBeGreaterThan(1000);
});
