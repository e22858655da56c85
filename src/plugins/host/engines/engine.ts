import type { Table } from 'apache-arrow';
import type { Column } from '../../../contract/columns.ts';
import type { TableName } from '../../sql/names.ts';
import type { Statement } from '../../sql/statements.ts';

/** A database engine that scripts run in. One of them serves all sessions of a host. */
export interface Engine {
  /** What messages call it. */
  readonly label: string;
  /** Why the clock that scripts read cannot be set; null where it can. */
  readonly clockRefusal: string | null;
  /** Whether a script can be kept from files, the network and settings. */
  readonly hasSandbox: boolean;
  /** A literal of an instant, such as `TIMESTAMP '2026-03-01 06:00:00.000000'`. */
  literal(kind: 'DATE' | 'TIMESTAMP', text: string): string;
  /**
   * The statements of a section, each of which is run by itself. `sample` is the section with any instant in it, for engines that can tell
   * without running it that it is no SQL; others find out as they run it. Throws an `EngineError` there.
   */
  statements(sql: string, sample: string): Promise<readonly Statement[]>;
  /** Told of all statements before the first session. */
  expect(statements: readonly Statement[], sandbox: boolean): void;
  /** An empty database, apart from those of other sessions. */
  open(): Promise<SqlDatabase>;
  /** Told that a call ended in a way that no script can cause. */
  failed(): void;
}

/** What a session does with its database. What user code does wrong is thrown as an `EngineError`. */
export interface SqlDatabase {
  /** Before anything else: the clock, the sandbox, and the tables of the script. */
  prepare(options: Preparation): Promise<void>;
  /** One statement of the script. */
  run(sql: string): Promise<void>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  /** Whether there was a transaction to roll back. */
  rollBack(): Promise<boolean>;
  /** Creates a table, and its schema where it has one. */
  createTable(table: TableName, columns: readonly Column[]): Promise<void>;
  exists(table: TableName): Promise<boolean>;
  /** Adds rows to a table that the script may have made; columns that it has not stay out. */
  fill(table: TableName, columns: readonly Column[], rows: Table): Promise<void>;
  /** Has the batch table hold just these rows, its columns in this order, and says what instant it is. */
  deliver(table: TableName, columns: readonly Column[], rows: Table, instant: Instant): Promise<void>;
  /** Between two statements of a load: the clock that was moved goes on, unless it stands still there (in a transaction, for some engines). */
  tick(clock: string): Promise<void>;
  /** Every row, with whatever columns there are. */
  read(table: TableName): Promise<Table>;
  /** Leaves the connection, with all that is its own, for a new one. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

export interface Preparation {
  readonly movesClock: boolean;
  readonly sandbox: boolean;
  readonly tables: ScriptTables;
}

/** The tables that a script and the harness share, by the names that the script has for them. */
export interface ScriptTables {
  readonly batch: TableName;
  readonly dimension: TableName;
  readonly history: TableName;
}

export interface Instant {
  readonly literal: string;
  /** Where the clock is moved, what it shows: ISO text without a zone, UTC. */
  readonly clock: string | null;
}

/** What an engine says of a statement that it refuses. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** Line in the statement, from 1; null where it does not say. */
  readonly line: number | null;
  /** `syntax`: no SQL at all, whatever the data. `lost`: the engine itself failed, and nothing more can be run. */
  readonly kind: 'statement' | 'syntax' | 'lost';

  constructor(message: string, line: number | null = null, kind: EngineError['kind'] = 'statement') {
    super(message);
    this.line = line;
    this.kind = kind;
  }
}
