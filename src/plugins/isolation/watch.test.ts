import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { takenByDescendants } from './watch.ts';

test.runIf(process.platform === 'linux')('counts what a process has started, grandchildren too', async () => {
  const child = spawn('sh', ['-c', 'sleep 30 & sleep 30 & echo up; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const { pids, processes, bytes } = takenByDescendants(child.pid!);
    expect(pids).toHaveLength(2);
    expect(processes).toBe(2);
    expect(bytes).toBeGreaterThan(0);
    expect(takenByDescendants(process.pid).pids).toEqual(expect.arrayContaining([...pids]));
  } finally {
    process.kill(-child.pid!, 'SIGKILL');
  }
});
