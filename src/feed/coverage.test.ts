import { describe, expect, test } from 'vitest';
import type { Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { parseInstant } from '../contract/instant.ts';
import { expectFeed } from '../oracle/typescript/index.ts';
import { addSituations, countSituations, noSituations, situations } from './coverage.ts';
import type { Feed, FeedBatch } from './feed.ts';
import { scopeFeeds } from './scope.ts';
import { contractOf } from './testing.ts';

/** A load of a day in March 2026. */
function load(day: number, ...rows: readonly Row[]): FeedBatch {
  return { asOf: parseInstant(`2026-03-${String(day).padStart(2, '0')}`)!, rows };
}

const key = (id: string, a: string | null, u: string | null = 'u'): Row => ({ id, a, u });
const X = (a: string | null, u?: string): Row => key('x', a, u);
const Y = key('y', 'A');

const snapshot = contractOf({ key: 'id', tracked: 'a', untracked: 'u' });
const delta = contractOf({ feed: 'delta', operation: 'op', key: 'id', tracked: 'a', untracked: 'u' });

/** Situations of a feed, without those that say little. */
function reached(contract: Contract, ...batches: readonly FeedBatch[]): Record<string, number> {
  const counts = Object.entries(countSituations(contract, { id: 'test', batches }));
  return Object.fromEntries(counts.filter(([id, count]) => count > 0 && id !== 'one-row-batch'));
}

describe('in order', () => {
  test('a repeat, a change and back', () => {
    expect(reached(snapshot, load(1, X('A')), load(2, X('A')), load(3, X('B')), load(4, X('A')))).toEqual({
      'no-op': 1,
      change: 2,
      'a-b-a': 1,
    });
  });

  test('to NULL and back, and an untracked change', () => {
    expect(
      reached(snapshot, load(1, X('A')), load(2, X(null)), load(3, X('A', 'v')), load(4, X('A', 'w'))),
    ).toEqual({
      change: 2,
      'value-to-null': 1,
      'null-to-value': 1,
      'a-b-a': 1,
      'untracked-only': 1,
    });
  });

  test('a key that goes and comes back', () => {
    expect(
      reached(snapshot, load(1, X('A'), Y), load(2, Y), load(3, X('A'), Y), load(4, Y), load(5, X('B'), Y)),
    ).toEqual({
      delete: 2,
      'reappear-same': 1,
      'reappear-changed': 1,
      'no-op': 4,
    });
  });
});

describe('late', () => {
  test('before all, inside the open version, inside a closed one', () => {
    const late = reached(
      delta,
      load(5, X('B')),
      load(1, X('A')),
      load(9, X('C')),
      load(3, X('D')),
      load(12, X('C')),
      load(10, X('E')),
    );
    expect(late).toMatchObject({ 'late-before-all': 1, 'late-inside-closed': 1, 'late-inside-open': 1 });
  });

  test('before a repeat, the evidence of which a dimension has lost', () => {
    expect(reached(delta, load(1, X('A')), load(3, X('A')), load(2, X('B')))).toEqual({
      'no-op': 1,
      'late-inside-open': 1,
      'lost-evidence': 1,
    });
  });

  test('a late delete, a key that a late load names first, a late state in a gap', () => {
    const gone = { ...X('A'), op: 'D' };
    expect(
      reached(delta, load(1, X('A')), load(9, X('B')), load(3, gone), load(5, X('C')), load(2, Y)),
    ).toMatchObject({
      'late-delete': 1,
      'late-inside-gap': 1,
      'late-new-key': 1,
    });
  });
});

test('what is delivered again, at once and later, whatever the order of its rows', () => {
  const counts = reached(
    snapshot,
    load(1, X('A'), Y),
    load(1, Y, X('A')),
    load(2, X('B'), Y),
    load(1, X('A'), Y),
  );
  expect(counts).toMatchObject({ 'redelivery-at-once': 1, 'redelivery-later': 1 });
});

test('what the contract refuses is counted as refused, and as nothing else', () => {
  const reject = {
    key: 'id',
    tracked: 'a',
    untracked: 'u',
    late: 'reject',
    sameInstant: 'reject',
    emptySnapshot: 'reject',
    duplicates: 'reject',
  };
  const counts = reached(
    contractOf(reject),
    load(2, X('A')),
    load(1, X('B')),
    load(2, X('B')),
    load(3),
    load(4, X('A'), X('A')),
  );
  expect(counts).toEqual({
    'rejected-late': 1,
    'rejected-same-instant': 1,
    'rejected-empty': 1,
    'rejected-duplicates': 1,
    'empty-batch': 1,
  });
});

test('what no feed may be in is not allowed', () => {
  const allowed = (contract: Contract) =>
    situations(contract).flatMap((one) => (one.allowed ? [one.id] : []));
  const daily = allowed(contractOf({ contract: 'daily-merge' }));
  expect(
    daily.filter((id) => /late|delete|reappear|rejected|null-key|same-instant|duplicates|partition/.test(id)),
  ).toEqual([]);
  expect(allowed(snapshot)).not.toContain('rejected-late');
  expect(allowed(contractOf({ key: 'id', tracked: 'a not null' }))).not.toContain('null-to-value');
});

test('counts add up', () => {
  const counts = countSituations(snapshot, { id: 'test', batches: [load(1, X('A')), load(2, X('A'))] });
  expect(addSituations(counts, addSituations(counts, noSituations()))['no-op']).toBe(2);
});

test('where evidence is counted as lost, the oracle forgives the history', () => {
  const contract: Contract = { ...delta, lateEvidence: 'dimension' };
  let lost = 0;
  for (const feed of [...scopeFeeds(contract, 3)].slice(0, 6)) {
    for (const id of new Set(feed.batches.flatMap(({ rows }) => rows.map((row) => row['id'])))) {
      const own: Feed = {
        id: String(id),
        batches: feed.batches.map((batch) => ({
          ...batch,
          rows: batch.rows.filter((row) => row['id'] === id),
        })),
      };
      if (countSituations(contract, own)['lost-evidence'] === 0) continue;
      lost++;
      const forgiven = expectFeed(contract, own).some(({ keys }) => keys.some((one) => one.forgiven));
      expect({ own, forgiven }).toEqual({ own, forgiven: true });
    }
  }
  expect(lost).toBeGreaterThan(5);
});
