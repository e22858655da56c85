import { describe } from 'vitest';
import { engineSuite } from '../engines/sql-suite.ts';
import { POSTGRES, SQLITE } from '../engines/sql-under-test.ts';

describe('SQLite', () => {
  engineSuite(SQLITE);
});

describe('PostgreSQL without a server', () => {
  engineSuite({ ...POSTGRES, engine: () => null, inThisProcess: true });
});
