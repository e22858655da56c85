import { once } from 'node:events';
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

  test('is not taken if it has ended meanwhile', async () => {
    const ahead = warmHost('function');
    killGroup(ahead.pid);
    await once(ahead, 'exit');
    expect(taken().pid).not.toBe(ahead.pid);
  });
});
