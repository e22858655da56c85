import { join } from 'node:path';
import { packageRoot } from '../../src/cli/version.ts';
import { declareContract } from '../../src/contract/declare.ts';
import { coveringFeed } from '../../src/feed/covering.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { batchFeeds, randomFeed } from '../../src/feed/random.ts';
import { scopeFeeds } from '../../src/feed/scope.ts';
import { openImplementation } from '../../src/plugins/open.ts';
import type { OpenedImplementation } from '../../src/plugins/opened.ts';
import { runPart } from '../../src/runner/packed-part.ts';
import { ballastOf, keysOf } from '../../src/search/project.ts';
import installSqlite from '../engines/sqlite.ts';
import { implementationOf, RIGHT } from '../mutants/base.ts';
import {
  CHANGES,
  DELTA,
  DOUBLES,
  FOREVER,
  IGNORING,
  MARKED,
  NUMBERS,
  PAIR,
  REFUSING,
  SECONDS,
  STRICT,
  TIES,
  TYPE_1,
  TYPE_3,
  TYPE_4,
  TYPE_4_PAST,
  TYPE_6,
  WAREHOUSE,
  WIDE,
} from '../mutants/contracts.ts';
import type { Declaration } from '../mutants/mutant.ts';
import { linesOf } from '../mutants/open.ts';

/**
 * `npm run verify [-- <histories> [<name>]]`: no correct implementation gets a finding. Each of the examples, and the base of the mutants,
 * under each of its contracts goes through scope 4, the covering feed and at least so many random histories (100,000 unless given).
 * Exits 1 at the first finding.
 */
const wanted = Number(process.argv[2] ?? 100_000);
const only = process.argv[3] ?? null;
const SEED = 1;

/** The examples keep snapshots as they were; these are the contracts that that is right under. */
const FOR_EXAMPLES: readonly Declaration[] = [
  STRICT,
  { late: 'never', deletes: 'never' },
  { sameInstant: 'last', untracked: 'current' },
  { lateEvidence: 'dimension' },
];

/** Contracts that say different things of the same feeds; under `lateEvidence: dimension` the base keeps nothing but its own table. */
const FOR_BASE: readonly Declaration[] = [
  STRICT,
  WIDE,
  NUMBERS,
  DOUBLES,
  PAIR,
  DELTA,
  CHANGES,
  TIES,
  REFUSING,
  IGNORING,
  MARKED,
  WAREHOUSE,
  SECONDS,
  FOREVER,
  { lateEvidence: 'dimension' },
  { ...DELTA, lateEvidence: 'dimension' },
  { ...CHANGES, late: 'ignore', batchStates: 'latest', duplicates: 'first' },
  { deletes: 'ignore', untracked: 'all' },
  TYPE_1,
  TYPE_3,
  TYPE_4,
  TYPE_4_PAST,
  TYPE_6,
  { ...DELTA, type: '3', deletes: 'marker-row' },
  { ...CHANGES, type: '4', lateEvidence: 'dimension' },
  { reappearance: 'bridge', compare: 'trim case-insensitive', keyCompare: 'case-insensitive empty-is-null' },
];

interface Subject {
  readonly name: string;
  readonly open: () => Promise<OpenedImplementation>;
  readonly contracts: readonly Declaration[];
}

const SUBJECTS: readonly Subject[] = [
  ...['sql', 'sqlite.sql', 'ts', 'py'].map((extension) => ({
    name: `observation-log.${extension}`,
    open: () => openImplementation(join(packageRoot(), `examples/observation-log.${extension}`)),
    contracts: FOR_EXAMPLES,
  })),
  ...['1', '3', '4', '6'].flatMap((type) =>
    ['sql', 'ts'].map((extension) => ({
      name: `type-${type}.${extension}`,
      open: () => openImplementation(join(packageRoot(), `examples/types/type-${type}.${extension}`)),
      contracts: [STRICT],
    })),
  ),
  {
    name: 'base',
    open: async () => implementationOf('base', RIGHT),
    contracts: FOR_BASE,
  },
];

installSqlite();
for (const { name, open, contracts } of SUBJECTS) {
  if (only !== null && only !== name) continue;
  for (const declaration of contracts) await verify(name, open, declaration);
}

async function verify(name: string, open: Subject['open'], declaration: Declaration): Promise<void> {
  const started = performance.now();
  const implementation = await open();
  try {
    const { contract } = declareContract([implementation.declared, linesOf(declaration)]);
    let histories = 0;
    function* feeds(): Generator<Feed> {
      yield* scopeFeeds(contract, 4);
      yield coveringFeed(contract);
      yield* batchFeeds(contract, SEED);
      // A feed holds fewer where the key columns have room for fewer, so this counts what came.
      const ballast = ballastOf(contract);
      for (let index = 0; histories < wanted; index++) {
        const feed = randomFeed(contract, { seed: SEED, index, keys: 2000 });
        histories += keysOf(feed, contract).filter((key) => !ballast.has(key)).length;
        yield feed;
      }
    }
    const part = await runPart(feeds(), {
      implementation,
      contract,
    });
    const about = `${name} under ${JSON.stringify(declaration)}`;
    if (part.failure !== null) throw new Error(`${about}: ${part.failure.failure.message}`);
    const first = part.failing[0];
    if (first !== undefined) {
      console.error(
        `${about}: ${first.check} fails for ${first.key} at batch ${first.step + 1} of ${first.feed.id}.`,
      );
      process.exit(1);
    }
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(
      `${about}: no finding in ${part.histories} histories, ${part.forgiven} forgiven; ${seconds} s`,
    );
  } finally {
    await implementation.close();
  }
}
