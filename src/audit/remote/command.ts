import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../cli/usage-error.ts';
import type { Database } from '../../duckdb/connection.ts';
import { quoteText } from '../../duckdb/sql.ts';
import { withoutPassword } from '../../plugins/sql/engine-name.ts';
import type { Dialect } from '../dialect.ts';
import { dialectOf } from '../print-sql.ts';
import type { TableColumn } from '../table.ts';
import { inTurn, type RemoteClient, type RemoteRow } from './client.ts';

/**
 * Any client that reads a query from its standard input and prints CSV with a header, or JSON. It is started once for each query, by the shell;
 * `{sql}` in the command stands for a file with the query instead. Where the engine's own client prints neither, the query itself makes
 * JSON, one object a line, and all checks are one query: such a client takes seconds to start.
 */
export function commandClient(db: Database, command: string, dialectId: string): RemoteClient {
  const dialect = dialectOf(dialectId);
  const { json } = dialect;
  const interruption = new AbortController();
  const run = (sql: string) => output(command, sql, interruption.signal);
  const ask = async (sql: string) => readRows(db, await run(sql));
  const interrupt = () => interruption.abort();
  if (json === null)
    return {
      dialect,
      query: ask,
      queryAll: (queries) => inTurn(ask, queries),
      columns: (table) => columnsByType(ask, dialect, table),
      interrupt,
      close: async () => undefined,
    };
  const objects = async (sql: string) => readObjects(db, await run(sql));
  return {
    dialect,
    query: async (sql) => (await objects(json.rows(sql))).map(texts),
    async queryAll(queries) {
      const answers: RemoteRow[][] = queries.map(() => []);
      for (const { q, row } of await objects(json.all(queries)))
        answers[Number(q)]!.push(texts(row as JsonObject));
      return answers;
    },
    async columns(table) {
      const [first] = await objects(json.shape(table));
      if (first === undefined) return [];
      return fieldsOf(String(first['type']), Object.keys(first['row'] as JsonObject));
    },
    interrupt,
    close: async () => undefined,
  };
}

async function columnsByType(
  ask: RemoteClient['query'],
  { quote, typeOf }: Dialect,
  table: string,
): Promise<readonly TableColumn[]> {
  const [row] = await ask(`SELECT * FROM ${table} LIMIT 1`);
  const names = Object.keys(row ?? {});
  if (typeOf === null || names.length === 0) return names.map((name) => ({ name, type: '' }));
  const types = names.map((name, index) => `${typeOf(quote(name))} AS t${index}`);
  const [told] = await ask(`SELECT ${types.join(', ')} FROM ${table} LIMIT 1`);
  const values = Object.values(told ?? {});
  return names.map((name, index) => ({ name, type: (values[index] ?? '').toUpperCase() }));
}

/** Columns of `struct<a:bigint,b:decimal(9,2)>`, whose names are known. */
function fieldsOf(struct: string, names: readonly string[]): readonly TableColumn[] {
  let rest = struct.replace(/^struct<(.*)>$/s, '$1');
  return names.map((name, index) => {
    const next = names[index + 1];
    const begin = rest.indexOf(':', rest.indexOf(name) + name.length) + 1;
    const end = next === undefined ? rest.length : endOfType(rest, begin);
    const type = rest.slice(begin, end).trim().toUpperCase();
    rest = rest.slice(end + 1);
    return { name, type };
  });
}

/** The first comma that is in no brackets. */
function endOfType(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if ('<('.includes(text[at]!)) depth++;
    else if ('>)'.includes(text[at]!)) depth--;
    else if (text[at] === ',' && depth === 0) return at;
  }
  return text.length;
}

type JsonObject = Readonly<Record<string, unknown>>;

function texts(row: JsonObject): RemoteRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value === null || value === undefined
        ? null
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value),
    ]),
  );
}

async function output(command: string, sql: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-query-'));
  try {
    const file = join(folder, 'query.sql');
    writeFileSync(file, `${sql};\n`);
    // A group of its own, so that what the shell started ends with it.
    const child = spawn('sh', ['-c', command.replaceAll('{sql}', file)], { stdio: 'pipe', detached: true });
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It had ended by itself.
      }
    };
    signal.addEventListener('abort', end);
    process.once('exit', end);
    let out = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part;
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      errors = (errors + part).slice(-50_000);
    });
    // A client that does not read its input is not thereby at fault.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${sql};\n`);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }).finally(() => {
      signal.removeEventListener('abort', end);
      process.off('exit', end);
    });
    signal.throwIfAborted();
    if (code !== 0) {
      throw new UsageError(`The command of --engine ended with ${code}: ${complaint(errors)}`);
    }
    return out;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a client says is wrong: among its log and a stack, the first line that tells; else the last ones. */
function complaint(errors: string): string {
  const lines = errors
    .split('\n')
    .filter((line) => line.trim() !== '' && !/\b(WARN|INFO|DEBUG)\b/.test(line));
  // Spark names each of its errors: [TABLE_OR_VIEW_NOT_FOUND].
  const told =
    lines.find((line) => /(^|\s)\[[A-Z]{2}[A-Z_.]*\] /.test(line)) ??
    lines.find((line) => /\b(error|exception|fatal|denied|refused)\b/i.test(line));
  const said = (told ?? lines.slice(-3).join(' ')).trim();
  return said === '' ? 'it said nothing' : withoutPassword(said.slice(0, 500));
}

/** JSON objects that were printed as they are, one a line, or as the only column of CSV or JSON. */
async function readObjects(db: Database, printed: string): Promise<readonly JsonObject[]> {
  const lines = printed.split('\n').filter((line) => line.startsWith('{'));
  const own = lines.length > 0 && !/^\{\s*"json"\s*:\s*"/i.test(lines[0]!) ? lines : null;
  return (own ?? (await jsonColumn(db, printed))).map((cell) => {
    try {
      return JSON.parse(cell.replace(STRING_OR_NUMBER, quoteNumber)) as JsonObject;
    } catch {
      throw noAnswer(cell);
    }
  });
}

async function jsonColumn(db: Database, printed: string): Promise<readonly string[]> {
  const rows = await readRows(db, printed);
  if (rows.length === 0 && !/^\s*("?json"?|\[\s*\])?\s*$/i.test(printed)) throw noAnswer(printed);
  return rows.map((row) => {
    const [name, ...others] = Object.keys(row);
    if (name?.toLowerCase() !== 'json' || others.length > 0) throw noAnswer(printed);
    return row[name] ?? '';
  });
}

function noAnswer(printed: string): UsageError {
  return new UsageError(
    `What the command of --engine printed is no answer to the query: \`${printed.trim().slice(0, 200)}\`. It has to print all rows, as they are, and nothing else.`,
  );
}

/** JavaScript's numbers would not hold 64 bits. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const quoteNumber = (token: string) => (token.startsWith('"') ? token : `"${token}"`);

/** DuckDB reads both forms; every value stays text. */
async function readRows(db: Database, printed: string): Promise<readonly RemoteRow[]> {
  if (printed.trim() === '') return [];
  const json = /^\s*[[{]/.test(printed);
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-rows-'));
  try {
    const file = join(folder, json ? 'rows.json' : 'rows.csv');
    writeFileSync(file, printed);
    const source = json
      ? `read_json(${quoteText(file)})`
      : `read_csv(${quoteText(file)}, header = true, all_varchar = true)`;
    const rows = await db.rows<Record<string, string | null>>(
      `SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${source}`,
    );
    return rows;
  } catch (error) {
    throw new UsageError(
      `What the command of --engine printed is neither CSV with a header nor JSON: ${(error as Error).message.split('\n')[0]}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
