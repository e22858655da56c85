import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'cases/**/*.test.ts',
      'reporters/**/*.test.ts',
      'census/**/*.test.ts',
      'test/{unit,property,mutants,decisions,e2e}/**/*.test.ts',
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
