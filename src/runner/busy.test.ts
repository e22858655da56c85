import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BusyTime } from './busy.ts';

describe('the time in which an implementation is busy', () => {
  test('counts two sessions at once no longer than it takes', async () => {
    const busy = new BusyTime();
    const started = performance.now();
    await Promise.all([busy.during(() => pause(60)), busy.during(() => pause(60))]);
    const took = performance.now() - started;
    expect(busy.ms).toBeGreaterThan(55);
    expect(busy.ms).toBeLessThanOrEqual(took);
  });

  test('counts the loads, those that fail among them', async () => {
    const busy = new BusyTime();
    await busy.during(() => pause(1));
    await busy.during(() => Promise.reject(new Error('no'))).catch(() => undefined);
    expect(busy.loads).toBe(2);
  });

  test('does not count what lies between two calls', async () => {
    const busy = new BusyTime();
    await busy.during(() => pause(5));
    const before = busy.ms;
    await pause(20);
    expect(busy.ms).toBe(before);
  });

  test('ends with a call that fails', async () => {
    const busy = new BusyTime();
    await expect(busy.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const before = busy.ms;
    await pause(5);
    expect(busy.ms).toBe(before);
  });
});
