import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, inOrder, run } from '../docs/blocks.ts';
import { checkIn, outcome, ROOT } from './engine.ts';
import { WRONG } from './spark/wrong.ts';
import { type ConnectServer, hasSpark, IVY, spark, startConnectServer } from './spark.ts';

const file = (name: string) => join(ROOT, name);
const RIGHT = { exitCode: 0, verdict: 'pass', problems: [], first: null, others: [] };
const cases = (...ids: readonly string[]) => ids.flatMap((id) => ['--case', id]);

/** A session comes up in ten seconds, so that each file is sent the cases that it is about. */
describe.skipIf(!hasSpark())('implementations on Spark', () => {
  let env: NodeJS.ProcessEnv;
  let server: ConnectServer;
  const here = ['--spark-conf', `spark.jars.ivy=${IVY}`];
  const there = () => ['--spark-remote', server.url, '--spark-catalog', 'lake'];

  beforeAll(async () => {
    const found = await spark();
    env = { ...found.env, SCD2CHECK_PYTHON: found.python, NO_COLOR: '1' };
    server = await startConnectServer(found);
  });
  afterAll(() => server?.stop());

  test('a daily MERGE is right: cases, scope, covering and random feeds', async () => {
    const whole = await checkIn(
      env,
      file('examples/spark/merge.py'),
      ...here,
      ...['--scope', '1', '--histories', '20'],
    );
    expect(outcome(whole)).toEqual(RIGHT);
    expect(whole.report.scope?.completed).toBe(true);
    expect(whole.report.random?.completed).toBe(true);
  });

  test.each([
    ['a stream', 'streaming.py', cases('no-change', 'twice-one-day', 'null-to-value', 'load-in-parts')],
    ['frames', 'frames.py', cases('late-arrival', 'deleted', 'address-only', 'reopen-a-b-a')],
    ['a script', 'recipe.sql', cases('segment-change', 'deleted', 'null-to-value')],
  ])('%s is right', async (_, name, flags) => {
    expect(outcome(await checkIn(env, file(`examples/spark/${name}`), ...here, ...flags))).toEqual(RIGHT);
  });

  test('a script refuses a batch by raise_error', async () => {
    const script = file('test/engines/spark/scripts/rejects.sql');
    const found = await checkIn(env, script, ...here, ...cases('duplicate-rejected', 'segment-change'));
    expect(outcome(found)).toEqual(RIGHT);
    expect(found.report.cases.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  });

  test('a function of the file runs on rows', async () => {
    const found = await checkIn(env, file('test/engines/spark/udf.py'), ...here, ...cases('segment-change'));
    expect(outcome(found)).toEqual(RIGHT);
  });

  test.each([
    // It stamps every row of the employee, closed ones too; and whoever is in the batch has changed.
    ['two-key-merge.spark.sql', ['reopen-a-b-a'], 'reopen-a-b-a: closed-stays-closed'],
    ['two-key-merge.py', ['no-change'], 'no-change: no-repeat'],
  ])('%s, as it is published for Delta, is not', async (name, ids, first) => {
    const found = outcome(await checkIn(env, file(`examples/seeds/${name}`), ...here, ...cases(...ids)));
    expect(found).toMatchObject({ exitCode: 1, first });
  });

  // They load a delta, of which NULL is the one thing that `<>` does not see.
  test.each([
    ['type-1.spark.sql', ['segment-change'], null],
    ['type-3-widget.py', ['value-to-null'], 'value-to-null: current-value'],
    ['type-4-time-travel.py', ['reopen-a-b-a'], null],
    ['type-4-restore.spark.sql', ['segment-change'], 'segment-change: current-value'],
  ])('%s, another type on Delta, gives what is said of it', async (name, ids, first) => {
    const found = outcome(await checkIn(env, file(`examples/seeds/${name}`), ...here, ...cases(...ids)));
    expect(found).toMatchObject({ exitCode: first === null ? 0 : 1, first, others: [] });
  });

  describe('on a cluster, by Spark Connect', () => {
    test.each([
      ['merge.py', ['segment-change', 'null-to-value']],
      ['streaming.py', ['segment-change']],
      ['frames.py', ['late-arrival']],
      ['recipe.sql', ['deleted']],
    ])('%s is as right as here', async (name, ids) => {
      const found = await checkIn(env, file(`examples/spark/${name}`), ...there(), ...cases(...ids));
      expect(outcome(found)).toEqual(RIGHT);
    });

    test.each([
      ['recipe.spark.sql', 'null-to-value: version-count'],
      ['recipe-hash.spark.sql', 'value-separators: version-count'],
      ['recipe-delete.spark.sql', 'value-to-null: version-count'],
    ])('%s, as it is taught, is not right', async (name, first) => {
      const id = first.slice(0, first.indexOf(':'));
      const found = await checkIn(env, file(`examples/seeds/${name}`), ...there(), ...cases(id));
      expect(outcome(found)).toMatchObject({ exitCode: 1, first });
    });

    test.each(WRONG.filter(({ isLong }) => isLong !== true))(
      '$name is wrong, and found out by $leads',
      async ({ name, flags, leads }) => {
        const path = file(`test/engines/spark/broken/${name}.py`);
        const { report, exitCode } = await checkIn(env, path, ...there(), ...flags);
        expect({ exitCode, first: report.findings[0]?.check }).toEqual({ exitCode: 1, first: leads });
      },
    );

    test('leaves nothing behind', () => {
      expect(readdirSync(server.lake)).toEqual([]);
    });

    describe('a warehouse that has tables of the names that are tested', () => {
      /** Runs Python with `spark`, a session of the server, whose error stream is read here meanwhile. */
      const inSession = async (code: string) => {
        const connect = `from pyspark.sql import SparkSession\nspark = SparkSession.builder.remote("${server.url}").getOrCreate()`;
        const { stdout } = await promisify(execFile)(env['SCD2CHECK_PYTHON']!, ['-c', `${connect}\n${code}`]);
        return stdout;
      };
      const names = '("lake.prod.customers", "lake.prod.orders", "lake.scd2check_2025.report")';
      const tables = () => inSession(`for name in ${names}: print(name, spark.table(name).count())`);
      let before = '';

      beforeAll(async () => {
        await inSession(`for schema in ("prod", "scd2check_2025"): spark.sql(f"CREATE SCHEMA lake.{schema}")
for name in ${names}: spark.sql(f"CREATE TABLE {name} USING iceberg AS SELECT 1 AS customer_id")`);
        before = await tables();
      });

      test('keeps them, though the script drops and makes its own under their names', async () => {
        const found = await checkIn(
          env,
          file('test/engines/spark/scripts/warehouse.sql'),
          ...there(),
          ...cases('segment-change', 'reopen-a-b-a'),
        );
        expect(outcome(found)).toEqual(RIGHT);
        expect(await tables()).toBe(before);
      });

      test('is not left for by USE, which is refused before anything runs', async () => {
        const leaving = checkIn(env, file('test/engines/spark/scripts/leaves.sql'), ...there());
        await expect(leaving).rejects.toThrow(/Line 3, `USE lake\.prod`, leaves the scratch schema/);
        expect(await tables()).toBe(before);
      });
    });
  });

  describe('what is missing is said in one line, with the command that brings it', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'scd2check-spark-test-'));
      writeFileSync(
        join(folder, 'solution.py'),
        'def apply_scd2(spark, dim_ident, src_values_sql, batch_date): ...\n',
      );
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const said = (more: NodeJS.ProcessEnv, flags: string) =>
      run(`npx scd2check solution.py --case segment-change ${flags}`, folder, 3, { ...env, ...more }).replace(
        /\s+/g,
        ' ',
      );

    test('pyspark', () => {
      // A Python that sees its standard library alone.
      const bare = join(folder, 'bare-python');
      writeFileSync(bare, '#!/bin/sh\nexec python3 -S -s "$@"\n', { mode: 0o755 });
      expect(said({ SCD2CHECK_PYTHON: bare }, '')).toMatch(/has no pyspark\. Install it: \S+ -m pip install/);
    });
    test('Java', () => {
      expect(said({ JAVA_HOME: '/nowhere' }, '')).toMatch(/needs Java 17.*apt-get install openjdk-17/);
    });
    test('a jar that cannot be brought', () => {
      expect(said({}, '--spark-conf spark.jars.packages=org.example:none:1.0')).toMatch(
        /org\.example:none:1\.0.*mvn dependency:get -Dartifact=org\.example:none:1\.0/,
      );
    });
    test('a server', () => {
      expect(said({}, '--spark-remote sc://127.0.0.1:1')).toMatch(
        /There is no Spark Connect server at sc:\/\/127\.0\.0\.1:1: nothing answered in 10 seconds\. Start one/,
      );
    });
  });

  describe.each(['docs/guides/spark.md', 'docs/guides/streaming.md'])('%s holds word for word', (path) => {
    let folder: string;
    let printed = '';
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'scd2check-spark-guide-'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const blocks = blocksOf(path, 'spark');
    test.each(blocks.map((block) => [`line ${block.line}: ${block.marker}`, block] as const))(
      '%s',
      (_, { marker, text }) => {
        const [, name] = /^file (\S+)$/.exec(marker) ?? [];
        const [command, exit = '0'] = /^run(?: exit=(\d+))?$/.exec(marker) ?? [];
        if (name !== undefined) writeFileSync(join(folder, name), text);
        else if (command !== undefined) printed = run(text, folder, Number(exit), env);
        else expect(printed).toMatch(inOrder(text));
      },
    );
  });
});
