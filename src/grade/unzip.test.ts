import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UnzipError, unzip } from './unzip.ts';
import { type ZipEntry, zipOf } from './zip.fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scd2check-unzip-'));
  mkdirSync(join(folder, 'out'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function unpack(entries: readonly ZipEntry[], limits = { entries: 100, bytes: 2 ** 20 }) {
  const path = join(folder, 'a.zip');
  writeFileSync(path, zipOf(entries));
  return unzip(path, join(folder, 'out'), limits);
}

describe('an archive', () => {
  test('is unpacked with its folders', async () => {
    await unpack([
      { name: 'ada/', text: '' },
      { name: 'ada/load.sql', text: 'SELECT 1;' },
    ]);
    expect(readFileSync(join(folder, 'out/ada/load.sql'), 'utf8')).toBe('SELECT 1;');
  });

  test.each([
    '../outside.sql',
    'a/../../outside.sql',
    '/tmp/outside.sql',
    'C:/outside.sql',
    '..\\outside.sql',
  ])('that climbs out of its folder by %s is refused', async (name) => {
    await expect(unpack([{ name, text: 'x' }])).rejects.toThrow(UnzipError);
    expect(readdirSync(folder).sort()).toEqual(['a.zip', 'out']);
  });

  test('with a link has the link left out', async () => {
    const left = await unpack([
      { name: 'link', text: '/etc', mode: 0o120777 },
      { name: 'load.sql', text: 'SELECT 1;' },
    ]);
    expect(left).toEqual(['link']);
    expect(readdirSync(join(folder, 'out'))).toEqual(['load.sql']);
  });

  test('that is larger unpacked than it may be is refused, by what comes out and not by what it says', async () => {
    await expect(unpack([{ name: 'zeros', text: '\0'.repeat(3 * 2 ** 20) }])).rejects.toThrow(
      'larger than is allowed',
    );
    await expect(unpack([{ name: 'zeros', text: '\0'.repeat(3 * 2 ** 20), says: 10 }])).rejects.toThrow(
      UnzipError,
    );
  });

  test('with too many entries is refused', async () => {
    const entries = Array.from({ length: 101 }, (_, index) => ({ name: `f${index}`, text: '' }));
    await expect(unpack(entries)).rejects.toThrow('more than 100 entries');
  });

  test('with two entries of one name is refused', async () => {
    await expect(
      unpack([
        { name: 'load.sql', text: 'one' },
        { name: 'load.sql', text: 'two' },
      ]),
    ).rejects.toThrow('the same name');
  });

  test('that is none is refused in words', async () => {
    const path = join(folder, 'a.zip');
    writeFileSync(path, 'no archive');
    await expect(unzip(path, join(folder, 'out'))).rejects.toThrow('no zip archive');
  });
});
