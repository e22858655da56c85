import { describe, expect, test } from 'vitest';
import type { Cell } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import type { FeedBatch } from '../../feed/feed.ts';
import { batch, column, delta, expected, rowTime, strict, x } from './testing.ts';

/*
 * Rule 8. A row of a table that is overwritten is written `B`, with its previous value `B (before: A)`, of a key that is marked as deleted
 * `†B`; versions are `A [1,2)`, with the current value `A (now: B) [1,2)`.
 */
function of(type: Contract['type'], changes: Partial<Contract> = {}): Contract {
  const beside = [{ ...column(type === '3' ? 'previous_a' : 'current_a'), of: 'a' }];
  const own = {
    previous: type === '3' ? beside : [],
    current: type === '6' ? beside : [],
    inHistory: type === '4' ? column('in_history', 'boolean') : null,
  };
  return strict({ type, ...changes }, own);
}

function lastOf(contract: Contract, ...batches: FeedBatch[]): string {
  const key = expected(contract, ...batches)
    .at(-1)!
    .keys.find((one) => one.key[0] === 'x');
  if (key === undefined) return 'not named';
  const word = contract.type === '3' ? 'before' : 'now';
  const text = ({
    tracked,
    beside,
    isDeleted,
  }: {
    tracked: readonly Cell[];
    beside: readonly Cell[];
    isDeleted: boolean;
  }) => `${isDeleted ? '†' : ''}${tracked[0]}${beside.length === 0 ? '' : ` (${word}: ${beside[0]})`}`;
  const current = key.current === null ? [] : [text(key.current)];
  const versions = key.versions.map(
    (version) => `${text(version)} [${version.validFrom},${version.validTo ?? '∞'})`,
  );
  return [...current, ...versions].join(' ') || 'no row';
}

describe('type 1', () => {
  test('shows the latest state alone', () => {
    expect(lastOf(of('1'), batch(1, x('A')), batch(2, x('B')))).toBe('B');
  });
  test('is not set back by late data', () => {
    expect(lastOf(of('1'), batch(2, x('B')), batch(1, x('A')))).toBe('B');
  });
  test('loses the row of a key that is gone, and has it anew when it is back', () => {
    expect(lastOf(of('1'), batch(1, x('A')), batch(2))).toBe('no row');
    expect(lastOf(of('1'), batch(1, x('A')), batch(2), batch(3, x('B')))).toBe('B');
  });
  test('keeps the row where deletes are ignored, and marks it where that is declared', () => {
    expect(lastOf(of('1', { deletes: 'ignore' }), batch(1, x('A')), batch(2))).toBe('A');
    expect(lastOf(of('1', { deletes: 'marker-row' }), batch(1, x('A')), batch(2))).toBe('†A');
  });
  test('has the untracked attributes of the latest load, whatever versions would have', () => {
    const steps = expected(
      of('4', { untracked: 'frozen' }),
      batch(1, x('A', { u: 'old' })),
      batch(2, x('A', { u: 'new' })),
    );
    expect(steps.at(-1)!.keys[0]!.current!.untrackedRight).toEqual([['new']]);
  });
});

