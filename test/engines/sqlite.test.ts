import { describe } from 'vitest';
import { engineSuite } from './sql-suite.ts';
import { SQLITE } from './sql-under-test.ts';

describe('SQLite', () => {
  engineSuite(SQLITE);
});
