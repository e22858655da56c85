import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, goldenName } from './examples.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** What the harness says of an example, as a person sees it in a pipe. Only times are taken out. */
async function say(path: string): Promise<string> {
  const args = [
    join(root, 'bin', 'scd2check.js'),
    path,
    '--scope',
    '0',
    '--histories',
    '0',
    '--config',
    'test/fixtures/none.config.json',
  ];
  const outcome = await run(process.execPath, args, { cwd: root, maxBuffer: 1e8 }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  );
  const text = outcome.stdout.replace(
    /[\d.]+ s \([\d.]+ s in the implementation\)/g,
    '… s (… s in the implementation)',
  );
  return `exit ${outcome.code}\n\n${text}`;
}

describe('what the harness says of the examples', () => {
  test.each(EXAMPLES)('%s ends with %i', async (path, code) => {
    const text = await say(path);
    expect(text).toContain(`exit ${code}\n`);
    await expect(text).toMatchFileSnapshot(`../golden/examples/${goldenName(path)}`);
  });
});
