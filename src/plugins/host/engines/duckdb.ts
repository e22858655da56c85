import { reachesBeyondItsTables, type Statement, splitStatements } from '../../sql/statements.ts';
import { type DatabaseFactory, ownInstances, sharedInstance } from './duckdb-database.ts';
import type { Engine } from './engine.ts';

/** DuckDB, in this process. */
export function duckDb(): Engine {
  let databases: DatabaseFactory = sharedInstance();
  return {
    label: 'DuckDB',
    clockRefusal: null,
    hasSandbox: true,
    literal: (kind, text) => `${kind} '${text}'`,
    async statements(sql, sample) {
      const statements = splitStatements(sql);
      if (statements.length === 0) return [];
      const database = await databases.open();
      try {
        // Where DuckDB counts other statements than we do (it makes several of one PIVOT, say), the section is one statement to us.
        const isOurs = (await database.countStatements(sample)) === statements.length;
        const whole: Statement = { text: sql, line: statements[0]!.line, firstLine: 1 };
        return isOurs ? statements : [whole];
      } finally {
        await database.close();
      }
    },
    expect(statements, sandbox) {
      if (sandbox || reachesBeyondItsTables(statements)) databases = ownInstances();
    },
    open: () => databases.open(),
    failed() {
      // An instance in which DuckDB itself failed is of no use to the next session.
      if (!databases.alone) databases = sharedInstance();
    },
  };
}
