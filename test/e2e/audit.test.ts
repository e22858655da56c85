import { mkdir, mkdtemp, readdir, readFile, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/audit/report.ts';
import { Database } from '../../src/duckdb/connection.ts';
import { expectedCounts, FLAGS, PLANTED, writePlanted } from '../audit/planted.ts';
import { type Ended, scd2check, start, unwrapped } from './bin.ts';

const SCHEMA = JSON.parse(
  await readFile(new URL('../../docs/schemas/audit-1.json', import.meta.url), 'utf8'),
);
const validate = new Ajv({ allErrors: true }).compile(SCHEMA);

let folder: string;
let db: Database;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'scd2check-audit-')));
  db = await Database.open();
  await writePlanted(db, folder, 500);
});
afterAll(async () => {
  db.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]): Promise<Ended> => scd2check(folder, ['audit', ...args]);

async function audited(...args: string[]): Promise<AuditReport> {
  const { stdout, stderr } = await run(...args, '--reporter', 'json:-');
  expect(stderr).toBe('');
  const report: AuditReport = JSON.parse(stdout);
  validate(report);
  expect(validate.errors ?? []).toEqual([]);
  return report;
}

/** Leading violations by check, where there are any. */
function leading({ checks }: AuditReport): Record<string, number> {
  return Object.fromEntries(
    checks.filter((check) => check.leading > 0).map((check) => [check.id, check.leading]),
  );
}

/** A table in a file, of what a SELECT gives. */
async function written(name: string, sql: string, options = ''): Promise<string> {
  await db.run(`COPY (${sql}) TO '${join(folder, name)}' ${options}`);
  return name;
}

const RIGHT = () => `FROM '${join(folder, 'right.parquet')}'`;
const SMALL = `SELECT * FROM (VALUES (1, 'A', TIMESTAMP '2026-01-01', TIMESTAMP '2026-02-01', false), (1, 'B', TIMESTAMP '2026-02-01', NULL, true)) t (id, name, valid_from, valid_to, is_current)`;

describe('a table of type 6', () => {
  const rows = (current: string) =>
    `SELECT * FROM (VALUES ('C1', 'A', '${current}', DATE '2026-03-01', DATE '2026-03-02', false), ('C1', 'B', '${current}', DATE '2026-03-02', NULL, true)) t (customer_id, customer_segment, current_segment, valid_from, valid_to, is_current)`;

  test.each([
    ['its columns named', ['--set', 'current=current_segment of customer_segment']],
    ['its type alone', []],
  ])('has its current values beside its attributes (%s)', async (_, flags) => {
    const now = await written('six.parquet', rows('C'));
    const before = await written('six-before.parquet', rows('B'));
    const report = await audited(now, '--previous', before, '--set', 'type=6', ...flags);
    expect(leading(report)).toEqual({});
    expect(report.contract['columns']).toMatchObject({ tracked: ['customer_segment text'], current: [] });
    expect(report.notes.join(' ')).toContain('the current values that type 6 has beside them are not');
  });
});

