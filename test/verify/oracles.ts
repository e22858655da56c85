import fc from 'fast-check';
import { contracts, countHistories, describe, disagreement, feeds, shrink } from './oracle-equality.ts';

/**
 * `npm run verify:oracles [-- <histories> [<seed>]]`: the two oracles say the same of at least a million random histories, with every
 * field of the contract varied. Exits 1 at the first disagreement, with the smallest feed that shows it.
 */
const wanted = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? 1);
const FEEDS = 6;
const KEYS = 1500;

let histories = 0;
let contractsTried = 0;
const started = performance.now();
while (histories < wanted) {
  const drawn = contracts.chain((contract) =>
    fc.tuple(
      fc.constant(contract),
      fc.array(feeds(contract, KEYS, KEYS), { minLength: FEEDS, maxLength: FEEDS }),
    ),
  );
  const [[contract, sent]] = fc.sample(drawn, { numRuns: 1, seed: seed * 1_000_003 + contractsTried }) as [
    [never, never],
  ];
  const found = await disagreement(contract, sent);
  if (found !== null) {
    console.error(describe(contract, await shrink(contract, found)));
    process.exit(1);
  }
  contractsTried++;
  histories += (sent as Parameters<typeof countHistories>[0][]).reduce(
    (sum, feed) => sum + countHistories(feed),
    0,
  );
  if (contractsTried % 20 === 0)
    console.error(
      `${histories} histories under ${contractsTried} contracts, ${Math.round((performance.now() - started) / 1000)} s`,
    );
}
console.log(`The oracles agree on ${histories} histories under ${contractsTried} contracts (seed ${seed}).`);
