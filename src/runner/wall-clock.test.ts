import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declareContract } from '../contract/declare.ts';
import { scopeFeeds } from '../feed/scope.ts';
import { openImplementation } from '../plugins/open.ts';
import { runPart } from './packed-part.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scd2check-wall-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Checks that fail in every history of up to three batches. */
async function failing(
  name: string,
  text: string,
  ...lines: readonly (readonly [string, string])[]
): Promise<readonly string[]> {
  const path = join(folder, name);
  writeFileSync(path, text);
  const implementation = await openImplementation(path);
  const { contract } = declareContract([
    implementation.declared,
    lines.map(([field, value]) => ({ name: field, value, where: 'test' })),
  ]);
  try {
    const part = await runPart(scopeFeeds(contract, 3), {
      implementation,
      contract,
    });
    if (part.failure !== null) throw part.failure.failure;
    expect(part.histories).toBeGreaterThan(10);
    const found = part.tallies.flat().filter(({ count }) => count > 0);
    return [...new Set(found.map(({ id }) => id))].sort();
  } finally {
    await implementation.close();
  }
}

/** A load that stamps with the time of `clock`, in one transaction or each statement by itself. */
function load(clock: string, inOne: boolean, compared = 'IS NOT DISTINCT FROM'): string {
  return `${inOne ? 'BEGIN;' : ''}
UPDATE dimension AS d SET valid_to = ${clock}, is_current = false
WHERE d.is_current AND NOT EXISTS (
  FROM batch AS b
  WHERE b.customer_id = d.customer_id AND b.customer_segment ${compared} d.customer_segment);
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, ${clock}, NULL, true
FROM batch AS b ANTI JOIN dimension AS d ON d.customer_id = b.customer_id AND d.is_current;
${inOne ? 'COMMIT;' : ''}`;
}

const WALL = ['clock', 'wall'] as const;

describe('an implementation that calls the clock', () => {
  it('fails in all that concerns time under an injected clock, clock-injected among it', async () => {
    expect(await failing('now.sql', load('now()', true), ['late', 'never'])).toContain('clock-injected');
  });

  it('is right under `clock: wall` where all else is', async () => {
    expect(await failing('now.sql', load('now()', true), WALL)).toEqual([]);
  });

  it('is judged on everything else', async () => {
    expect(await failing('wrong.sql', load('now()', true, '='), WALL)).toContain('no-repeat');
  });

  it('is told where it reads the clock twice in one load', async () => {
    expect(await failing('twice.sql', load('now()', false), WALL)).toEqual(['clock-injected']);
  });

  it('is told that its loads of one day cannot be told apart', async () => {
    await expect(failing('day.sql', load('current_date', true), WALL, ['grain', 'day'])).rejects.toThrow(
      'at `grain: day` the loads of a test all have one; declare `clock: moved`',
    );
  });

  it('is right by the day where the clock can be moved', async () => {
    const moved = [
      ['clock', 'moved'],
      ['grain', 'day'],
      ['late', 'never'],
    ] as const;
    expect(await failing('today.sql', load('current_date', true), ...moved)).toEqual([]);
  });

  it('is found out by the day where the clock is its own', async () => {
    const own = [
      ['grain', 'day'],
      ['late', 'never'],
    ] as const;
    expect(await failing('today.sql', load('current_date', true), ...own)).toContain('clock-injected');
  });

  it('is waited for where it keeps seconds', async () => {
    const started = performance.now();
    const seconds = await failing('seconds.sql', load("date_trunc('second', now())", true), WALL, [
      'grain',
      'second',
    ]);
    expect(seconds).toEqual([]);
    // Three batches, so at least one whole second lies between the first and the last.
    expect(performance.now() - started).toBeGreaterThan(1000);
  });

  const MODULE = `
    export function apply(state, rows, { asOf }) {
      const now = new Date();
      const incoming = new Map(rows.map((row) => [row.customer_id, row]));
      const kept = (state ?? []).map((version) => {
        if (version.valid_to !== null) return version;
        const row = incoming.get(version.customer_id);
        if (row === undefined || row.customer_segment !== version.customer_segment) return { ...version, valid_to: now, is_current: false };
        incoming.delete(version.customer_id);
        return version;
      });
      return [...kept, ...[...incoming.values()].map((row) => ({ ...row, valid_from: now, valid_to: null, is_current: true }))];
    }
    export default apply;`;

  it.each(['UTC', 'America/New_York', 'Asia/Kathmandu'])(
    'is right in a process of the zone %s',
    async (zone) => {
      const before = process.env['TZ'];
      process.env['TZ'] = zone;
      try {
        expect(await failing('now.mjs', MODULE, WALL)).toEqual([]);
      } finally {
        if (before === undefined) delete process.env['TZ'];
        else process.env['TZ'] = before;
      }
    },
  );
});
