import { execFile } from 'node:child_process';
import { copyFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './engine.ts';
import { environment, hasPython } from './environment.ts';

const run = promisify(execFile);
const BIN = `${process.execPath} ${join(ROOT, 'bin/scd2check.js')}`;

/** It says that every row of the last load is the dimension. */
const WRONG = `def apply_scd2(state, rows, keys, as_of):
    return [{**row, "valid_from": as_of, "valid_to": None, "is_current": True} for row in rows]
`;

describe.skipIf(!hasPython())('pytest --scd2check', () => {
  let folder = '';
  let python = '';

  beforeAll(async () => {
    python = await environment('pytest', fileURLToPath(new URL('pytest/requirements.txt', import.meta.url)));
    folder = await mkdtemp(join(tmpdir(), 'scd2check-pytest-'));
    // From a copy, since building leaves files behind.
    const kit = join(folder, 'kit');
    await cp(join(ROOT, 'kits/python'), kit, { recursive: true });
    // With what is there already: nothing is asked of a registry.
    await run(python, [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-deps',
      '--no-build-isolation',
      '--force-reinstall',
      kit,
    ]);
    await copyFile(join(ROOT, 'examples/observation-log.py'), join(folder, 'solution.py'));
    await writeFile(join(folder, 'wrong.py'), WRONG);
    await writeFile(join(folder, 'test_own.py'), 'def test_of_their_own():\n    assert True\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function pytest(
    ...args: string[]
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
    const argv = ['-m', 'pytest', '-p', 'no:cacheprovider', '--scd2check-command', BIN, ...args];
    try {
      return { code: 0, ...(await run(python, argv, { cwd: folder, maxBuffer: 2 ** 26 })) };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    }
  }

  const SHORT = ['--scd2check-args', '--scope 2 --histories 20'];

  test('makes a test of each case and check, beside the tests of their own', async () => {
    const { code, stdout } = await pytest('--scd2check', 'solution.py', 'test_own.py', '-v', ...SHORT);
    expect(stdout).toContain('test_own.py::test_of_their_own PASSED');
    expect(stdout).toContain('solution.py::cases::late-arrival PASSED');
    expect(stdout).toContain('solution.py::checks::contiguous PASSED');
    expect(stdout).toContain('solution.py::run::run PASSED');
    expect(code).toBe(0);
  });

  test('says of a failure what was expected, what was found and how to see it again', async () => {
    const { code, stdout } = await pytest('--scd2check', 'wrong.py', '-k', 'segment-change', ...SHORT);
    expect(code).toBe(1);
    expect(stdout).toContain('The key should have 2 versions and has 1.');
    expect(stdout).toMatch(/^E +C1 +A +.*≠ missing$/m);
    expect(stdout).toContain('--case segment-change');
    expect(stdout).not.toContain('Traceback');
  });

  test.each([
    [['--scd2check', 'nowhere.py'], 4, 'there is no nowhere.py'],
    [['--scd2check', 'solution.py', '--scd2check-args=--histries 3'], 2, 'Did you mean `--histories`?'],
    [['--scd2check', 'solution.py', '--scd2check-command', 'no-such-program'], 2, 'could not be called'],
  ])('%o is an error in a sentence', async (args, code, sentence) => {
    const ended = await pytest(...args);
    expect(ended.stdout + ended.stderr).toContain(sentence);
    expect(ended.stdout).not.toContain('Traceback');
    expect(ended.code).toBe(code);
  });
});
