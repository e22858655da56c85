import { defineConfig } from 'vitest/config';

/** Public packages under test, each in a virtual environment of its own: minutes, and a package registry. */
export default defineConfig({
  test: {
    include: ['test/engines/*.test.ts'],
    globalSetup: ['test/engines/sqlite.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
});
