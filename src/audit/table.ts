import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { UsageError } from '../cli/usage-error.ts';
import { nearest, suggestion } from '../contract/nearest.ts';
import type { Database } from '../duckdb/connection.ts';
import { quoteIdentifier, quoteText } from '../duckdb/sql.ts';

/** A table that DuckDB reads in place. */
export interface AuditTable {
  /** As the user wrote it. */
  readonly name: string;
  /** What stands after FROM. */
  readonly from: string;
  readonly columns: readonly TableColumn[];
}

export interface TableColumn {
  readonly name: string;
  /** As DuckDB spells it: `TIMESTAMP`, `VARCHAR`, `DECIMAL(18,2)`. */
  readonly type: string;
}

const FORMATS: Readonly<Record<string, string>> = {
  '.parquet': 'read_parquet',
  '.pq': 'read_parquet',
  '.csv': 'read_csv',
  '.tsv': 'read_csv',
  '.json': 'read_json',
  '.ndjson': 'read_json',
  '.jsonl': 'read_json',
};
const ARROW = ['.arrow', '.ipc', '.feather'];
const DATABASES = ['.duckdb', '.ddb', '.db'];

/**
 * Makes a table readable: a file, a glob, a folder of Parquet files (`key=value` folders are columns), or `file.duckdb#table`.
 * @throws UsageError where there is none, or it is damaged
 */
export async function openTable(db: Database, name: string, cwd: string, alias: string): Promise<AuditTable> {
  const from = await locate(db, name, cwd, alias);
  const columns = await db
    .rows<{ column_name: string; column_type: string }>(`DESCRIBE SELECT * FROM ${from}`)
    .catch((error: unknown) => {
      throw unreadable(name, error);
    });
  return {
    name,
    from,
    columns: columns.map(({ column_name, column_type }) => ({ name: column_name, type: column_type })),
  };
}

/** A Parquet file whose rows have numbers, from 0 in the order in which they lie. */
export interface NumberedFile {
  readonly rows: number;
  /** Types of columns by name, as DuckDB spells them. */
  readonly types: ReadonlyMap<string, string>;
  /** What stands after FROM, with a column `file_row_number`. */
  numbered(from: string): string;
}

/** @returns null where a table is anything else than one Parquet file */
export async function numberedFile(db: Database, table: AuditTable): Promise<NumberedFile | null> {
  const path = /^read_parquet\(('(?:[^']|'')*')\)$/.exec(table.from)?.[1];
  if (path === undefined || table.columns.some(({ name }) => /^file_row_number$/i.test(name))) return null;
  const [file] = await db.rows<{ rows: bigint }>(
    `SELECT sum(num_rows)::BIGINT AS rows FROM parquet_file_metadata(${path})`,
  );
  return {
    rows: Number(file!.rows),
    types: new Map(table.columns.map(({ name, type }) => [name, type])),
    numbered: (from) => from.replace(/\)$/, ', file_row_number = true)'),
  };
}

/** What DuckDB says of data that it cannot read, as a message to whoever named the table. */
export function unreadable(name: string, error: unknown): UsageError {
  const [first] = (error as Error).message.split('\n');
  return new UsageError(
    `\`${name}\` cannot be read: ${first} Check that the file is whole and is what its name says.`,
  );
}