describe('type 3', () => {
  test('has no previous value of a new key', () => {
    expect(lastOf(of('3'), batch(1, x('A')))).toBe('A (before: null)');
  });
  test('keeps the previous value on a repeat', () => {
    expect(lastOf(of('3'), batch(1, x('A')), batch(2, x('B')), batch(3, x('B')))).toBe('B (before: A)');
  });
  test('has the last value that differs, and not the first', () => {
    expect(lastOf(of('3'), batch(1, x('A')), batch(2, x('B')), batch(3, x('C')))).toBe('C (before: B)');
    expect(lastOf(of('3'), batch(1, x('A')), batch(2, x('B')), batch(3, x('A')))).toBe('A (before: B)');
  });
  test('takes NULL for a value like any other', () => {
    expect(lastOf(of('3'), batch(1, x('A')), batch(2, x(null)))).toBe('null (before: A)');
    expect(lastOf(of('3'), batch(1, x('A')), batch(2, x(null)), batch(3, x('B')))).toBe('B (before: null)');
  });
  test('learns its previous value from late data', () => {
    expect(lastOf(of('3'), batch(1, x('A')), batch(3, x('C')), batch(2, x('B')))).toBe('C (before: B)');
  });
  test('goes by what counts as equal', () => {
    const contract = of('3', { compare: ['case-insensitive'] });
    expect(lastOf(contract, batch(1, x('A')), batch(2, x('b')), batch(3, x('B')))).toBe('b (before: A)');
  });
  test('forgets with a delete what was before, unless the contract bridges it', () => {
    const feed = [batch(1, x('A')), batch(2), batch(3, x('B'))];
    expect(lastOf(of('3'), ...feed)).toBe('B (before: null)');
    expect(lastOf(of('3', { reappearance: 'bridge' }), ...feed)).toBe('B (before: A)');
    expect(lastOf(of('3', { deletes: 'marker-row' }), ...feed)).toBe('B (before: A)');
  });
  test('shows on a marked row what it showed before', () => {
    const contract = of('3', { deletes: 'marker-row' });
    expect(lastOf(contract, batch(1, x('A')), batch(2, x('B')), batch(3))).toBe('†B (before: A)');
  });
  test('forgets too where a key is gone for no time at all', () => {
    const contract = { ...rowTime(), type: '3' as const };
    const columns = { ...contract.columns, previous: [{ ...column('previous_a'), of: 'a' }] };
    const row = (a: string, micros: number) => x(a, { at: `1970-01-01T00:00:00.00000${micros}Z` });
    expect(lastOf({ ...contract, columns }, batch(1, row('A', 1)), batch(2), batch(3, row('B', 1)))).toBe(
      'B (before: null)',
    );
  });
});

describe('type 4', () => {
  test('has the open version twice, and the closed ones in its history', () => {
    expect(lastOf(of('4'), batch(1, x('A')), batch(2, x('B')))).toBe('B A [1,2) B [2,∞)');
  });
  test('has in its history only what has ended, where that is declared', () => {
    const contract = of('4', { historyHolds: 'past' });
    expect(lastOf(contract, batch(1, x('A')))).toBe('A');
    expect(lastOf(contract, batch(1, x('A')), batch(2, x('B')))).toBe('B A [1,2)');
    expect(lastOf(contract, batch(1, x('A')), batch(2))).toBe('A [1,2)');
  });
  test('sorts late data into its history', () => {
    expect(lastOf(of('4'), batch(2, x('B')), batch(1, x('A')))).toBe('B A [1,2) B [2,∞)');
  });
});

describe('type 6', () => {
  test('has the current value on every row', () => {
    expect(lastOf(of('6'), batch(1, x('A')), batch(2, x('B')), batch(3, x('C')))).toBe(
      'A (now: C) [1,2) B (now: C) [2,3) C (now: C) [3,∞)',
    );
  });
  test('does not take late data for current', () => {
    expect(lastOf(of('6'), batch(1, x('A')), batch(3, x('C')), batch(2, x('B')))).toBe(
      'A (now: C) [1,2) B (now: C) [2,3) C (now: C) [3,∞)',
    );
  });
  test('keeps the last value of a key that is gone, and takes that of one that is back', () => {
    expect(lastOf(of('6'), batch(1, x('A')), batch(2, x('B')), batch(3))).toBe(
      'A (now: B) [1,2) B (now: B) [2,3)',
    );
    expect(lastOf(of('6'), batch(1, x('A')), batch(2), batch(3, x('B')))).toBe(
      'A (now: B) [1,2) B (now: B) [3,∞)',
    );
  });
  test('has it on marker rows too', () => {
    const contract = of('6', { deletes: 'marker-row' });
    expect(lastOf(contract, batch(1, x('A')), batch(2), batch(3, x('B')))).toBe(
      'A (now: B) [1,2) †A (now: B) [2,3) B (now: B) [3,∞)',
    );
  });
});

test('a delta says the same of its keys', () => {
  const contract = {
    ...delta({ type: '3' }),
    columns: { ...delta().columns, previous: [{ ...column('previous_a'), of: 'a' }] },
  };
  expect(lastOf(contract, batch(1, x('A')), batch(2, x('B')), batch(3))).toBe('B (before: A)');
  expect(lastOf(contract, batch(1, x('A')), batch(2, x('A', { op: 'D' })))).toBe('no row');
});
