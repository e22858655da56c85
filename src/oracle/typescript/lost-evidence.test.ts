import { expect, test } from 'vitest';
import type { Row } from '../../contract/columns.ts';
import type { FeedBatch } from '../../feed/feed.ts';
import { batch, deleted, delta, expected } from './testing.ts';

/*
 * The count of the design: all histories of four batches over four symbols, in all 24 arrival orders, judged after
 * each batch: 4⁴ · 24 · 4 = 24,576 prefixes of a delta feed. 732 is the design's figure; the other was counted by a
 * script of twenty lines that shares nothing with the oracle (maps from instant to symbol, folded both ways).
 */

const UNMENTIONED = 'unmentioned';
type Symbol = typeof UNMENTIONED | Row;
const A: Row = { a: 'A' };
const B: Row = { a: 'B' };
const NULL: Row = { a: null };

function forgivenPrefixes(palette: readonly Symbol[]): { prefixes: number; forgiven: number } {
  const histories = sequences(palette, 4);
  let prefixes = 0;
  let forgiven = 0;
  for (const order of permutations([0, 1, 2, 3])) {
    // Histories do not touch each other, so all of them are one feed.
    const feed = order.map((instant) => packed(histories, instant));
    for (const step of expected(delta({ lateEvidence: 'dimension' }), ...feed)) {
      prefixes += histories.length;
      forgiven += step.keys.filter((key) => key.forgiven).length;
    }
  }
  return { prefixes, forgiven };
}

function packed(histories: readonly (readonly Symbol[])[], instant: number): FeedBatch {
  const rows = histories.flatMap((history, index) => {
    const said = history[instant]!;
    return said === UNMENTIONED ? [] : [{ k: String(index), ...said }];
  });
  return batch(instant + 1, ...rows);
}

function sequences<T>(palette: readonly T[], length: number): T[][] {
  if (length === 0) return [[]];
  return sequences(palette, length - 1).flatMap((rest) => palette.map((one) => [...rest, one]));
}

function permutations<T>(values: readonly T[]): T[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((one) =>
    permutations(values.filter((other) => other !== one)).map((rest) => [one, ...rest]),
  );
}

test('unmentioned, A, B, deleted', () => {
  expect(forgivenPrefixes([UNMENTIONED, A, B, deleted])).toEqual({ prefixes: 24_576, forgiven: 2_834 });
});

test('unmentioned, NULL, A, B', () => {
  expect(forgivenPrefixes([UNMENTIONED, NULL, A, B])).toEqual({ prefixes: 24_576, forgiven: 732 });
});