async function locate(db: Database, name: string, cwd: string, alias: string): Promise<string> {
  const [file, table] = splitTable(name);
  const path = resolve(cwd, file);
  if (/[*?[]/.test(file) && !existsSync(path)) return glob(db, name, path);
  if (!existsSync(path)) throw missing(name, path);
  const stat = statSync(path);
  if (stat.isDirectory()) return folder(db, name, path);
  if (stat.size === 0) throw new UsageError(`\`${name}\` has 0 bytes: there is no table in it.`);
  const extension = extensionOf(path);
  if (DATABASES.includes(extension)) return attached(db, name, path, table, alias);
  if (ARROW.includes(extension)) return arrowFile(db, name, path, alias);
  const reader = FORMATS[extension];
  if (reader === undefined) {
    const known = [...Object.keys(FORMATS), ...ARROW, ...DATABASES].join(', ');
    throw new UsageError(
      `\`${name}\` is not a table that can be audited: its name ends in none of ${known}.`,
    );
  }
  if (reader === 'read_parquet') requireWhole(name, path, stat.size);
  return `${reader}(${quoteText(path)})`;
}

/** `warehouse.duckdb#dim_customer`: the file and the table in it. */
function splitTable(name: string): readonly [string, string | null] {
  const at = name.lastIndexOf('#');
  return at < 1 ? [name, null] : [name.slice(0, at), name.slice(at + 1)];
}

function extensionOf(path: string): string {
  return extname(path.replace(/\.(gz|zst)$/i, '')).toLowerCase();
}

async function glob(db: Database, name: string, pattern: string): Promise<string> {
  const reader = FORMATS[extensionOf(pattern)] ?? 'read_parquet';
  const [found] = await db.rows<{ files: number }>(
    `SELECT count(*)::INTEGER AS files FROM glob(${quoteText(pattern)})`,
  );
  if (found!.files === 0)
    throw new UsageError(`No file is matched by \`${name}\`. Quote the pattern, or correct it.`);
  return `${reader}(${quoteText(pattern)}, union_by_name = true)`;
}

async function folder(db: Database, name: string, path: string): Promise<string> {
  const pattern = join(path, '**', '*.parquet');
  const [found] = await db.rows<{ files: number }>(
    `SELECT count(*)::INTEGER AS files FROM glob(${quoteText(pattern)})`,
  );
  if (found!.files === 0) {
    throw new UsageError(
      `The folder \`${name}\` holds no Parquet file, neither directly nor in folders below it. ` +
        'Name the files by a pattern: "folder/*.csv".',
    );
  }
  return `read_parquet(${quoteText(pattern)}, hive_partitioning = true, union_by_name = true)`;
}

/** A file that a writer left half-way has no footer; DuckDB's own words for that do not say so. */
function requireWhole(name: string, path: string, size: number): void {
  const file = openSync(path, 'r');
  const ends = [Buffer.alloc(4), Buffer.alloc(4)];
  readSync(file, ends[0]!, 0, 4, 0);
  readSync(file, ends[1]!, 0, 4, Math.max(0, size - 4));
  closeSync(file);
  const [head, tail] = ends.map((bytes) => bytes.toString('latin1'));
  if (head !== 'PAR1') throw new UsageError(`\`${name}\` is no Parquet file: it does not begin as one.`);
  if (tail !== 'PAR1' || size < 12) {
    throw new UsageError(
      `\`${name}\` is a truncated Parquet file: its end is missing (${size} bytes are there). Copy or write it again.`,
    );
  }
}

async function attached(
  db: Database,
  name: string,
  path: string,
  table: string | null,
  alias: string,
): Promise<string> {
  if (readHead(path) === 'SQLite format 3')
    throw new UsageError(`\`${name}\` is a SQLite database. Name it by its URL: sqlite:${name}`);
  await db.run(`ATTACH ${quoteText(path)} AS ${quoteIdentifier(alias)} (READ_ONLY)`).catch((error: Error) => {
    const locked = /lock/i.test(error.message) ? ' Another process has it open; end that first.' : '';
    throw new UsageError(
      `\`${name}\` cannot be opened as a DuckDB file: ${error.message.split('\n')[0]}${locked}`,
    );
  });
  const tables = await db.rows<{ schema: string; table: string }>(
    `SELECT schema_name AS schema, table_name AS "table" FROM duckdb_tables() WHERE database_name = ${quoteText(alias)}
     UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ${quoteText(alias)} AND NOT internal ORDER BY 1, 2`,
  );
  const spelled = tables.map((one) => (one.schema === 'main' ? one.table : `${one.schema}.${one.table}`));
  if (spelled.length === 0) throw new UsageError(`\`${name}\` holds no table.`);
  if (table === null && spelled.length > 1) {
    throw new UsageError(
      `\`${name}\` holds ${spelled.length} tables: ${spelled.join(', ')}. Say which: ${name}#${spelled[0]}`,
    );
  }
  const at = table === null ? 0 : spelled.indexOf(table);
  if (at < 0)
    throw new UsageError(`\`${name}\`: there is no table \`${table}\`.${suggestion(table!, spelled)}`);
  return [alias, tables[at]!.schema, tables[at]!.table].map(quoteIdentifier).join('.');
}

function readHead(path: string): string {
  const file = openSync(path, 'r');
  const head = Buffer.alloc(15);
  readSync(file, head, 0, 15, 0);
  closeSync(file);
  return head.toString('latin1');
}

async function arrowFile(db: Database, name: string, path: string, alias: string): Promise<string> {
  const { tableFromIPC } = await import('apache-arrow');
  try {
    await db.createTable(alias, tableFromIPC(readFileSync(path)));
  } catch (error) {
    throw unreadable(name, error);
  }
  return quoteIdentifier(alias);
}

function missing(name: string, path: string): UsageError {
  const folder = dirname(path);
  const near = existsSync(folder) ? nearest(basename(path), readdirSync(folder)) : null;
  return new UsageError(
    `There is no file or folder \`${name}\`.${near === null ? ' Check the path.' : ` Did you mean \`${near}\`?`}`,
  );
}