describe('planted defects', () => {
  test('a right table passes, with every check exercised', async () => {
    const report = await audited('right.parquet', ...FLAGS);
    expect(report.verdict).toBe('pass');
    expect(report.checks.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(report.table).toMatchObject({ rows: 2000, keys: 500, open: 500, gaps: 0 });
  });

  test('each is found, by the check it is for and by no other', async () => {
    expect(leading(await audited('planted.parquet', ...FLAGS))).toEqual(expectedCounts());
  });

  test('and so without the screen', async () => {
    expect(leading(await audited('planted.parquet', ...FLAGS, '--exact'))).toEqual(expectedCounts());
  });

  test('a check from every kind is planted', () => {
    expect(new Set(PLANTED.map(({ check }) => check)).size).toBe(11);
  });

  test('findings name the key, the versions around and the repair', async () => {
    const { findings, checks } = await audited('planted.parquet', ...FLAGS);
    const flag = findings.find(({ check }) => check === 'current-flag')!;
    expect(flag.key).toEqual({ customer_id: '91' });
    expect(flag.rows.filter(({ marked }) => marked)).toHaveLength(1);
    expect(flag.rows[0]!.values).toEqual({});
    expect(checks.find(({ id }) => id === 'current-flag')!.repair).toContain(
      'UPDATE dimension SET "is_current"',
    );
  });
});

describe('what can be read', () => {
  test.each([
    ['CSV', 'planted.csv', '(FORMAT csv, HEADER)'],
    ['JSON', 'planted.json', '(FORMAT json)'],
    ['a glob', 'part-1.parquet', ''],
  ])('%s gives the same findings', async (_, name, options) => {
    await written(name, `FROM '${join(folder, 'planted.parquet')}'`, options);
    const report = await audited(name.startsWith('part') ? 'part-*.parquet' : name, ...FLAGS);
    expect(leading(report)).toEqual(expectedCounts());
  });

  test('a folder of partitions, whose names are columns', async () => {
    await db.run(
      `COPY (SELECT *, customer_id % 3 AS part FROM '${join(folder, 'planted.parquet')}') TO '${join(folder, 'parts')}' (FORMAT parquet, PARTITION_BY (part))`,
    );
    expect(leading(await audited('parts', ...FLAGS))).toEqual(expectedCounts());
  });

  test('Arrow IPC', async () => {
    const table = await db.query(`FROM '${join(folder, 'planted.parquet')}'`);
    await writeFile(join(folder, 'planted.arrow'), tableToIPC(table, 'file'));
    expect(leading(await audited('planted.arrow', ...FLAGS))).toEqual(expectedCounts());
  });

  test('a table in a DuckDB file', async () => {
    const path = join(folder, 'warehouse.duckdb');
    const own = await Database.open({ path });
    await own.run(
      `CREATE TABLE dim AS FROM '${join(folder, 'planted.parquet')}'; CREATE TABLE other (a INTEGER)`,
    );
    own.close();
    expect(leading(await audited('warehouse.duckdb#dim', ...FLAGS))).toEqual(expectedCounts());
    const { code, stderr } = await run('warehouse.duckdb');
    expect(stderr).toContain('holds 2 tables: dim, other. Say which: warehouse.duckdb#dim');
    expect(code).toBe(2);
  });
});

describe('what is guessed', () => {
  test('a far end as the open marker, and inclusive ends', async () => {
    const name = await written(
      'kimball.parquet',
      `SELECT customer_id, segment, street, sk AS surrogate_key, valid_from::DATE AS effective_from,
         coalesce(valid_to::DATE - 1, DATE '9999-12-31') AS effective_to, CASE WHEN is_current THEN 'Current' ELSE 'Expired' END AS current_flag ${RIGHT()}`,
    );
    const { verdict, contract, notes, table } = await audited(name, '--set', 'deletes=never');
    expect(contract).toMatchObject({ openMarker: '9999-12-31', end: 'inclusive', grain: 'day' });
    expect(notes.join('\n')).toContain('ends are taken as inclusive');
    expect(table.open).toBe(500);
    expect(verdict).toBe('pass');
  });
});

describe('bad input exits 2 with one clear message', () => {
  const refused = async (args: string[], message: string) => {
    const { code, stdout, stderr } = await run(...args);
    expect(unwrapped(stderr)).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  };

  test('no table', () => refused([], '`scd2check audit` needs one table'));
  test('a file that is not there', () =>
    refused(['rigth.parquet'], 'There is no file or folder `rigth.parquet`. Did you mean `right.parquet`?'));
  test('a column that is not there', () =>
    refused(
      ['right.parquet', '--key', 'custmer_id'],
      '`right.parquet` has no column `custmer_id`, which was declared as `key`. Did you mean `customer_id`?',
    ));
  test('a timestamp that is text', async () => {
    await written(
      'text.parquet',
      `SELECT * REPLACE (strftime(valid_from, '%d.%m.%Y') AS valid_from) FROM (${SMALL})`,
    );
    await refused(
      ['text.parquet'],
      'The column `valid_from` of `text.parquet` is VARCHAR and holds `01.01.2026`',
    );
  });
  test('bounds of which one has a time zone', async () => {
    await written(
      'zones.parquet',
      `SELECT * REPLACE (valid_from::TIMESTAMPTZ AS valid_from) FROM (${SMALL})`,
    );
    await refused(
      ['zones.parquet'],
      '`zones.parquet` mixes time zones: `valid_from` is TIMESTAMP WITH TIME ZONE',
    );
  });
  test('a table without rows, and one with one', async () => {
    await written('none.parquet', `${SMALL} WHERE false`);
    await written('one.parquet', `${SMALL} WHERE is_current`);
    await refused(['none.parquet'], '`none.parquet` has no row.');
    await refused(['one.parquet'], '`one.parquet` has one row.');
  });
  test('a folder without Parquet', async () => {
    await mkdir(join(folder, 'notes'), { recursive: true });
    await writeFile(join(folder, 'notes', 'a.txt'), 'a');
    await refused(['notes'], 'The folder `notes` holds no Parquet file');
  });
  test.each(['parquet', 'csv', 'json', 'arrow', 'duckdb'])('a file of 0 bytes: .%s', async (extension) => {
    await writeFile(join(folder, `zero.${extension}`), '');
    await refused([`zero.${extension}`], `\`zero.${extension}\` has 0 bytes`);
  });
  test.each(['csv', 'json', 'arrow', 'duckdb'])('a .%s that is none', async (extension) => {
    await writeFile(
      join(folder, `none.${extension}`),
      Buffer.from([0xff, 0xfe, 0, 1, 2, 3, 0x22, 0x0a, 0x7b, 0]),
    );
    await refused([`none.${extension}`], `none.${extension}`);
  });
  test('a CSV without rows, and one whose start is text', async () => {
    const head = 'id,name,valid_from,valid_to\n';
    await writeFile(join(folder, 'none.csv'), head);
    await refused(['none.csv'], 'has no row');
    await writeFile(join(folder, 'text.csv'), `${head}1,A,some day,\n1,B,another,\n`);
    await refused(['text.csv'], 'is VARCHAR and holds `some day`');
  });
  test('a server that is not there, without the password', async () => {
    for (const url of ['postgres://u:s3cret@127.0.0.1:1/d#dim', 'mysql://u:s3cret@127.0.0.1:1/d#dim']) {
      await refused([url], 'Cannot connect to');
      expect((await run(url)).stderr).not.toContain('s3cret');
    }
    await refused(['postgres://u:s3cret@127.0.0.1:1/d'], '`postgres://u:***@127.0.0.1:1/d` names no table');
  });
  test('a truncated Parquet file', async () => {
    await written('cut.parquet', SMALL);
    await truncate(join(folder, 'cut.parquet'), 300);
    await refused(
      ['cut.parquet'],
      '`cut.parquet` is a truncated Parquet file: its end is missing (300 bytes are there)',
    );
  });
  test('a Parquet file that is damaged in the middle', async () => {
    const bytes = await readFile(join(folder, 'right.parquet'));
    bytes.fill(0xff, 100, 4000);
    await writeFile(join(folder, 'damaged.parquet'), bytes);
    const { code, stderr } = await run('damaged.parquet', ...FLAGS);
    expect(stderr).toContain('`damaged.parquet` cannot be read');
    expect(code).toBe(2);
  });
  test('a filter on rows, with the reason', () =>
    refused(['right.parquet', '--where', 'x = 1'], 'it invents gaps and hides overlaps'));
  test('an unknown check in the gate', () =>
    refused(['right.parquet', '--severity', 'no-overlp=warn'], 'Did you mean `no-overlap`?'));
  test('a condition that means nothing', () =>
    refused(['right.parquet', ...FLAGS, '--keys-where', 'sgment = 1'], 'do not fit the table'));
  test('a baseline that is none', () =>
    refused(['right.parquet', '--baseline', 'nothing.txt'], 'There is no baseline `nothing.txt`'));
});

test.each([
  ['key', 'customer_id', 'key-not-null'],
  ['start', 'valid_from', 'bounds-valid'],
])('a NULL %s is a finding', async (_, column, check) => {
  await written(
    'null.csv',
    `SELECT * REPLACE (CASE WHEN customer_id = 7 AND segment = 'B' THEN NULL ELSE ${column} END AS ${column}) ${RIGHT()}`,
  );
  const { verdict, checks } = await audited('null.csv', ...FLAGS);
  expect(verdict).toBe('fail');
  expect(checks.find(({ id }) => id === check)).toMatchObject({ verdict: 'fail', leading: 1 });
});

describe('the gate', () => {
  const overlap = () =>
    `SELECT * REPLACE (CASE WHEN customer_id IN (3, 4) AND NOT is_current AND segment = 'B' THEN valid_to + INTERVAL 1 hour ELSE valid_to END AS valid_to) ${RIGHT()}`;
  beforeAll(() => written('overlap.parquet', overlap()));
  const codeOf = async (...args: string[]) =>
    (await run('overlap.parquet', ...FLAGS, '--quiet', ...args)).code;

  test('a violation fails; a warning does not, unless warnings are errors', async () => {
    expect(await codeOf()).toBe(1);
    expect(await codeOf('--severity', 'no-overlap=warn')).toBe(0);
    expect(await codeOf('--severity', 'no-overlap=warn', '--warn-error')).toBe(1);
    expect(await codeOf('--severity', 'no-overlap=off')).toBe(0);
    expect(await codeOf('--skip', 'no-overlap')).toBe(0);
  });

  test('a threshold allows a number, or a share of keys, and the count is reported on a pass', async () => {
    expect(await codeOf('--threshold', 'no-overlap=1')).toBe(1);
    expect(await codeOf('--threshold', 'no-overlap=2')).toBe(0);
    expect(await codeOf('--threshold', 'no-overlap=0.1%')).toBe(1);
    expect(await codeOf('--threshold', 'no-overlap=1%')).toBe(0);
    const report = await audited('overlap.parquet', ...FLAGS, '--threshold', 'no-overlap=1%');
    expect(report.checks.find(({ id }) => id === 'no-overlap')).toMatchObject({
      verdict: 'pass',
      count: 2,
      share: 0.004,
    });
  });

  test('a baseline knows what was there, sees what is new, and says what was resolved', async () => {
    expect((await run('overlap.parquet', ...FLAGS, '--quiet', '--write-baseline', 'known.txt')).code).toBe(1);
    expect(await codeOf('--baseline', 'known.txt')).toBe(0);
    await written('later.parquet', overlap().replace('(3, 4)', '(4, 5)'));
    const report = await audited('later.parquet', ...FLAGS, '--baseline', 'known.txt');
    expect(report.verdict).toBe('fail');
    expect(report.baseline).toEqual({ new: 1, known: 1, resolved: 1 });
    expect(report.findings.map(({ key, state }) => [key, state])).toEqual([
      [{ customer_id: '5' }, 'new'],
      [{ customer_id: '4' }, 'known'],
    ]);
  });

  test('the scope is made of keys, with all their versions', async () => {
    const other = await audited(
      'overlap.parquet',
      ...FLAGS,
      '--keys-where',
      `customer_id % 2 = 0 AND segment = 'D'`,
    );
    expect(other.table).toMatchObject({ keys: 250, rows: 1000 });
    expect(leading(other)).toEqual({ 'no-overlap': 1 });
    const since = await audited('overlap.parquet', ...FLAGS, '--changed-since', '2020-12-14');
    expect(since.table.rows).toBe(since.table.keys * 4);
    expect(since.table.keys).toBeLessThan(500);
    const sample = await audited('overlap.parquet', ...FLAGS, '--sample', '20%');
    expect(sample.table.rows).toBe(sample.table.keys * 4);
  });

  test('keys that were touched just now are left out by --min-age', async () => {
    await written(
      'loading.parquet',
      `${RIGHT().replace('FROM', 'SELECT * FROM')} UNION ALL SELECT 999999, 3, 'E', 's', now()::TIMESTAMP - INTERVAL 5 second, NULL, true, 'h'`,
    );
    expect((await run('loading.parquet', ...FLAGS, '--quiet')).code).toBe(1);
    expect((await run('loading.parquet', ...FLAGS, '--quiet', '--min-age', '10m')).code).toBe(0);
  });

  test('offending rows are kept in a file, which is never overwritten', async () => {
    const { stderr } = await run(
      'overlap.parquet',
      ...FLAGS,
      '--quiet',
      '--store-failures',
      'bad.csv',
      '--store-limit',
      '1',
    );
    expect(stderr).toContain('1 of 2 offending rows are in bad.csv.');
    expect(await readFile(join(folder, 'bad.csv'), 'utf8')).toContain('no-overlap');
    const again = await run('overlap.parquet', ...FLAGS, '--store-failures', 'bad.csv');
    expect(again.stderr).toContain('nothing is overwritten');
    expect(again.code).toBe(2);
  });

  test('--dry-run prints the SQL and the columns that would be read', async () => {
    const { stdout, code } = await run(
      'overlap.parquet',
      '--key',
      'customer_id',
      '--tracked',
      'segment',
      '--skip',
      'hash-matches',
      '--dry-run',
    );
    expect(stdout).toContain(
      '-- Reads customer_id, valid_from, valid_to, segment, is_current, sk of 2000 rows',
    );
    expect(stdout).toContain('PARTITION BY hk');
    expect(code).toBe(0);
  });

  test('values are shown only where that is asked for, and sensitive ones never', async () => {
    const shut = await run('overlap.parquet', ...FLAGS);
    expect(shut.stdout).not.toContain('street ');
    const open = await run('overlap.parquet', ...FLAGS, '--show-values');
    expect(open.stdout).toContain('street 3');
    const partly = await run(
      'overlap.parquet',
      ...FLAGS,
      '--show-values',
      '--sensitive',
      'street,customer_id',
    );
    expect(partly.stdout).not.toContain('street 3');
    expect(partly.stdout).toMatch(/customer_id ["“]?#[0-9a-f]{12}/);
  });

  test('one load that ends most keys is a notice, no defect', async () => {
    await written(
      'closed.parquet',
      `SELECT * REPLACE (CASE WHEN is_current AND customer_id < 300 THEN TIMESTAMP '2025-03-01 02:00:00' ELSE valid_to END AS valid_to, is_current AND customer_id >= 300 AS is_current) ${RIGHT()}`,
    );
    const { verdict, notices } = await audited('closed.parquet', ...FLAGS);
    expect(verdict).toBe('pass');
    expect(notices.join()).toContain(
      '300 of 500 keys (60 %) ended for good in the hour from 2025-03-01 02:00 UTC',
    );
  });

  test('JUnit has a test for each check, under names that stay', async () => {
    await run('overlap.parquet', ...FLAGS, '--quiet', '--reporter', 'junit:audit.xml');
    const xml = await readFile(join(folder, 'audit.xml'), 'utf8');
    expect(xml).toContain('<testcase classname="scd2check.overlap_parquet.audit" name="no-overlap"');
    expect(xml).toContain('<failure type="no-overlap" message="no-overlap: 2 violations; customer_id 3:');
  });
});

describe('repairs that are shown', () => {
  const rows = (...lines: string[]) =>
    `SELECT * FROM (VALUES ${lines.join(', ')}) t (customer_id, segment, valid_from, valid_to, is_current)`;
  const A = `(1, 'A', TIMESTAMP '2026-01-01', TIMESTAMP '2026-02-01', false)`;
  const B = `(1, 'B', TIMESTAMP '2026-02-01', NULL, true)`;

  test.each([
    ['current-flag', [A.replace('false', 'true'), B], [A, B]],
    ['bounds-valid', [A, B, `(1, 'C', TIMESTAMP '2026-02-01', TIMESTAMP '2026-02-01', false)`], [A, B]],
    ['unique-start', [A, A, B], [A, B]],
    [
      'no-repeat',
      [A.replace('02-01', '01-10'), `(1, 'A', TIMESTAMP '2026-01-10', TIMESTAMP '2026-02-01', false)`, B],
      [A, B],
    ],
  ])('that of %s makes the table right', async (check, wrong, right) => {
    await written('broken.parquet', rows(...wrong));
    const flags = ['--key', 'customer_id', '--tracked', 'segment'];
    const { checks } = await audited('broken.parquet', ...flags);
    const { repair } = checks.find(({ id }) => id === check)!;
    await db.run('DROP TABLE IF EXISTS repaired');
    await db.run(`CREATE OR REPLACE TABLE dimension AS ${rows(...wrong)}`);
    await db.run(repair!);
    const repaired = repair!.includes('CREATE TABLE repaired') ? 'repaired' : 'dimension';
    expect(await db.rows(`FROM ${repaired} ORDER BY valid_from`)).toEqual(
      await db.rows(`${rows(...right)} ORDER BY valid_from`),
    );
  });
});

describe('more inputs', () => {
  test('the source against open rows, both ways', async () => {
    await written(
      'source.parquet',
      `SELECT customer_id, CASE WHEN customer_id = 7 THEN 'E' ELSE segment END AS segment, street ${RIGHT()} WHERE is_current AND customer_id <> 8 UNION ALL SELECT 1000, 'A', 's'`,
    );
    const report = await audited('right.parquet', ...FLAGS, '--source', 'source.parquet');
    expect(leading(report)).toEqual({ 'matches-source': 3 });
    expect(report.findings.map(({ key, message }) => [key, message])).toEqual([
      [{ customer_id: '1000' }, 'The source has the key, and the dimension has no open version of it.'],
      [{ customer_id: '7' }, 'The open version has other tracked attributes than the source.'],
      [{ customer_id: '8' }, 'The dimension has an open version of a key that the source does not have.'],
    ]);
  });

  const RESTATED = () =>
    `SELECT * REPLACE (CASE WHEN customer_id = 5 AND segment = 'B' THEN 'X' ELSE segment END AS segment,
       CASE WHEN customer_id = 6 AND segment = 'B' THEN valid_from + INTERVAL 1 hour ELSE valid_from END AS valid_from) ${RIGHT()} WHERE NOT (customer_id = 9 AND segment = 'B')`;

  test('closed history that changed or vanished since an earlier copy', async () => {
    await written('now.parquet', RESTATED());
    const flags = [...FLAGS.slice(0, 4), '--check', 'closed-stays-closed'];
    const { previous, findings } = await audited('now.parquet', ...flags, '--previous', 'right.parquet');
    expect(previous).toMatchObject({ closed: 1500, changed: 1, vanished: 2 });
    expect(findings.map(({ key }) => key)).toEqual([5, 6, 9].map((id) => ({ customer_id: `${id}` })));
    expect(previous!.periods.length).toBeGreaterThan(0);
  });

  test('what restated history does to the figures of the past, and not what was open then', async () => {
    await written('now.parquet', RESTATED());
    await written(
      'past.parquet',
      `SELECT customer_id, valid_from + INTERVAL 30 minute AS sold_at, 10.0 AS amount ${RIGHT()}`,
    );
    const flags = [
      ...FLAGS.slice(0, 4),
      '--facts',
      'past.parquet',
      '--fact-time',
      'sold_at',
      '--amount',
      'amount',
    ];
    const again = ['--previous', 'right.parquet', '--show-values'];
    const { previous } = await audited('now.parquet', ...flags, ...again);
    const { figures } = previous!;
    expect(figures).toMatchObject({ facts: 3, amount: 30 });
    expect(figures!.months.reduce((sum, { facts }) => sum + facts, 0)).toBe(3);
    const segments = figures!.moves.filter(({ attribute }) => attribute === 'segment');
    expect(segments.map(({ from, to, amount }) => `${from} to ${to}: ${amount}`).sort()).toEqual([
      'B to UNKNOWN: 10',
      'B to UNKNOWN: 10',
      'B to X: 10',
    ]);
    const { stdout } = await run('now.parquet', ...flags, ...again);
    expect(unwrapped(stdout)).toContain('3 facts of the past, 30.00, belong to other attributes now');
    expect((await audited('right.parquet', ...flags, ...again)).previous!.figures).toMatchObject({
      facts: 0,
      moves: [],
    });
  });

  test('a digest finds the same keys, and versions that were closed since are no restatement', async () => {
    await written('now.parquet', RESTATED());
    const flags = [...FLAGS.slice(0, 4), '--check', 'closed-stays-closed'];
    expect((await run('right.parquet', ...FLAGS, '--quiet', '--write-digest', 'digest.parquet')).code).toBe(
      0,
    );
    const { findings } = await audited('now.parquet', ...flags, '--previous', 'digest.parquet');
    expect(findings.map(({ key }) => key)).toEqual([5, 6, 9].map((id) => ({ customer_id: `${id}` })));
    await written(
      'grown.parquet',
      `SELECT * REPLACE (coalesce(valid_to, TIMESTAMP '2022-01-01') AS valid_to, false AS is_current) ${RIGHT()}
       UNION ALL SELECT sk + 5000000, customer_id, 'Q', street, TIMESTAMP '2022-01-01', NULL, true, 'q' ${RIGHT()} WHERE is_current`,
    );
    expect((await run('grown.parquet', ...flags, '--quiet', '--previous', 'digest.parquet')).code).toBe(0);
  });

  test('facts: what is counted twice, what is lost, and on which keys and days', async () => {
    await written(
      'planted-overlap.parquet',
      `SELECT * REPLACE (CASE WHEN customer_id = 3 AND segment = 'B' THEN valid_to + INTERVAL 10 day ELSE valid_to END AS valid_to) ${RIGHT()}`,
    );
    await written(
      'facts.parquet',
      `SELECT customer_id, valid_from + INTERVAL 1 day AS sold_at, 10.00::DECIMAL(9,2) AS amount ${RIGHT()} UNION ALL SELECT 1, TIMESTAMP '2019-01-01', 7`,
    );
    const { facts, checks } = await audited(
      'planted-overlap.parquet',
      ...FLAGS,
      ...['--facts', 'facts.parquet', '--fact-time', 'sold_at', '--amount', 'amount'],
    );
    expect(facts).toMatchObject({
      facts: 2001,
      amount: 20_007,
      fanOut: { facts: 1, amount: 10 },
      unknown: { facts: 1, amount: 7 },
      keys: [
        { key: '3', facts: 1, amount: 10 },
        { key: '1', facts: 1, amount: 7 },
      ],
    });
    expect(checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([
      'no-overlap',
      'coverage',
    ]);
    expect(checks.find(({ id }) => id === 'no-fan-out')!.verdict).toBe('follows');
  });

  test('the user’s own join is under test too: BETWEEN counts the boundary twice', async () => {
    await written(
      'boundary.parquet',
      `SELECT customer_id, valid_from AS sold_at ${RIGHT()} WHERE customer_id = 2`,
    );
    const args = ['--facts', 'boundary.parquet', '--fact-time', 'sold_at'];
    expect((await run('right.parquet', ...FLAGS, '--quiet', ...args)).code).toBe(0);
    const { facts } = await audited(
      'right.parquet',
      ...FLAGS,
      ...args,
      '--join',
      'f.ts BETWEEN v.valid_from AND v.valid_to',
    );
    expect(facts).toMatchObject({ fanOut: { facts: 2, amount: 2 }, unknown: { facts: 1 - 1 } });
  });
});

test('Ctrl-C ends an audit with 130, and leaves nothing behind', async () => {
  await written(
    'big.parquet',
    `SELECT k AS customer_id, 'A' || v AS segment, TIMESTAMP '2020-01-01' + to_days(v::INTEGER) AS valid_from, TIMESTAMP '2020-01-02' + to_days(v::INTEGER) AS valid_to FROM range(400000) k (k), range(10) v (v)`,
  );
  const temp = await mkdtemp(join(folder, 'tmp-'));
  const { child, ended } = start(folder, ['audit', 'big.parquet', '--exact'], { TMPDIR: temp });
  while ((await readdir(temp)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  expect(code).toBe(130);
  expect(stdout).toBe('');
  expect(await readdir(temp)).toEqual([]);
});
