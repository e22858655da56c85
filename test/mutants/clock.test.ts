import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/cli/version.ts';
import { declareContract } from '../../src/contract/declare.ts';
import { coveringFeed } from '../../src/feed/covering.ts';
import { scopeFeeds } from '../../src/feed/scope.ts';
import { openImplementation } from '../../src/plugins/open.ts';
import type { OpenedImplementation } from '../../src/plugins/opened.ts';
import { runClock } from '../../src/repetition/clock.ts';
import { runPart } from '../../src/runner/packed-part.ts';
import { CLOCK } from './list/clock.ts';
import { linesOf, openMutant } from './open.ts';

let folder = '';
const opened: OpenedImplementation[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scd2check-clock-'));
});
afterAll(async () => {
  for (const one of opened) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

function clock(implementation: OpenedImplementation, declaration: Record<string, string> = {}) {
  const { contract } = declareContract([implementation.declared, linesOf(declaration)]);
  return runClock({
    implementation,
    contract,
    seed: 1,
    deadline: Number.POSITIVE_INFINITY,
    shrinkMs: 60_000,
    stop: () => false,
    replay: (feed) => feed,
  });
}

async function written(name: string, text: string): Promise<OpenedImplementation> {
  const path = join(folder, name);
  writeFileSync(path, text);
  const implementation = await openImplementation(path);
  opened.push(implementation);
  return implementation;
}

describe('a script that reads a clock', () => {
  it.each(CLOCK)('is caught, and led as it declares ($id)', async (mutant) => {
    const { implementation, contract } = await openMutant(mutant);
    opened.push(implementation);
    // What is sent once does not show it.
    const part = await runPart([...scopeFeeds(contract, 3), coveringFeed(contract)], {
      implementation,
      contract,
    });
    expect(part.failing).toEqual([]);
    const { tally, findings, whyNot } = await clock(implementation);
    expect(whyNot).toBe(null);
    expect(tally!.count).toBeGreaterThan(0);
    expect(findings.map(({ check, feed }) => [check, feed])).toEqual([
      [mutant.leads, 'repetition/clock-injected'],
    ]);
    expect(findings[0]!.message).toMatch(
      contract.clock === 'moved' ? /it read the clock twice/ : /depends on when it runs/,
    );
    expect(findings[0]!.counterexample.batches.length).toBeLessThanOrEqual(2);
  });
});

const CLOSE_AND_OPEN = `UPDATE dimension AS d SET valid_to = NOW, is_current = false
  WHERE d.is_current AND NOT EXISTS (
    FROM batch AS b
    WHERE b.customer_id = d.customer_id AND b.customer_segment IS NOT DISTINCT FROM d.customer_segment);
  INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
  SELECT b.customer_id, b.customer_segment, b.street, NOW, NULL, true
  FROM batch AS b ANTI JOIN dimension AS d ON d.customer_id = b.customer_id AND d.is_current;`;

describe('an implementation that is right whatever the clock shows', () => {
  it.each(['sql', 'ts'])('has no finding (observation-log.%s)', async (suffix) => {
    const implementation = await openImplementation(
      join(packageRoot(), 'examples', `observation-log.${suffix}`),
    );
    opened.push(implementation);
    const { tally, findings, whyNot } = await clock(implementation);
    expect(whyNot).toBe(null);
    expect(findings).toEqual([]);
    expect(tally!.exercised).toBeGreaterThan(50);
  });

  it('reads it in one transaction, in which it stands still', async () => {
    const script = `BEGIN; ${CLOSE_AND_OPEN.replaceAll('NOW', 'now()')} COMMIT;`;
    const { tally, findings } = await clock(await written('transaction.sql', script), { clock: 'moved' });
    expect(findings).toEqual([]);
    expect(tally!.exercised).toBeGreaterThan(50);
  });

  it('reads it once, though not first', async () => {
    const script = `SELECT 1; SELECT 2; SET VARIABLE t = now(); ${CLOSE_AND_OPEN.replaceAll('NOW', "getvariable('t')")}`;
    const { findings } = await clock(await written('once.sql', script), { clock: 'moved' });
    expect(findings).toEqual([]);
  });

  it('reads it once, in days', async () => {
    const script = `SELECT 1; SET VARIABLE t = (SELECT current_date); ${CLOSE_AND_OPEN.replaceAll('NOW', "getvariable('t')")}`;
    const days = { clock: 'moved', grain: 'day', late: 'never' };
    expect((await clock(await written('day.sql', script), days)).findings).toEqual([]);
    const twice = CLOSE_AND_OPEN.replaceAll('NOW', 'current_date');
    const { findings } = await clock(await written('days.sql', twice), days);
    expect(findings.map(({ check }) => check)).toEqual(['clock-injected']);
  });
});

const MODULE = (stamp: string, filter: string) => `
export default function apply(state, rows, { asOf }) {
  const incoming = new Map(rows.filter(() => ${filter}).map((row) => [row.customer_id, row]));
  const kept = (state ?? []).map((version) => {
    if (version.valid_to !== null) return version;
    const row = incoming.get(version.customer_id);
    if (row === undefined || row.customer_segment !== version.customer_segment)
      return { ...version, valid_to: ${stamp}, is_current: false };
    incoming.delete(version.customer_id);
    return { ...version, street: row.street };
  });
  return [...kept, ...[...incoming.values()].map((row) => ({ ...row, valid_from: ${stamp}, valid_to: null, is_current: true }))];
}`;

describe('a function', () => {
  it('is caught where it asks the clock what to load', async () => {
    const implementation = await written('filter.mjs', MODULE('asOf', 'new Date(asOf) <= new Date()'));
    const { findings } = await clock(implementation, { late: 'never' });
    expect(findings.map(({ check, message }) => [check, message])).toEqual([
      ['clock-injected', expect.stringContaining('depends on when it runs')],
    ]);
  });

  it('is caught where it reads the clock for each stamp, once that ticks', async () => {
    const implementation = await written('stamps.mjs', MODULE('new Date().toISOString()', 'true'));
    const { findings } = await clock(implementation, {
      clock: 'moved',
      grain: 'millisecond',
      late: 'never',
    });
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('it read the clock twice'),
    ]);
  });

  it('is not sent to another time where its clock is too coarse for the contract', async () => {
    const implementation = await written('coarse.mjs', MODULE('asOf', 'true'));
    const { tally, whyNot } = await clock(implementation, { clock: 'moved', late: 'never' });
    expect(tally).toBe(null);
    expect(whyNot).toContain('shows milliseconds, and the contract says `grain: microsecond`');
  });
});
