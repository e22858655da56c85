import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { check, outcome, ROOT } from './engine.ts';
import { environment, hasPython } from './environment.ts';
import { hasServers, type Server, startPostgres } from './servers.ts';

const HERE = join(import.meta.dirname, 'dbt');
const BIN = join(ROOT, 'bin', 'scd2check.js');

const RIGHT = { exitCode: 0, verdict: 'pass', problems: [], first: null, others: [] };
const WRONG = { exitCode: 1, verdict: 'fail', problems: [], others: [] };

/** A part of the cases: every load is a run of dbt. `check_new_record` has them all. */
const SOME = [
  '--case',
  'boundary,null-to-value,value-to-null,back-unchanged,back-changed,deleted-twice,deletes-ignored,row-time-late',
];

const RETURNS_UNCHANGED = 'row-time-back-with-its-old-instant';

let python = '';
let project = '';

/** dbt as people call it, in the project. */
function dbt(...args: readonly string[]) {
  return promisify(execFile)(join(dirname(python), 'dbt'), [...args, '--profiles-dir', '.'], {
    cwd: project,
  });
}

function run(snapshot: string, ...flags: readonly string[]) {
  return check(python, `${project}#${snapshot}`, ...flags);
}

/** Every file of the project with its content: what a run must leave alone. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    files.map((name) => {
      const path = join(folder, name);
      if (!statSync(path).isFile()) return [name, 'folder'];
      return [name, createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}

function scratchFolders(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('scd2check-dbt-'));
}

describe.skipIf(!hasPython())('a snapshot of a dbt project', () => {
  let before: Record<string, string> = {};

  beforeAll(async () => {
    python = await environment('dbt', join(HERE, 'requirements.txt'));
    // Not in a folder that begins as the scratch folders do.
    project = join(mkdtempSync(join(tmpdir(), 'dbt-shop-')), 'shop');
    cpSync(join(HERE, 'shop'), project, { recursive: true });
    vi.stubEnv('DBT_PROFILES_DIR', project);
    await dbt('seed');
    before = contents(project);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(dirname(project), { recursive: true, force: true });
  });

  describe('on DuckDB', () => {
    test.each([
      ['check_ignore', SOME],
      ['timestamp_ignore', SOME],
      ['check_new_record', []],
    ])('%s holds its contract', async (snapshot, flags) => {
      expect(outcome(await run(snapshot, ...flags))).toEqual(RIGHT);
    });

    test('its whole contract is read from the manifest', async () => {
      const { report } = await run('check_new_record', '--case', 'no-change');
      expect(report.contract).toMatchObject({
        feed: 'snapshot',
        clock: 'injected',
        late: 'never',
        deletes: 'marker-row',
        untracked: 'frozen',
        columns: {
          key: [expect.stringMatching(/^customer_id integer/), expect.stringMatching(/^street text/)],
          tracked: [expect.stringMatching(/^segment text/), expect.stringMatching(/^points decimal\(10,2\)/)],
          untracked: [expect.stringMatching(/^updated_at timestamp/)],
          validFrom: expect.stringMatching(/^started /),
          validTo: expect.stringMatching(/^ended /),
          isDeleted: expect.stringMatching(/^gone /),
        },
      });
    });

    test('under `timestamp`, a row that is gone and returns unchanged is there twice, as dbt alone shows', async () => {
      const flags = ['--case', `deleted,row-time-back-with-a-new-instant,${RETURNS_UNCHANGED}`];
      const closed = await run('timestamp_invalidate', ...flags);
      const marked = await run('timestamp_new_record', ...flags);
      expect(outcome(closed)).toEqual({ ...WRONG, first: `${RETURNS_UNCHANGED}: unique-start` });
      expect(outcome(marked)).toEqual({ ...WRONG, first: `${RETURNS_UNCHANGED}: bounds-valid` });
      const script = [join(HERE, 'by-hand.py'), 'timestamp_invalidate', 'timestamp_new_record'];
      const { stdout } = await promisify(execFile)(python, script);
      const twice = [
        ['A', '2026-03-01', 'closed'],
        ['A', '2026-03-01', 'open'],
      ];
      expect(JSON.parse(stdout)).toEqual({
        timestamp_invalidate: twice,
        // The row that marks the delete ends before it starts, when the dated row returns.
        timestamp_new_record: [...twice, ['A', expect.any(String), 'negative']],
      });
    });

    test.each([
      ['twice', ['no-change', 'segment-change'], 'no-change: unique-start'],
      ['glued_key', ['no-change', 'key-parts-shift'], 'key-parts-shift: unique-start'],
      ['null_blind', ['segment-change', 'null-to-value'], 'null-to-value: version-count'],
    ])('%s is found out', async (snapshot, cases, first) => {
      const found = outcome(await run(snapshot, '--case', cases.join(',')));
      expect(found).toMatchObject({ exitCode: 1, verdict: 'fail', problems: [], first });
    });

    test('a strategy that asks the database for the time is said to be by another clock, not to be wrong', async () => {
      const { exitCode, report } = await run('by_the_wall', '--case', 'segment-change');
      expect(exitCode).toBe(1);
      expect(report.findings.map(({ check, decision }) => ({ check, decision }))).toEqual([
        { check: 'clock-injected', decision: { field: 'clock', option: 'wall' } },
      ]);
    });

    test('a query that changes what it reads is replaced, and the report says so', async () => {
      const ran = await run('cleaned', '--case', 'segment-change,empty-text-and-null');
      expect(outcome(ran)).toEqual(RIGHT);
      expect(ran.report.implementation).toEqual({
        name: 'cleaned on duckdb, its query replaced by a table',
        kind: 'dbt',
      });
    });

    test('packed histories, redeliveries and all else of a whole run', async () => {
      const ran = await run('check_invalidate', '--scope', '2', '--histories', '100');
      expect(outcome(ran)).toEqual(RIGHT);
      expect(ran.report.random?.histories).toBeGreaterThanOrEqual(100);
    });

    test('nothing of the project was touched, and nothing is left', async () => {
      expect(contents(project)).toEqual(before);
      expect(scratchFolders()).toEqual([]);
    });
  });

  describe('what cannot be tested is said in a line', () => {
    /** The exit code, and what it says. */
    const refused = async (target: string) => {
      const env = { ...process.env, SCD2CHECK_PYTHON: python };
      const failed = await promisify(execFile)(process.execPath, [BIN, target], { cwd: tmpdir(), env }).catch(
        (error: { code: number; stderr: string }) => error,
      );
      return 'code' in failed ? [failed.code, failed.stderr] : [0, ''];
    };

    test('no snapshot of that name, and several', async () => {
      expect(await refused(`${project}#check_ignored`)).toEqual([
        2,
        expect.stringMatching(/It has no snapshot `check_ignored`\. Did you mean `check_ignore`\?/),
      ]);
      expect(await refused(project)).toEqual([
        2,
        expect.stringMatching(/several snapshots\. Choose one: --snapshot by_the_wall \| /),
      ]);
    });

    test('a relation that is not there, and whose columns nobody declares', async () => {
      expect(await refused(`${project}#unbuilt`)).toEqual([
        3,
        expect.stringMatching(
          /reads "warehouse"\."main"\."unknown_orders", which is not there.*Build it \(dbt build --select \+unbuilt/,
        ),
      ]);
      expect(outcome(await run('documented', '--case', 'segment-change'))).toEqual(RIGHT);
    });

    test('a project that dbt cannot parse, in dbt’s words', async () => {
      const broken = `${project}-broken`;
      cpSync(join(HERE, 'shop'), broken, { recursive: true });
      writeFileSync(join(broken, 'snapshots/open.sql'), '{% snapshot open %} select 1');
      expect(await refused(`${broken}#check_ignore`)).toEqual([
        3,
        expect.stringMatching(
          /cannot be tested yet\. `dbt parse` says: Compilation Error .*close tag for snapshot/,
        ),
      ]);
      rmSync(broken, { recursive: true });
    });
  });

  describe.skipIf(!hasServers())('on PostgreSQL', () => {
    let server: Server;
    let client: pg.Client;

    beforeAll(async () => {
      // In another zone than the instants are in.
      server = await startPostgres('Asia/Tokyo');
      const { port, password } = new URL(server.url);
      vi.stubEnv('SHOP_TARGET', 'post');
      vi.stubEnv('SHOP_PORT', port);
      vi.stubEnv('SHOP_PASSWORD', password);
      await dbt('seed');
      client = new pg.Client({ connectionString: server.url });
      await client.connect();
    });
    afterAll(async () => {
      await client?.end();
      await server?.stop();
    });

    const schemas = async () => {
      const { rows } = await client.query<{ nspname: string }>('SELECT nspname FROM pg_namespace');
      return rows.map(({ nspname }) => nspname).filter((name) => !/^pg_/.test(name));
    };

    test.each(['check_invalidate', 'check_new_record', 'timestamp_ignore'])(
      '%s holds its contract',
      async (snapshot) => {
        expect(outcome(await run(snapshot, ...SOME))).toEqual(RIGHT);
      },
    );

    test('a defect is found there too', async () => {
      const found = outcome(await run('null_blind', '--case', 'null-to-value'));
      expect(found).toMatchObject({ exitCode: 1, first: 'null-to-value: version-count' });
    });

    test('nothing is left in the database, and the seed is as it was', async () => {
      expect((await schemas()).sort()).toEqual(['information_schema', 'public', 'shop']);
      const { rows } = await client.query(
        'SELECT relname FROM pg_class WHERE relkind = $1 AND relnamespace = $2::regnamespace',
        ['r', 'shop'],
      );
      expect(rows).toEqual([{ relname: 'customers' }]);
    });
  });
});
