import { EngineError } from './engine.ts';

/** What a statement gave: every value as PostgreSQL's own text. */
export interface LinkResult {
  readonly fields: readonly { readonly name: string; readonly oid: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Codes of the notices that came with it. */
  readonly notices: readonly string[];
}

/** A connection to a database that is nobody else's. Errors are `EngineError`s. */
export interface Link {
  /** One or more statements; the result of the last. */
  run(sql: string): Promise<LinkResult>;
  /** One statement with parameters. */
  query(sql: string, parameters: readonly string[]): Promise<void>;
}

/** Databases that are used again by session after session. */
export interface LinkPool {
  /** An empty one. */
  take(): Promise<Link>;
  giveBack(link: Link): Promise<void>;
  /** The same database by a new connection, or as good as one. */
  reconnect(link: Link): Promise<Link>;
}

/** Empties a database. What is left of the session ends with `DISCARD`, which no transaction may surround. */
export async function emptyDatabase(link: Link): Promise<void> {
  await link.run('ROLLBACK');
  await link.run(`DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
      EXECUTE format('DROP SCHEMA %I CASCADE', name);
    END LOOP;
    CREATE SCHEMA public;
  END $$`);
  await link.run('DISCARD ALL');
}

interface ServerError {
  readonly message: string;
  readonly code?: string;
  /** Of the character that it stumbled over, from 1. */
  readonly position?: string;
}

/** What the server said of a text. */
export function explained(error: unknown, sql: string): EngineError {
  const { message, code = '', position } = error as ServerError;
  const line =
    position === undefined
      ? null
      : [...sql]
          .slice(0, Number(position) - 1)
          .join('')
          .split('\n').length;
  // Codes of five characters are PostgreSQL's own. Class 57P is the server that goes down, or ends the connection.
  const isLost = !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('57P');
  return new EngineError(message, line, isLost ? 'lost' : code === '42601' ? 'syntax' : 'statement');
}
