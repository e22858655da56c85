import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { start } from './bin.ts';

const folder = mkdtempSync(join(tmpdir(), 'scd2check-break-'));
afterAll(() => rmSync(folder, { recursive: true }));

const example = join(import.meta.dirname, '..', '..', 'examples', 'observation-log.sql');
const broken = (...args: string[]) => start(folder, ['break', ...args]).ended;

describe('scd2check break', () => {
  test('catches every mistake in the example but those in the untracked street', async () => {
    const { code, stdout } = await broken(example, '--scope', '2');
    const results = [
      ...stdout.matchAll(/^ +(\d+) {2}\S.*? {2,}(SURVIVED|does not run|[a-z-]+)(?: +[\d.]+)?$/gm),
    ];
    expect(results.length).toBeGreaterThan(20);
    const street = '44';
    expect(results.filter(([, line, result]) => result === 'SURVIVED' && line !== street)).toEqual([]);
    expect(results.filter(([, , result]) => result === 'does not run')).toEqual([]);
    expect(stdout).toContain('mutants were caught, 2 survived.');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(code).toBe(1);
  }, 400_000);

  test('says of a script that is not right why breaking it shows nothing', async () => {
    writeFileSync(
      join(folder, 'append.sql'),
      `-- scd2check:key customer_id
-- scd2check:tracked customer_segment
INSERT INTO dimension BY NAME SELECT *, :as_of::TIMESTAMP AS valid_from, NULL::TIMESTAMP AS valid_to FROM batch;`,
    );
    const { code, stdout } = await broken('append.sql');
    expect(stdout).toMatch(/not right yet: [a-z-]+: .*\nMake `scd2check` pass first\./);
    expect(code).toBe(1);
  });

  test.each([
    [['nothing.sql'], 'There is no nothing.sql, so there is nothing to break.'],
    [['impl.py'], 'changes SQL scripts, and `impl.py` is none.'],
    [[], 'needs one SQL script'],
    [[example, '--scope', 'all'], '`--scope` cannot be `all`. Write a whole number.'],
  ])('answers %j with one message and 2', async (args, message) => {
    const { code, stdout, stderr } = await broken(...args);
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, '']);
  });
});
