import fc from 'fast-check';
import { UsageError } from '../cli/usage-error.ts';
import { type Contract, FOLDINGS, OPTIONS } from '../contract/contract.ts';
import { declareContract } from '../contract/declare.ts';

/** Contracts for the tests of this folder, declared as people declare them. */

export function contractOf(fields: Readonly<Record<string, unknown>>): Contract {
  const lines = Object.entries(fields).map(([name, value]) => ({ name, value, where: 'test' }));
  return declareContract([lines]).contract;
}

/** The four presets, and a change stream and a delta with all roles. */
export const NAMED: Readonly<Record<string, Contract>> = {
  strict: contractOf({}),
  'daily-merge': contractOf({
    contract: 'daily-merge',
    key: 'nk integer',
    tracked: 'attr',
    untracked: 'street',
  }),
  stream: contractOf({ contract: 'stream' }),
  recipe: contractOf({ contract: 'recipe' }),
};

const KEYS = [
  'id',
  'nk integer',
  'k1, k2',
  'code text(4), nr integer',
  'k bigint',
  'k date, l text',
  'part, k',
  'flag boolean',
];
const TRACKED = [
  'a',
  'a, b',
  'a text(3), b text(3), c text(3)',
  'a integer, b integer, c double',
  'a decimal(12,9), b boolean not null',
  'a text not null',
  'a date, b timestamp, c bigint',
  'a text(1)',
  'a, changed_at timestamp not null',
  'a, op',
];
const UNTRACKED = ['u', 'u integer, v text(2) not null', null];

const contracts = fc.record({
  ...(Object.fromEntries(
    Object.entries(OPTIONS)
      .filter(([field]) => !['type', 'clock', 'openMarker', 'transaction', 'end'].includes(field))
      .map(([field, { options }]) => [field, fc.constantFrom<string>(...options)]),
  ) as Record<string, fc.Arbitrary<string>>),
  firstStart: fc.constantFrom('observed', 'observed', '1970-01-01', 'created_at'),
  compare: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray([...FOLDINGS]) },
  ),
  keyCompare: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray([...FOLDINGS]) },
  ),
  key: fc.constantFrom(...KEYS),
  tracked: fc.constantFrom(...TRACKED),
  untracked: fc.constantFrom(...UNTRACKED),
  operation: fc.constantFrom('op', 'op', 'op text(1) not null', null),
  sequence: fc.constantFrom('seq', 'seq integer', null),
  partition: fc.constantFrom(null, null, 'part'),
});

/** Random contracts that do not contradict themselves. */
export function someContracts(count: number, seed: number): readonly Contract[] {
  const declared = fc.sample(contracts, { seed, numRuns: count * 4 }).flatMap((drawn) => {
    const fields: Record<string, unknown> = drawn;
    try {
      const needsInstant = fields['feed'] === 'changes' || fields['stamp'] === 'row-time';
      return [
        contractOf({ ...fields, ...(needsInstant ? { changedAt: 'changed_at timestamp not null' } : {}) }),
      ];
    } catch (error) {
      if (error instanceof UsageError) return [];
      throw error;
    }
  });
  return declared.slice(0, count);
}
