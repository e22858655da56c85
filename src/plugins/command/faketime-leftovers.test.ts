import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeLeftovers } from './faketime-leftovers.ts';

it("takes away what libfaketime left of dead processes, and nothing of living ones or of others' making", () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const alive = process.pid;
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-leftovers-'));
  try {
    const kept = [`faketime_shm_${alive}`, 'pulse-shm-1', `sem.faketime_sem_${alive}`, `sem.other_${dead}`];
    for (const name of [...kept, `faketime_shm_${dead}`, `sem.faketime_sem_${dead}`])
      writeFileSync(join(folder, name), '');
    removeLeftovers(folder);
    expect(readdirSync(folder).sort()).toEqual(kept.sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('does nothing where shared memory is no folder', () => {
  expect(() => removeLeftovers('/nowhere/scd2check')).not.toThrow();
});
