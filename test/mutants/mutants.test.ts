import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECK_IDS, CHECKS } from '../../src/checks/index.ts';
import { packageRoot } from '../../src/cli/version.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { coveringFeed } from '../../src/feed/covering.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { batchFeeds, randomFeed } from '../../src/feed/random.ts';
import { scopeFeeds } from '../../src/feed/scope.ts';
import { readEntries } from '../defects/entry.ts';
import { implementationOf, RIGHT } from './base.ts';
import { ALWAYS_FOLLOW, MUTANTS } from './index.ts';
import { judgeTogether, type Verdict } from './judge.ts';
import { byContract, type OpenedMutant, openMutant } from './open.ts';
import { named, unled } from './page.ts';

/** The short form of `npm run mutants`: scope 2, scope 3 for what is left, then some random histories. */
function* stages(
  contract: Contract,
): Generator<readonly [{ readonly size?: number; readonly isForRight?: true }, readonly Feed[]]> {
  const random = (index: number, keys: number) => randomFeed(contract, { seed: 1, index, keys });
  yield [{ size: 2 }, [...scopeFeeds(contract, 2)]];
  yield [{ size: 3, isForRight: true }, [...scopeFeeds(contract, 3)]];
  const first = [coveringFeed(contract), ...batchFeeds(contract, 1)];
  yield [{ isForRight: true }, [...first, random(0, 16), random(1, 64), random(2, 120)]];
  // A few need values that are rare, or more rows than a thousand.
  yield [{}, [4, 5, 6, 7, 8, 9].map((index) => random(index, 64))];
  yield [{}, [random(3, 1024)]];
}

describe('the mutants', () => {
  const opened: OpenedMutant[] = [];
  const verdicts = new Map<string, Verdict>();
  const findings: string[] = [];
  let contracts = 0;

  const tryGroup = async (group: readonly OpenedMutant[]) => {
    const { contract, implementation, join } = group[0]!;
    // The right implementation goes along, under the contracts that mutants are held to.
    const right = { ...group[0]!, implementation: implementationOf('right', RIGHT) };
    let left = group;
    for (const [stage, feeds] of stages(contract)) {
      const isWithRight = stage.isForRight && join === null && implementation.kind === 'function';
      const judged = await judgeTogether(isWithRight ? [...left, right] : left, feeds);
      if (isWithRight) findings.push(...judged.at(-1)!.failing);
      if (isWithRight && stage.size === 3) contracts++;
      for (const [at, one] of left.entries()) verdicts.set(one.mutant.id, judged[at]!);
      left = left.filter(({ mutant }) => verdicts.get(mutant.id)!.lead === null);
      if (left.length === 0) break;
    }
  };

  beforeAll(async () => {
    for (const mutant of MUTANTS) opened.push(await openMutant(mutant));
    // Two at a time: while one is planned here, the other runs in DuckDB.
    const waiting = [...byContract(opened)];
    const lane = async () => {
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) await tryGroup(group);
    };
    await Promise.all([lane(), lane()]);
  }, 300_000);

  afterAll(async () => {
    for (const { implementation } of opened) await implementation.close();
  });

  it('are made from an implementation without a finding under any of their contracts', () => {
    expect(findings).toEqual([]);
    expect(contracts).toBeGreaterThan(8);
  });

  it.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))(
    '%s is caught as it declares',
    (id, mutant) => {
      expect([mutant.leads, ...(mutant.mayLead ?? [])]).toContain(verdicts.get(id)!.lead);
    },
  );

  it('have a leading one for each check that can lead', () => {
    expect(unled()).toEqual([]);
    const led = new Set([...verdicts.values()].map(({ lead }) => lead));
    const able = CHECKS.map(({ id }) => id).filter((id) => !ALWAYS_FOLLOW.includes(id));
    expect(able.filter((id) => !led.has(id))).toEqual([]);
  });

  it('prove each check on the table with all other checks off', () => {
    const table = CHECKS.filter(({ group }) => group === 'table').map(({ id }) => id);
    const led = new Set([...verdicts.values()].map(({ tableLead }) => tableLead));
    expect(table.filter((id) => !led.has(id))).toEqual([]);
  });
});

describe('the list of mutants', () => {
  it('has ids of its own, and leads that are checks', () => {
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
    for (const { leads, mayLead = [] } of MUTANTS)
      for (const check of [leads, ...mayLead]) expect(CHECK_IDS).toContain(check);
  });

  it('stands for every kind of defect that people reported', async () => {
    const entries = await readEntries(join(import.meta.dirname, '../defects/reported.jsonl'));
    const ids = new Set(entries.map(({ id }) => id));
    const sources = MUTANTS.flatMap(({ source }) => source.filter((one) => /^[A-Z]{3}-\d+$/.test(one)));
    expect(sources.filter((id) => !ids.has(id))).toEqual([]);
    const covered = new Set(entries.filter(({ id }) => sources.includes(id)).map(({ kind }) => kind));
    const kinds = [...new Set(entries.map(({ kind }) => kind))];
    expect(kinds.filter((kind) => !covered.has(kind))).toEqual([]);
  });

  it('is the one in docs/mutants.md; else run `npm run mutants`', () => {
    const page = readFileSync(join(packageRoot(), 'docs/mutants.md'), 'utf8');
    const rows = page
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '').trim()));
    const listed = rows.filter((cells) => cells.length < CHECKS.length).map((cells) => cells.slice(0, 3));
    expect(listed).toEqual(MUTANTS.map((mutant) => [...named(mutant)]));
  });
});
