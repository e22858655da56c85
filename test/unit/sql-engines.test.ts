import { describe } from 'vitest';
import { engineSuite } from '../engines/sql-suite.ts';
import { POSTGRES } from '../engines/sql-under-test.ts';

describe('PostgreSQL without a server', () => {
  engineSuite({ ...POSTGRES, engine: () => null, inThisProcess: true });
});
