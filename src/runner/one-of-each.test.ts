import { describe, expect, it } from 'vitest';
import type { Row } from '../contract/columns.ts';
import { declareContract } from '../contract/declare.ts';
import { oneOfEach } from './one-of-each.ts';

const lines = Object.entries({
  feed: 'changes',
  batchStates: 'one',
  changedAt: 'changed_at TIMESTAMP not null',
  operation: 'op',
}).map(([name, value]) => ({ name, value, where: 'test' }));
const { contract } = declareContract([lines]);

const row = (key: string, at: bigint, segment = 'A'): Row => ({
  customer_id: key,
  customer_segment: segment,
  changed_at: at,
});
const rowsOf = (batches: readonly (readonly Row[])[]) =>
  oneOfEach(contract, { id: 'f', batches: batches.map((rows, at) => ({ asOf: BigInt(at), rows })) })?.map(
    (feed) => feed.batches.map(({ rows }) => rows),
  );

describe('the feeds that are left when a batch keeps one state of each key', () => {
  it('are the feed itself where there is one', () => {
    expect(rowsOf([[row('x', 1n), row('y', 1n)], []])).toEqual([[[row('x', 1n), row('y', 1n)], []]]);
  });

  it('are one for each way to choose, keys and batches apart', () => {
    const feeds = rowsOf([
      [row('x', 1n), row('x', 2n), row('y', 1n)],
      [row('x', 3n), row('x', 4n)],
    ]);
    expect(feeds).toHaveLength(4);
    expect(feeds).toContainEqual([[row('x', 2n), row('y', 1n)], [row('x', 3n)]]);
  });

  it('keep together what is said of one instant, which is for `duplicates` to settle', () => {
    const both = [row('x', 1n, 'A'), row('x', 1n, 'B')];
    expect(rowsOf([[...both, row('x', 2n)]])).toEqual([[both], [[row('x', 2n)]]]);
  });

  it('are none where there are more than can be tried', () => {
    const many = Array.from({ length: 20 }, (_, at) => [
      row('x', BigInt(2 * at)),
      row('x', BigInt(2 * at + 1)),
    ]);
    expect(rowsOf(many)).toBeUndefined();
  });
});
