import { tableFromIPC, tableToIPC } from 'apache-arrow';
import { ImplementationFailure } from '../implementation.ts';
import { dialectOf } from '../sql/engine-name.ts';
import { quoteTableName, type TableName } from '../sql/names.ts';
import { hasHoles, parseTemplate, renderTemplate, type Template } from '../sql/script.ts';
import type { Statement } from '../sql/statements.ts';
import { MAX_MESSAGE_BYTES, type ScriptSource, type SqlCalls } from './calls.ts';
import type { Engine } from './engines/engine.ts';
import { openEngine } from './engines/open.ts';
import { StatementError } from './sql-errors.ts';
import { SqlSession } from './sql-session.ts';

/** A script that was parsed once, ready to run for each batch. */
export interface PreparedScript {
  readonly source: ScriptSource;
  readonly batchTable: TableName;
  readonly dimensionTable: TableName;
  readonly historyTable: TableName;
  readonly setup: readonly LoadStatement[];
  readonly load: readonly LoadStatement[];
  /** Whether the load may begin a transaction. */
  readonly begins: boolean;
}

export interface LoadStatement extends Statement {
  readonly template: Template;
}

/** The host of a SQL script: each session has a database of its own. */
export function sqlCalls(): SqlCalls {
  let script: PreparedScript;
  let engine: Engine;
  const sessions = new Map<number, SqlSession>();
  const find = (session: number) => sessions.get(session)!;
  return {
    async open(source) {
      engine = await openEngine(source.engine);
      script = await prepareScript(source, engine);
      engine.expect([...script.setup, ...script.load], source.sandbox);
      return { clockRefusal: engine.clockRefusal };
    },
    async start(setup) {
      const database = await engine.open().catch(midway);
      const session = new SqlSession(script, engine, database, setup);
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
        engine.failed();
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

/** The server was there when the run began. */
function midway(error: unknown): never {
  if (!(error instanceof ImplementationFailure) || error.kind !== 'usage') throw error;
  throw new ImplementationFailure('start', error.message);
}

/** Has the engine parse the script, so that what is no SQL is known before the first batch. */
async function prepareScript(source: ScriptSource, engine: Engine): Promise<PreparedScript> {
  const setup = await parseSection(source, source.setup, engine);
  const load = await parseSection(source, source.load, engine);
  requireNoInstant(source.path, setup);
  if (load.length === 0) throw nothingToRun(source);
  const { batchTable, dimensionTable, historyTable } = source;
  const begins = load.some(({ text }) => /\b(begin|start|autocommit)\b/i.test(text));
  return { source, batchTable, dimensionTable, historyTable, setup, load, begins };
}

/** Any instant will do to parse with. */
const SAMPLE = '2000-01-01 00:00:00.000000';

async function parseSection(
  { path, engine: { kind } }: ScriptSource,
  sql: string,
  engine: Engine,
): Promise<LoadStatement[]> {
  const dialect = dialectOf(kind);
  const sample = renderTemplate(parseTemplate(sql, dialect), {
    literal: engine.literal('TIMESTAMP', SAMPLE),
    bare: SAMPLE,
  });
  const statements = await engine.statements(sql, sample).catch((error) => {
    if (error instanceof ImplementationFailure)
      throw new ImplementationFailure(error.kind, `${path}: ${error.message}`);
    throw noSql(path, engine, new StatementError(error, { text: sql, line: 1, firstLine: 1 }));
  });
  return statements.map((statement) => ({ ...statement, template: parseTemplate(statement.text, dialect) }));
}

/** The script is wrong whatever it is sent. */
export function noSql(path: string, engine: Engine, { reason, line }: StatementError): ImplementationFailure {
  return new ImplementationFailure(
    'start',
    `${path}:${line} is no SQL that ${engine.label} understands: ${reason}`,
  );
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
