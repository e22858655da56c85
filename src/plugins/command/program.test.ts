import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fixture } from '../../../test/fixtures/command/setup.ts';
import { describeEnding, RunningProgram } from './program.ts';

const run = (argv: string[]) => new RunningProgram({ argv, env: process.env });
const sh = (script: string) => run(['sh', '-c', script]);

describe('a running program', () => {
  test.each([
    ['exit 3', 'it ended with exit code 3'],
    ['kill -TERM $$', 'it was ended by signal SIGTERM'],
  ])('tells how it ended: %s', async (script, words) => {
    expect(describeEnding(await sh(script).ended)).toBe(words);
  });

  test('that does not exist was not started', async () => {
    expect(describeEnding(await run(['/no/such/program']).ended)).toBe('it could not be started (ENOENT)');
    expect((await run(['with\0nul']).ended).how).toBe('not-started');
  });

  test('keeps the end of its error stream only', async () => {
    const program = run([process.execPath, '-e', 'process.stderr.write("é".repeat(100000) + "last")']);
    program.stdout?.resume();
    await program.ended;
    expect(program.stderr.length).toBeLessThan(33_000);
    expect(program.stderr).toMatch(/éélast$/);
  });

  test('ends for us though something that left its group holds its output open', async () => {
    const program = sh('setsid sleep 3 & exit 0');
    const began = performance.now();
    expect(await program.ended).toEqual({ how: 'exit', code: 0 });
    expect(performance.now() - began).toBeLessThan(2500);
  });

  test('ends when the harness does', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import',
      'jiti/register',
      fixture('exits.ts'),
    ]);
    const pid = Number(stdout);
    await expect.poll(() => groupIsAlive(pid), { timeout: 3000 }).toBe(false);
  });
});

function groupIsAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
