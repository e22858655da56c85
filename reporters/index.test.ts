import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadReporter, REPORTER_NAMES } from './index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scd2check-reporters-'));
  writeFileSync(join(folder, 'mine.ts'), 'export default (): object => ({ onEnd() {} });\n');
  writeFileSync(join(folder, 'object.mjs'), 'export default { onEnd() {} };\n');
  writeFileSync(join(folder, 'broken.mjs'), 'export default () => {;\n');
  const pack = join(folder, 'node_modules', '@team', 'page');
  mkdirSync(pack, { recursive: true });
  writeFileSync(
    join(pack, 'package.json'),
    '{"name": "@team/page", "version": "1.0.0", "type": "module", "exports": "./index.js"}',
  );
  writeFileSync(
    join(pack, 'index.js'),
    "export const mainFile = 'index.html';\nexport default () => ({ onEnd() {} });\n",
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(REPORTER_NAMES)('the reporter %s is found by its name', async (name) => {
  const { createReporter, own } = await loadReporter(name, folder);
  expect(createReporter).toBeTypeOf('function');
  expect(own).toBe(true);
});

test('an unknown name is answered with the nearest', async () => {
  await expect(loadReporter('juint', folder)).rejects.toThrow(
    'There is no reporter `juint`. Did you mean `junit`?',
  );
  await expect(loadReporter('constructor', folder)).rejects.toThrow('There is no reporter `constructor`.');
  await expect(loadReporter('no such thing', folder)).rejects.toThrow(
    'There is no reporter `no such thing`.',
  );
});

describe('a reporter of a third party', () => {
  test('is a module by its path, in TypeScript too', async () => {
    expect(await loadReporter('./mine.ts', folder)).toMatchObject({ own: false });
    expect(await loadReporter(join(folder, 'mine.ts'), '/')).toMatchObject({ own: false });
  });

  test('is a package by its name, and may have a folder', async () => {
    const loaded = await loadReporter('@team/page', folder);
    expect(loaded.mainFile).toBe('index.html');
    expect(loaded.createReporter({} as never)).toHaveProperty('onEnd');
  });

  test('that is no function, does not compile or is not there is told of in a sentence', async () => {
    await expect(loadReporter('./object.mjs', folder)).rejects.toThrow(
      'The reporter `./object.mjs` is no function: its default export is an object.',
    );
    await expect(loadReporter('./broken.mjs', folder)).rejects.toThrow(
      'Cannot load the reporter `./broken.mjs`: ',
    );
    await expect(loadReporter('./nowhere.mjs', folder)).rejects.toThrow(
      'Cannot load the reporter `./nowhere.mjs`: ',
    );
  });
});
