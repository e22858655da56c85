import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, scd2check, unwrapped } from './bin.ts';

const SCHEMA = new URL('../../docs/schemas/compare-1.json', import.meta.url);
const validate = new Ajv().compile(JSON.parse(await readFile(SCHEMA, 'utf8')));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scd2check-compare-'));
  const rows = (...lines: string[]) =>
    ['customer_id,segment,sk,valid_from,valid_to', ...lines, ''].join('\n');
  await writeFile(
    join(folder, 'old.csv'),
    rows('1,A,10,2026-01-01,2026-02-01', '1,B,11,2026-02-01,', '2,A,12,2026-01-01,'),
  );
  await writeFile(
    join(folder, 'same.csv'),
    rows('2,A,7,2026-01-01,', '1,A,8,2026-01-01,2026-02-01', '1,B,9,2026-02-01,'),
  );
  await writeFile(
    join(folder, 'moved.csv'),
    rows('1,A,1,2026-01-01,2026-02-03', '1,B,2,2026-02-03,', '3,A,3,2026-01-01,'),
  );
  await writeFile(join(folder, 'empty.csv'), '');
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...args: string[]): Promise<Ended> => scd2check(folder, ['compare', ...args]);

describe('compare', () => {
  test('exits with 0 where only surrogate keys and the order of rows differ', async () => {
    expect(await run('old.csv', 'same.csv', '--quiet')).toMatchObject({
      code: 0,
      stdout: 'SAME  keys with the same history: 2\n',
      stderr: '',
    });
  });

  test('exits with 1 where histories differ, and shows the time and both values', async () => {
    const { code, stdout } = await run('old.csv', 'moved.csv');
    expect(code).toBe(1);
    expect(stdout).toContain('DIFFERENT');
    expect(stdout).toMatch(/1 +2026-02-01 +2026-02-03 +segment B +segment A/);
    expect(stdout).toMatch(/3 +2026-01-01 +open +– +segment A/);
  });

  test('gives its report as JSON', async () => {
    const report = JSON.parse((await run('old.csv', 'moved.csv', '--reporter', 'json')).stdout);
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    expect(report.keys).toEqual({ same: 0, different: 1, onlyOld: 1, onlyNew: 1 });
    expect(report.kinds.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['added', 'gone', 'value']);
  });

  test.each([
    [['old.csv'], 'needs two tables'],
    [['old.csv', 'nowhere.csv'], '`nowhere.csv`'],
    [['old.csv', 'empty.csv'], '0 bytes'],
    [['old.csv', 'postgres://me:secret@localhost/db#t'], 'Export the table as Parquet'],
    [['old.csv', 'same.csv', '--key', 'customer'], '`customer`'],
    [['old.csv', 'same.csv', '--examples', 'many'], '`many`'],
    [['old.csv', 'same.csv', '--reporter', 'xml'], 'no reporter `xml` for comparisons'],
  ])('%o is wrong usage', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(unwrapped(stderr)).toContain(message);
    expect(stderr).not.toContain('secret');
  });
});
