import { defineConfig } from './src/config/config.ts';

/** This project's own gate: `npx scd2check` without a path checks the examples that hold the whole `strict` contract. */
export default defineConfig({
  contract: 'strict',
  implementations: [
    'examples/observation-log.sql',
    'examples/observation-log.ts',
    'examples/observation-log.py',
  ],
});
