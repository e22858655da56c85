import { describe, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { parseInstant } from '../contract/instant.ts';
import { countSituations } from './coverage.ts';
import type { Feed } from './feed.ts';
import { divisions, isInOrder, permutations } from './orders.ts';
import { describeScope, scopeFeeds } from './scope.ts';
import { contractOf, NAMED } from './testing.ts';

const strict = NAMED['strict']!;

/** What each key goes through, in the order of time, one letter an instant: a dot for nothing, D for a delete, 0 for NULL. */
function histories(contract: Contract, feed: Feed): ReadonlyMap<string, string> {
  const { key, tracked, operation, changedAt } = contract.columns;
  const instantOf = (asOf: bigint, cell: unknown) =>
    contract.feed === 'changes' ? parseInstant(String(cell))! : asOf;
  const said = feed.batches.flatMap(({ asOf, rows }) =>
    rows.map((row) => ({
      key: String(row[key[0]!.name]),
      instant: instantOf(asOf, row[changedAt?.name ?? '']),
      letter: row[operation?.name ?? ''] === 'D' ? 'D' : String(row[tracked[0]!.name] ?? 0),
    })),
  );
  const instants = [...new Set(said.map(({ instant }) => instant))].sort((a, b) => (a < b ? -1 : 1));
  const keys = [...new Set(said.map((one) => one.key))];
  const letterAt = (name: string, instant: bigint) =>
    said.find((one) => one.key === name && one.instant === instant)?.letter ?? '.';
  return new Map(keys.map((name) => [name, instants.map((instant) => letterAt(name, instant)).join('')]));
}

test('four snapshots: 256 histories in 24 orders', () => {
  expect(describeScope(strict, 4)).toEqual({
    words:
      'every history of up to 4 batches over {absent, NULL, A, B}, in every arrival order, beside other keys; and in order, with each batch again at each later place',
    batches: 4,
    palette: ['absent', 'NULL', 'A', 'B'],
    histories: 256,
    orders: 24,
    feeds: 24,
    redeliveries: 10,
    singles: 6,
  });
  const feeds = [...scopeFeeds(strict, 4)];
  expect(feeds).toHaveLength(24 + 10 + 6);
  for (const feed of feeds.slice(0, 24)) {
    expect(feed.batches).toHaveLength(4);
    // All but the one that is never there, and the ballast.
    expect(new Set(histories(strict, feed).values()).size).toBe(255);
    expect(histories(strict, feed).size).toBe(256);
  }
  expect(new Set(feeds.slice(0, 24).map(({ batches }) => batches.map(({ asOf }) => asOf).join())).size).toBe(
    24,
  );
});

test('four changes: 625 histories, divided into batches in 75 ways', () => {
  const contract = contractOf({ feed: 'changes', operation: 'op' });
  const scope = describeScope(contract, 4);
  expect(scope).toMatchObject({ histories: 625, orders: 75, feeds: 75 });
  expect(scope.words).toContain(
    'every history of up to 4 events over {unmentioned, deleted, NULL, A, B}, divided into batches in every way',
  );
  let feeds = 0;
  for (const feed of scopeFeeds(contract, 4)) {
    feeds++;
    if (feeds === 1 || feeds === 75) expect(new Set(histories(contract, feed).values()).size).toBe(624);
  }
  expect(feeds).toBe(75 + 10);
});

test('the ways of dividing events are the ordered partitions of a set', () => {
  expect([1, 2, 3, 4, 5].map((count) => divisions(count).length)).toEqual([1, 3, 13, 75, 541]);
  expect(divisions(4).filter(isInOrder)).toHaveLength(8);
  expect([1, 2, 3, 4].map((count) => permutations(count).length)).toEqual([1, 2, 6, 24]);
});

describe('what a contract excludes is not in its scope', () => {
  test('without late data there is one order', () => {
    expect(describeScope(contractOf({ late: 'never' }), 4)).toMatchObject({ orders: 1, redeliveries: 4 });
    expect(describeScope(contractOf({ late: 'reject' }), 4)).toMatchObject({ orders: 1, singles: 16 });
    expect(describeScope(NAMED['stream']!, 4)).toMatchObject({ orders: 8, histories: 256 });
  });

  test('without deletes a key is absent only before it first appears', () => {
    const contract = contractOf({ deletes: 'never' });
    expect(describeScope(contract, 4)).toMatchObject({ histories: 121 });
    expect(describeScope(contract, 4).words).toContain('absent only before it first appears');
  });

  test('where no column can be NULL, no state is', () => {
    const contract = contractOf({ key: 'id', tracked: 'a not null' });
    expect(describeScope(contract, 3)).toMatchObject({ palette: ['absent', 'A', 'B'], histories: 27 });
  });
});

test('each tracked column is the one that changes, in some feed, for each history', () => {
  const contract = contractOf({ key: 'id', tracked: 'a, b', late: 'never' });
  const [first, second] = [...scopeFeeds(contract, 3)];
  expect(first!.id).toBe('scope/3/1-2-3/a');
  const changing = (feed: Feed) =>
    new Map(
      feed.batches.flatMap(({ rows }) =>
        rows.filter((row) => row['b'] === 'B').map((row) => [row['id'], 'b']),
      ),
    );
  const both = [...changing(first!).keys()].filter((id) => changing(second!).has(id));
  expect(both).toEqual([]);
});

test('where keys are few, the histories are spread over more feeds', () => {
  const contract = contractOf({ key: 'flag boolean', tracked: 'a' });
  expect(describeScope(contract, 2)).toMatchObject({ histories: 16, orders: 2, feeds: 32 });
  expect([...scopeFeeds(contract, 2)].length).toBe(32 + 3 * 16 + 2);
});

test('rows of snapshots with row times carry the instant of their last change', () => {
  const contract = contractOf({ stamp: 'row-time' });
  expect(describeScope(contract, 3).words).toContain('in order, with the row times in every order');
  const [inOrder] = [...scopeFeeds(contract, 3)];
  for (const [at, { asOf, rows }] of inOrder!.batches.entries()) {
    for (const row of rows) {
      const before = inOrder!.batches[at - 1]?.rows.find(
        (other) => other['customer_id'] === row['customer_id'],
      );
      const instant = parseInstant(String(row['changed_at']));
      if (before !== undefined && before['customer_segment'] === row['customer_segment'])
        expect(row['changed_at']).toBe(before['changed_at']);
      else expect(instant).toBe(asOf);
    }
  }
});

test('the scope of four reaches every situation of a key that strict allows, but those of untyped input', () => {
  const reached = new Set<string>();
  for (const feed of scopeFeeds(strict, 4)) {
    for (const [id, count] of Object.entries(countSituations(strict, feed))) if (count > 0) reached.add(id);
  }
  for (const id of [
    'a-b-a',
    'late-inside-closed',
    'late-inside-open',
    'late-inside-gap',
    'late-delete',
    'lost-evidence',
    'reappear-same',
    'reappear-changed',
    'untracked-only',
    'redelivery-later',
    'first-load-empty',
    'empty-batch',
  ]) {
    expect(reached).toContain(id);
  }
});

test('nothing at all is a scope of nothing', () => {
  expect([...scopeFeeds(strict, 0)]).toEqual([]);
});
