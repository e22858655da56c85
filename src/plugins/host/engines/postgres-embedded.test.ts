import { expect, test, vi } from 'vitest';
import { embeddedPostgres } from './postgres-embedded.ts';

vi.mock('@electric-sql/pglite', () => {
  throw new Error('no such package');
});

test('a missing driver is told of when the engine opens, before any session', async () => {
  await expect((async () => embeddedPostgres())()).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('npm install --save-dev @electric-sql/pglite'),
  });
});
