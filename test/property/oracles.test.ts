import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { STRICT } from '../../src/contract/presets.ts';
import { TYPES } from '../../src/contract/types.ts';
import { contracts, describe, disagreement, feeds, shrink } from '../verify/oracle-equality.ts';

test('the DuckDB oracle and the TypeScript oracle say the same under every contract', async () => {
  const drawn = contracts.chain((contract) =>
    fc.tuple(fc.constant(contract), fc.array(feeds(contract, 40, 10), { minLength: 3, maxLength: 3 })),
  );
  for (const [contract, sent] of fc.sample(drawn, { numRuns: 12, seed: 20 })) {
    const found = await disagreement(contract, sent);
    expect(found === null ? null : describe(contract, await shrink(contract, found))).toBeNull();
  }
});

/** `strict` but for the columns and when loads may come: few of all contracts have deletes after which a key begins anew. */
const plain = (type: Contract['type']) =>
  fc
    .record({ any: ofType(type), late: fc.constantFrom('apply' as const, 'ignore' as const) })
    .map(({ any: { columns, historyHolds }, late }): Contract => {
      const own = { ...columns, partition: null };
      return { ...STRICT, type, historyHolds, late, sameInstant: 'last', columns: own };
    });

const ofType = (type: Contract['type']) => contracts.filter((contract) => contract.type === type);

test.each(TYPES)('they say the same of dimensions of type %s', async (type) => {
  const drawn = (from: fc.Arbitrary<Contract>, numRuns: number) =>
    fc.sample(
      from.chain((contract) =>
        fc.tuple(fc.constant(contract), fc.array(feeds(contract, 40, 10), { minLength: 2, maxLength: 2 })),
      ),
      { numRuns, seed: 21 },
    );
  for (const [contract, sent] of [...drawn(plain(type), 2), ...drawn(ofType(type), 4)]) {
    const found = await disagreement(contract, sent);
    expect(found === null ? null : describe(contract, await shrink(contract, found))).toBeNull();
  }
});
