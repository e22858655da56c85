import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findSubmissions } from './submissions.ts';
import { zipOf } from './zip.fixture.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'scd2check-subs-'));
  mkdirSync(join(cwd, 'work'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), 'SELECT 1;\n');
  }
}

async function found(targets: readonly string[], file: string | null = null) {
  const options = { cwd, work: join(cwd, 'work'), file, limitBytes: 2 ** 20 };
  const { submissions, notes } = await findSubmissions(targets, options);
  return {
    list: submissions.map(({ id, copy, entry }) =>
      'file' in entry ? `${id}: ${entry.file.slice(copy.length + 1)}` : `${id}: ${entry.none}`,
    ),
    notes,
    submissions,
  };
}

describe('submissions', () => {
  test('are the files that are named, in the order of their names', async () => {
    put('b.sql', 'a.ts');
    expect((await found(['b.sql', 'a.ts'])).list).toEqual(['a: a.ts', 'b: b.sql']);
  });

  test('are the folders of a folder, each copied into one of its own', async () => {
    put(
      'class/ada/load.sql',
      'class/ada/data/x.csv',
      'class/ada/node_modules/m/index.js',
      'class/bob/load.py',
    );
    const { list, submissions } = await found(['class']);
    expect(list).toEqual(['ada: load.sql', 'bob: load.py']);
    expect((readdirSync(submissions[0]!.copy) as string[]).sort()).toEqual(['data', 'load.sql']);
  });

  test('are the files of a folder of files; what is no implementation is told of', async () => {
    put('class/ada.sql', 'class/bob.py', 'class/list.csv');
    const { list, notes } = await found(['class']);
    expect(list).toEqual(['ada: ada.sql', 'bob: bob.py']);
    expect(notes).toEqual(['`list.csv` in `class` is no submission, and was passed over.']);
  });

  test('are what a pattern matches', async () => {
    put('class/ada.sql', 'class/bob.py', 'other.sql');
    expect((await found(['class/*.{sql,py}'])).list).toEqual(['ada: ada.sql', 'bob: bob.py']);
  });

  test('are unpacked of an archive, of one among them too', async () => {
    const inner = zipOf([{ name: 'load.sql', text: 'SELECT 1;' }]).toString('latin1');
    mkdirSync(join(cwd, 'class'));
    writeFileSync(join(cwd, 'class/bob.zip'), inner, 'latin1');
    put('class/ada/load.sql');
    expect((await found(['class'])).list).toEqual(['ada: load.sql', 'bob: load.sql']);
    writeFileSync(
      join(cwd, 'all.zip'),
      zipOf([
        { name: 'hw1/eve/load.sql', text: 'SELECT 1;' },
        { name: 'hw1/fay/load.py', text: '' },
      ]),
    );
    expect((await found(['all.zip'])).list).toEqual(['eve: load.sql', 'fay: load.py']);
  });

  test('that cannot be unpacked, are empty or ambiguous say so, and keep nobody else from being graded', async () => {
    put('class/ada/load.sql', 'class/two/a.sql', 'class/two/b.py', 'class/none/notes.txt');
    writeFileSync(join(cwd, 'class/bad.zip'), 'rubbish');
    const { list } = await found(['class']);
    expect(list[0]).toBe('ada: load.sql');
    expect(list[1]).toContain('was not unpacked: it is no zip archive');
    expect(list[2]).toContain('There is no SQL script');
    expect(list[3]).toContain('several things that could be the implementation: a.sql, b.py');
  });

  test('of several files are graded by the one that the configuration names', async () => {
    put('class/ada/load.sql', 'class/ada/helper.py', 'class/bob/helper.py');
    const { list } = await found(['class'], 'load.sql');
    expect(list[0]).toBe('ada: load.sql');
    expect(list[1]).toContain('There is no file `load.sql`');
  });

  test('take no link along, and nothing that is too large', async () => {
    put('class/ada/load.sql', 'class/big/load.sql', 'secret.txt');
    symlinkSync(join(cwd, 'secret.txt'), join(cwd, 'class/ada/secret.txt'));
    symlinkSync('/', join(cwd, 'class/ada/root'));
    writeFileSync(join(cwd, 'class/big/data.bin'), Buffer.alloc(2 * 2 ** 20));
    const { list, submissions } = await found(['class']);
    expect(readdirSync(submissions[0]!.copy)).toEqual(['load.sql']);
    expect(list[1]).toContain('more than 1 MiB');
  });

  test('with the same name have numbers, and names that are no names of files become some', async () => {
    put('one/ada.sql', 'two/ada.sql', 'three/=cmd|x, y.sql');
    expect(
      (await found(['one/ada.sql', 'two/ada.sql', 'three/=cmd|x, y.sql'])).submissions.map(({ id }) => id),
    ).toEqual(['ada', 'ada-2', 'cmd_x_y']);
  });

  test('can be read by the user that they run as, however they were handed in', async () => {
    put('class/ada/load.sql');
    chmodSync(join(cwd, 'class/ada/load.sql'), 0o600);
    const { submissions } = await found(['class/ada']);
    const { copy } = submissions[0]!;
    const { statSync } = await import('node:fs');
    expect(statSync(join(copy, 'load.sql')).mode & 0o777).toBe(0o644);
    expect(statSync(copy).mode & 0o777).toBe(0o755);
    expect(existsSync(copy)).toBe(true);
  });

  test('that are not there are a matter of one sentence', async () => {
    put('ada.sql', 'empty/notes.txt');
    await expect(found(['adda.sql'])).rejects.toThrow(
      'There is no `adda.sql`, so there is nothing to grade.',
    );
    await expect(found(['empty'])).rejects.toThrow('There is no submission in `empty`');
  });
});
