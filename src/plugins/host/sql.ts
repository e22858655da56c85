import { tableFromIPC, tableToIPC } from 'apache-arrow';
import { ImplementationFailure } from '../implementation.ts';
import { quoteTableName, type TableName } from '../sql/names.ts';
import { hasHoles, parseTemplate, renderTemplate, type Template } from '../sql/script.ts';
import { reachesBeyondItsTables, type Statement, splitStatements } from '../sql/statements.ts';
import { MAX_MESSAGE_BYTES, type ScriptSource, type SqlCalls } from './calls.ts';
import { type DatabaseFactory, ownInstances, type SqlDatabase, sharedInstance } from './sql-database.ts';
import { StatementError } from './sql-errors.ts';
import { SqlSession } from './sql-session.ts';

/** A script that was parsed once, ready to run for each batch. */
export interface PreparedScript {
  readonly source: ScriptSource;
  readonly batchTable: TableName;
  readonly dimensionTable: TableName;
  readonly setup: readonly LoadStatement[];
  readonly load: readonly LoadStatement[];
  /** Whether the load may begin a transaction. */
  readonly begins: boolean;
}

export interface LoadStatement extends Statement {
  readonly template: Template;
}

/** The host of a SQL script: each session has an in-memory DuckDB of its own. */
export function sqlCalls(): SqlCalls {
  let script: PreparedScript;
  let databases: DatabaseFactory;
  const sessions = new Map<number, SqlSession>();
  const find = (session: number) => sessions.get(session)!;
  return {
    async open(source) {
      databases = sharedInstance();
      script = await prepareScript(source, await databases.open());
      if (source.sandbox || reachesBeyondItsTables([...script.setup, ...script.load]))
        databases = ownInstances();
    },
    async start(setup) {
      const database = await databases.open();
      const session = new SqlSession(script, database, setup.contract, setup.batchColumns);
      try {
        await session.start(setup.dimension === null ? null : tableFromIPC(setup.dimension));
      } catch (error) {
        await session.close();
        throw error;
      }
      sessions.set(setup.session, session);
    },
    async apply({ session, index, asOf, rows }) {
      try {
        return await find(session).apply(index, asOf, tableFromIPC(rows));
      } catch (error) {
        // An instance in which DuckDB itself failed is of no use to the next session.
        if (!databases.alone) databases = sharedInstance();
        throw error;
      }
    },
    interrupt: ({ session, index, asOf, rows, point }) =>
      find(session).interrupt(index, asOf, tableFromIPC(rows), point),
    async read({ session }) {
      const bytes = tableToIPC(await find(session).read(), 'stream');
      if (bytes.length < MAX_MESSAGE_BYTES - 1024) return bytes;
      throw new ImplementationFailure(
        'output',
        `The dimension of ${script.source.path} has ${bytes.length} bytes, more than the gigabyte that is read.`,
      );
    },
    async close({ session }) {
      await sessions.get(session)?.close();
      sessions.delete(session);
    },
  };
}

/** Has DuckDB parse the script, so that what is no SQL is known before the first batch. */
async function prepareScript(source: ScriptSource, database: SqlDatabase): Promise<PreparedScript> {
  try {
    const setup = await parseSection(source.path, source.setup, database);
    const load = await parseSection(source.path, source.load, database);
    requireNoInstant(source.path, setup);
    if (load.length === 0) throw nothingToRun(source);
    const { batchTable, dimensionTable } = source;
    const begins = load.some(({ text }) => /\b(begin|start)\b/i.test(text));
    return { source, batchTable, dimensionTable, setup, load, begins };
  } finally {
    await database.close();
  }
}

/** Any instant will do to parse with. */
const SAMPLE = { literal: "TIMESTAMP '2000-01-01 00:00:00.000000'", bare: '2000-01-01 00:00:00.000000' };

/**
 * The statements of a section. Each is run by itself, so that an error has a line. Where DuckDB counts other
 * statements than we do (it makes several of one PIVOT, say), the section is one statement to us.
 */
async function parseSection(path: string, sql: string, database: SqlDatabase): Promise<LoadStatement[]> {
  const statements = splitStatements(sql);
  if (statements.length === 0) return [];
  const whole: Statement = { text: sql, line: statements[0]!.line, firstLine: 1 };
  const parsed = await parse(path, renderTemplate(parseTemplate(sql), SAMPLE), whole, database);
  const used = parsed === statements.length ? statements : [whole];
  return used.map((statement) => ({ ...statement, template: parseTemplate(statement.text) }));
}

async function parse(path: string, sql: string, whole: Statement, database: SqlDatabase): Promise<number> {
  try {
    return await database.countStatements(sql);
  } catch (error) {
    const { reason, line } = new StatementError(error, whole);
    throw new ImplementationFailure('start', `${path}:${line} is no SQL that DuckDB understands: ${reason}`);
  }
}

function requireNoInstant(path: string, setup: readonly LoadStatement[]): void {
  const used = setup.find(({ template }) => hasHoles(template));
  if (used === undefined) return;
  throw new ImplementationFailure(
    'start',
    `${path}:${used.line} uses the instant in the setup section, which runs before the first batch. ` +
      'Move the statement to the section "-- scd2check:load".',
  );
}

function nothingToRun({ path, batchTable, dimensionTable }: ScriptSource): ImplementationFailure {
  return new ImplementationFailure(
    'start',
    `${path} has no statement to run for a batch. Write the load that brings the rows of the table ` +
      `${quoteTableName(batchTable)} into the dimension ${quoteTableName(dimensionTable)}.`,
  );
}
