import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { killGroup, spawnHost, warmHost } from './spawn.ts';

const pids: (number | undefined)[] = [];

function taken(): ReturnType<typeof spawnHost> {
  const child = spawnHost('function');
  pids.push(child.pid);
  return child;
}

describe('a host that was started ahead', () => {
  afterEach(() => pids.splice(0).forEach(killGroup));

  test('is taken by whoever asks first, and by nobody else', () => {
    const ahead = warmHost('function');
    expect(taken().pid).toBe(ahead.pid);
    expect(taken().pid).not.toBe(ahead.pid);
  });

  test('is one, however often it is wanted', () => {
    const ahead = warmHost('function');
    expect(warmHost('function')).toBe(ahead);
    taken();
  });

  test('keeps nobody from ending', () => {
    const folder = mkdtempSync(join(tmpdir(), 'scd2check-spawn-'));
    const program = join(folder, 'harness.ts');
    const module = JSON.stringify(join(import.meta.dirname, 'spawn.ts'));
    writeFileSync(program, `import { warmHost } from ${module}; console.log(warmHost('function').pid);`);
    const jiti = join(import.meta.dirname, '../../../node_modules/jiti/lib/jiti-register.mjs');
    const args = ['--import', jiti, program];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
    rmSync(folder, { recursive: true });
    expect(status).toBe(0);
    expect(Number(stdout)).toBeGreaterThan(0);
  });

  test('is not taken if it has ended meanwhile', async () => {
    const ahead = warmHost('function');
    killGroup(ahead.pid);
    await once(ahead, 'exit');
    expect(taken().pid).not.toBe(ahead.pid);
  });
});
