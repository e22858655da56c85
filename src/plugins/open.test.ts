import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openImplementation } from './open.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'scd2check-open-'));
  for (const folder of ['one', 'several', 'none', 'dbt/snapshots'])
    await mkdir(join(cwd, folder), { recursive: true });
  await writeFile(join(cwd, 'one/load.sql'), '-- scd2check:deletes ignore\nSELECT 1');
  for (const name of [
    'README.md',
    'load.test.ts',
    '.hidden.sql',
    'vitest.config.ts',
    '__init__.py',
    'test_load.py',
  ]) {
    await writeFile(join(cwd, 'one', name), '');
  }
  for (const name of ['load.sql', 'apply.ts', 'run']) await writeFile(join(cwd, 'several', name), '');
  await chmod(join(cwd, 'several/run'), 0o755);
  await writeFile(join(cwd, 'none/notes.txt'), '');
  await writeFile(join(cwd, 'dbt/dbt_project.yml'), '');
  await writeFile(join(cwd, 'dbt/snapshots/dim.sql'), '{% snapshot dim %}\nselect 1\n{% endsnapshot %}');
});
afterAll(() => rm(cwd, { recursive: true }));

describe('a dbt project', () => {
  it.each(['dbt', 'dbt#dim'])('%s is not opened where it would have to be kept apart', async (target) => {
    const opening = openImplementation(target, { cwd, sandbox: true });
    await expect(opening).rejects.toThrow(/dbt is a dbt project, .* it cannot be kept apart/);
  });

  it('is named by its only snapshot, by a flag or by a #, and needs a Python with dbt in it', async () => {
    // A Python without any package, whatever the machine's own has.
    const bare = join(cwd, 'python');
    await writeFile(bare, '#!/bin/sh\nexec python3 -S "$@"\n', { mode: 0o755 });
    vi.stubEnv('SCD2CHECK_PYTHON', bare);
    for (const target of ['dbt', 'dbt#dim']) {
      const opening = openImplementation(target, { cwd });
      await expect(opening).rejects.toMatchObject({ name: 'UsageError' });
      await expect(opening).rejects.toThrow(/dbt`: It needs dbt, and .* -m pip install dbt-core dbt-duckdb/);
    }
    vi.unstubAllEnvs();
  });
});

describe('a path', () => {
  it.each(['one', 'one/load.sql'])('%s is opened as the SQL script that it is or holds', async (target) => {
    const implementation = await openImplementation(target, { cwd });
    expect(implementation).toMatchObject({
      kind: 'sql',
      name: 'load.sql',
      declared: [{ name: 'deletes', value: 'ignore' }],
    });
    await implementation.close();
  });

  it('an example of the guides is named where the package has it', async () => {
    await mkdir(join(cwd, 'node_modules', 'scd2check', 'examples'), { recursive: true });
    await writeFile(join(cwd, 'node_modules', 'scd2check', 'examples', 'first.sql'), 'SELECT 1;');
    await expect(openImplementation('examples/first.sql', { cwd })).rejects.toThrow(
      'There is no examples/first.sql here. In a project it is node_modules/scd2check/examples/first.sql.',
    );
  });

  it.each([
    ['one/laod.sql', 'There is no one/laod.sql, so there is nothing to check. Did you mean one/load.sql?'],
    ['none/completely-different', /none holds notes\.txt\.$/],
    ['several', /Name one:\n {2}several\/apply\.ts\n {2}several\/load\.sql\n {2}several\/run$/],
    ['examples/none.sql', 'There is no examples/none.sql, so there is nothing to check.'],
    ['none', 'none is a folder without an implementation'],
    ['none/notes.txt', 'scd2check -- <program> notes.txt'],
    [
      'none#dim',
      /`--snapshot dim` names a snapshot of a dbt project, and .*none is none: it has no dbt_project/,
    ],
    ['nowhere#dim', 'There is no nowhere#dim'],
    [
      'dbt/snapshots/dim.sql',
      /It is the dbt snapshot `dim`.*Name its project: scd2check .*dbt --snapshot dim$/,
    ],
  ])('%s is refused with what to do instead', async (target, message) => {
    const opening = openImplementation(target, { cwd });
    await expect(opening).rejects.toMatchObject({ name: 'UsageError' });
    await expect(opening).rejects.toThrow(message);
  });
});
