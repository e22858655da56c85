import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditReport } from '../../src/audit/report.ts';
import { Database } from '../../src/duckdb/connection.ts';
import { writePlanted } from '../audit/planted.ts';
import { scd2check, unwrapped } from './bin.ts';

/** What `audits` in the configuration says of tables: the flags of their names, which win over it. */
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'scd2check-audits-')));
  await mkdir(join(folder, 'mart'));
  const db = await Database.open();
  await writePlanted(db, join(folder, 'mart'), 200);
  db.close();
  await configured([RIGHT, PLANTED]);
});
afterAll(() => rm(folder, { recursive: true }));

const COLUMNS = {
  key: 'customer_id',
  tracked: ['segment', 'street'],
  contract: { deletes: 'never', surrogateKey: 'sk', hash: 'row_hash' },
};
const RIGHT = { table: 'mart/right.parquet', ...COLUMNS };
const PLANTED = { table: 'mart/planted.parquet', ...COLUMNS, severity: { all: 'warn' } };

const configured = (audits: unknown) =>
  writeFile(join(folder, 'scd2check.config.json'), JSON.stringify({ audits }));

async function report(args: readonly string[], cwd = folder): Promise<AuditReport> {
  const { stdout, stderr } = await scd2check(cwd, ['audit', ...args, '--reporter', 'json:-']);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('without a table, each of the configuration is audited', async () => {
  const { code, stdout } = await scd2check(folder, ['audit', '--quiet']);
  expect(stdout).toContain('PASS  mart/right.parquet');
  expect(stdout).toContain('PASS  mart/planted.parquet');
  expect(code).toBe(0);
  await configured([{ ...PLANTED, severity: {} }, RIGHT]);
  expect((await scd2check(folder, ['audit', '--quiet'])).code).toBe(1);
  await configured([RIGHT, PLANTED]);
});

test('what it says of a table holds where the table is named, from another folder too', async () => {
  const { contract, checks } = await report(['planted.parquet'], join(folder, 'mart'));
  expect(contract).toMatchObject({ deletes: 'never' });
  expect(checks.find(({ id }) => id === 'no-overlap')).toMatchObject({ severity: 'warn', verdict: 'warn' });
});

test('flags win: of a check, and of everything else', async () => {
  const { checks, contract } = await report([
    'mart/planted.parquet',
    ...['--severity', 'no-overlap=error', '--tracked', 'segment', '--set', 'deletes=close'],
  ]);
  expect(checks.find(({ id }) => id === 'no-overlap')!.verdict).toBe('fail');
  expect(checks.find(({ id }) => id === 'no-repeat')!.verdict).toBe('warn');
  expect(checks.find(({ id }) => id === 'contiguous')!.verdict).toBe('skipped');
  expect(contract.columns).toMatchObject({ tracked: ['segment text'] });
});

test('baseline, thresholds and reporters come from it', async () => {
  const written = await scd2check(folder, [
    'audit',
    'mart/planted.parquet',
    '--quiet',
    '--write-baseline',
    'mart/known.txt',
  ]);
  expect(written.code).toBe(0);
  await configured([
    { ...PLANTED, severity: {}, baseline: 'mart/known.txt', reporters: ['json:-'] },
    { ...RIGHT, threshold: { 'no-overlap': '0.1%', 'no-repeat': 3 } },
  ]);
  const { code, stdout } = await scd2check(folder, ['audit', 'mart/planted.parquet']);
  expect(JSON.parse(stdout).baseline).toMatchObject({ new: 0 });
  expect(code).toBe(0);
  const { checks } = await report(['mart/right.parquet']);
  expect(checks.find(({ id }) => id === 'no-overlap')!.allowed).toEqual({ count: 0, share: 0.001 });
  expect(checks.find(({ id }) => id === 'no-repeat')!.allowed).toEqual({ count: 3, share: 0 });
});

test.each([
  ['mart/right.parquet', '`audits` must be a list of tables'],
  [[{ key: 'customer_id' }], 'audits[0] must be an object that names a table'],
  [[RIGHT, { ...RIGHT, tracket: 'a' }], 'audits[1]: there is no setting `tracket`. Did you mean `tracked`?'],
  [[{ ...RIGHT, warnError: 'yes' }], 'audits[0]: `warnError` must be true or false; it is "yes"'],
  [[{ ...RIGHT, severity: ['no-repeat'] }], '`severity` must be an object with a value for each check'],
  [[{ ...RIGHT, severity: { 'no-repeet': 'warn' } }], 'Did you mean `no-repeat`?'],
  [[{ ...RIGHT, key: 'custmer_id' }], 'Did you mean `customer_id`?'],
  [[{ ...RIGHT, table: 'mart/rigth.parquet' }], 'There is no file or folder `mart/rigth.parquet`.'],
])('a configuration that means nothing exits 2 with one message', async (audits, message) => {
  await configured(audits);
  const { code, stdout, stderr } = await scd2check(folder, ['audit']);
  expect(unwrapped(stderr)).toContain(message);
  expect(stdout).toBe('');
  expect(code).toBe(2);
});
