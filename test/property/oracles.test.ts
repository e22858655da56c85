import fc from 'fast-check';
import { expect, test } from 'vitest';
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

test.each(TYPES)('they say the same of dimensions of type %s', async (type) => {
  const drawn = contracts
    .filter((contract) => contract.type === type)
    .chain((contract) =>
      fc.tuple(fc.constant(contract), fc.array(feeds(contract, 40, 10), { minLength: 2, maxLength: 2 })),
    );
  for (const [contract, sent] of fc.sample(drawn, { numRuns: 4, seed: 21 })) {
    const found = await disagreement(contract, sent);
    expect(found === null ? null : describe(contract, await shrink(contract, found))).toBeNull();
  }
});
