import { describe, expect, test } from 'vitest';
import { REPETITION_CHECKS } from '../checks/index.ts';
import type { Contract } from '../contract/contract.ts';
import type { FeedBatch } from '../feed/feed.ts';
import { contractOf, NAMED, someContracts } from '../feed/testing.ts';
import type { Implementation } from '../plugins/implementation.ts';
import { NOTHING_PROMISED, type RepetitionOutcome, runRepetition } from './run.ts';
import { rightBut, type Twist } from './testing.ts';

const ALL = REPETITION_CHECKS.map(({ id }) => id);

function check(implementation: Implementation, contract: Contract, checks = ALL): Promise<RepetitionOutcome> {
  return runRepetition({
    implementation,
    contract,
    checks,
    seed: 1,
    deadline: performance.now() + 60_000,
    shrinkMs: 60_000,
    stop: () => false,
    progress: () => undefined,
    replay: (feed) => feed,
  });
}

const SAFE: Twist = { breakOff: () => [], resume: (got) => got };

describe('an implementation that is right', () => {
  const contracts = [
    ...Object.entries(NAMED),
    ...someContracts(6, 5).map((one, at) => [`${at}`, one] as const),
  ];

  test.each(contracts)(
    'has no finding, and each check that applies is exercised (%s)',
    async (_, contract) => {
      const { findings, tallies, completed } = await check(rightBut(SAFE), contract);
      expect(findings).toEqual([]);
      expect(completed).toBe(true);
      const applied = tallies.filter(({ skipReason }) => skipReason === null);
      expect(applied.filter(({ exercised }) => exercised === 0)).toEqual([]);
      expect(tallies.map(({ skipReason }) => skipReason)).not.toContain(NOTHING_PROMISED);
      expect(applied.map(({ id }) => id)).toContain('idempotent');
    },
  );
});

const FIELDS = {
  feed: 'delta',
  sameInstant: 'last',
  key: 'id',
  tracked: 'a',
  untracked: 'u',
  operation: 'op',
};
const DELTA = contractOf(FIELDS);
const IN_ORDER = contractOf({ ...FIELDS, late: 'never' });

const isSame = (a: FeedBatch, b: FeedBatch) => a.asOf === b.asOf && text(a.rows) === text(b.rows);
const text = (value: unknown) => JSON.stringify(value);
const doubled = <T>(rows: readonly T[]) => [...rows, ...rows];

test.each(['1', '3', '4'])('a check is not asked of a type that it is not for (type %s)', async (type) => {
  const contract = contractOf({ type, feed: 'delta', deletes: 'never', late: 'never' });
  const { tallies } = await check({ ...rightBut(SAFE), beginsFromTable: true }, contract, ['resumes']);
  expect(tallies).toMatchObject([
    { skipReason: expect.stringContaining(`is of type ${type}`), exercised: 0 },
  ]);
});

test.each(['1', '4'])('untracked attributes of a current table are compared (type %s)', async (type) => {
  const contract = contractOf({ ...FIELDS, type, late: 'never' });
  const lost: Twist = {
    ...SAFE,
    hold: (rows, got) => {
      const isAgain = got.some((one, at) => at > 0 && isSame(one, got[at - 1]!));
      return isAgain
        ? rows.map((row) => ({ ...row, ...(row['valid_from'] == null ? { u: null } : {}) }))
        : rows;
    },
  };
  const { findings } = await check(rightBut(lost), contract, ['idempotent']);
  expect(findings).toMatchObject([{ check: 'idempotent' }]);
});

describe('an implementation with one fault is found by the one check', () => {
  const faults: Record<string, Twist> = {
    // Inserts what it has inserted before.
    idempotent: {
      hold: (rows, got) =>
        got.some((one, at) => at > 0 && isSame(one, got[at - 1]!)) ? doubled(rows) : rows,
    },
    // Passes over what is late.
    'order-independent': {
      know: (got) => got.filter((one, at) => got.slice(0, at).every(({ asOf }) => asOf <= one.asOf)),
    },
    // Another answer in every second session.
    deterministic: {
      hold: (rows, got, session) => (session % 2 === 1 && got.length > 2 ? rows.slice(1) : rows),
    },
    // Takes a second batch of an instant for a repetition.
    batching: {
      know: (got) => got.filter((one, at) => !got.slice(0, at).some(({ asOf }) => asOf === one.asOf)),
    },
    // What was written before the crash is not found again.
    'crash-safe': {
      breakOff: ({ asOf, rows }) => [{ asOf: asOf - 1n, rows: rows.slice(0, 1) }],
    },
    // Does not look at the table that it is given.
    resumes: { resume: () => [] },
  };

  test.each(Object.entries(faults))('%s', async (id, twist) => {
    const { findings } = await check(
      rightBut({ ...SAFE, ...twist }),
      id === 'resumes' ? IN_ORDER : DELTA,
      id === 'deterministic' ? [id] : ALL,
    );
    expect(findings.map((one) => one.check)).toEqual([id]);
    const [finding] = findings;
    expect(finding!.feed).toBe(`repetition/${id}`);
    expect(finding!.expected).not.toEqual(finding!.actual);
    expect(finding!.counterexample.batches.length).toBeLessThanOrEqual(3);
    expect(finding!.step).toBe(finding!.counterexample.batches.length - 1);
  });
});
