import { defineConfig } from './src/config/config.ts';

/**
 * What `npx scd2check` without a path checks here: the examples that hold the whole `strict` contract. It is declared for each of them, and
 * not for all implementations, because a configuration wins over the head of a script: `examples/seeds/` declare contracts of their own.
 */
export default defineConfig({
  implementations: [
    { path: 'examples/observation-log.sql', contract: 'strict' },
    { path: 'examples/observation-log.ts', contract: 'strict' },
    { path: 'examples/observation-log.py', contract: 'strict' },
  ],
});
