import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openImplementation } from './open.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'scd2check-open-'));
  for (const folder of ['one', 'several', 'none']) await mkdir(join(cwd, folder));
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
});
afterAll(() => rm(cwd, { recursive: true }));

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

  it.each([
    ['one/laod.sql', 'There is no one/laod.sql, so there is nothing to check. Did you mean one/load.sql?'],
    ['none/completely-different', /none holds notes\.txt\.$/],
    ['several', /Name one:\n {2}several\/apply\.ts\n {2}several\/load\.sql\n {2}several\/run$/],
    ['none', 'none is a folder without an implementation'],
    ['none/notes.txt', 'scd2check -- <program> notes.txt'],
  ])('%s is refused with what to do instead', async (target, message) => {
    const opening = openImplementation(target, { cwd });
    await expect(opening).rejects.toMatchObject({ name: 'UsageError' });
    await expect(opening).rejects.toThrow(message);
  });
});
