import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cell, Row } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import type { FeedBatch } from '../../feed/feed.ts';
import { at, batch, changes, column, delta, expected, strict, timelines } from './testing.ts';

const KEYS = ['x', 'y', 'z'];
const NUM_RUNS = 300;

/** What one batch says of each key: a state, a delete (a snapshot leaves the key out), or nothing. */
const said = fc.array(fc.constantFrom('A', 'B', null, 'deleted', 'nothing'), {
  minLength: KEYS.length,
  maxLength: KEYS.length,
});
const schedule = fc.array(said, { minLength: 1, maxLength: 5 });

const decisions = fc.record({
  deletes: fc.constantFrom('close', 'ignore', 'marker-row'),
  reappearance: fc.constantFrom('gap', 'bridge'),
  firstStart: fc.constantFrom('observed', '1970-01-01'),
  changeBy: fc.constantFrom('value', 'row-time'),
  emptySnapshot: fc.constantFrom('close-all', 'ignore', 'reject'),
}) satisfies fc.Arbitrary<Partial<Contract>>;

const contracts = fc
  .tuple(decisions, fc.constantFrom('snapshot', 'partitioned', 'delta', 'changes'))
  .map(([fields, feed]): Contract => {
    if (feed === 'snapshot') return strict(fields);
    if (feed === 'partitioned') return strict(fields, { partition: column('p') });
    return feed === 'delta' ? delta(fields) : changes(fields);
  });

/** Batches at 10, 20, …; with `changes`, a second state of each key comes in the same batch, at another instant. */
function batches(contract: Contract, states: readonly (readonly Cell[])[]): FeedBatch[] {
  return states.map((ofKeys, index) => {
    const asOf = 10 * (index + 1);
    const rows = ofKeys.flatMap((state, key) => rowsOf(contract, KEYS[key]!, state, asOf));
    return batch(asOf, ...rows);
  });
}

function rowsOf(contract: Contract, k: string, state: Cell, asOf: number): Row[] {
  const p = k === 'z' ? 'south' : 'north';
  if (state === 'nothing') return [];
  if (state === 'deleted') return contract.feed === 'snapshot' ? [] : [{ k, p, a: null, op: 'D' }];
  const row: Row = { k, p, a: state };
  return contract.feed === 'changes' ? [row, { ...row, a: 'C', ...at(asOf - 5) }] : [row];
}

const feeds = fc
  .tuple(contracts, schedule)
  .map(([contract, states]) => ({ contract, inOrder: batches(contract, states) }));

const shuffledFeeds = feeds.chain(({ contract, inOrder }) =>
  fc
    .shuffledSubarray(inOrder, { minLength: inOrder.length })
    .map((shuffled) => ({ contract, inOrder, shuffled })),
);

test('whatever order the batches arrive in, the versions are the same in the end', () => {
  fc.assert(
    fc.property(shuffledFeeds, ({ contract, inOrder, shuffled }) => {
      for (const key of KEYS) {
        expect(timelines(contract, shuffled, key).at(-1)).toBe(timelines(contract, inOrder, key).at(-1));
      }
    }),
    { numRuns: NUM_RUNS },
  );
});

test('in order, no evidence is lost', () => {
  fc.assert(
    fc.property(feeds, ({ contract, inOrder }) => {
      for (const step of expected({ ...contract, lateEvidence: 'dimension' }, ...inOrder)) {
        expect(step.keys.filter((key) => key.forgiven)).toEqual([]);
      }
    }),
    { numRuns: NUM_RUNS },
  );
});

test('versions are in order, never empty, never overlap, and only the last is open', () => {
  fc.assert(
    fc.property(shuffledFeeds, ({ contract, shuffled }) => {
      const versions = expected(contract, ...shuffled).flatMap((step) =>
        step.keys.map((key) => key.versions),
      );
      for (const ofKey of versions) {
        ofKey.forEach((version, index) => {
          const next = ofKey[index + 1];
          if (version.validTo === null) expect(next).toBeUndefined();
          else expect(version.validTo > version.validFrom).toBe(true);
          if (next !== undefined) expect(next.validFrom >= version.validTo!).toBe(true);
        });
      }
    }),
    { numRuns: NUM_RUNS },
  );
});

test('what a key is told does not depend on the other keys', () => {
  fc.assert(
    fc.property(shuffledFeeds, ({ contract, shuffled }) => {
      // Alone, its absences would be empty snapshots: they are to close.
      const whole = { ...contract, emptySnapshot: 'close-all' } as const;
      fc.pre(contract.columns.partition === null);
      const alone = shuffled.map(({ asOf, rows }) => ({
        asOf,
        rows: rows.filter((row) => row['k'] === 'x'),
      }));
      expect(timelines(whole, alone)).toEqual(timelines(whole, shuffled));
    }),
    { numRuns: NUM_RUNS },
  );
});
