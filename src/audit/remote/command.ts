import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../cli/usage-error.ts';
import type { Database } from '../../duckdb/connection.ts';
import { quoteText } from '../../duckdb/sql.ts';
import { dialectOf } from '../print-sql.ts';
import type { RemoteClient, RemoteRow } from './client.ts';

/**
 * Any client that reads a query from its standard input and prints CSV with a header, or JSON. It is started once for each query, by the shell;
 * `{sql}` in the command stands for a file with the query instead.
 */
export function commandClient(db: Database, command: string, dialect: string): RemoteClient {
  const query = async (sql: string) => readRows(db, await output(command, sql));
  return {
    dialect: dialectOf(dialect),
    query,
    columns: async (table) =>
      Object.keys((await query(`SELECT * FROM ${table} LIMIT 1`))[0] ?? {}).map((name) => ({
        name,
        type: '',
      })),
    close: async () => undefined,
  };
}

async function output(command: string, sql: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-query-'));
  try {
    const file = join(folder, 'query.sql');
    writeFileSync(file, `${sql};\n`);
    const child = spawn('sh', ['-c', command.replaceAll('{sql}', file)], { stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part;
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      errors = (errors + part).slice(-4000);
    });
    // A client that does not read its input is not thereby at fault.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${sql};\n`);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) {
      const last = errors.trim().split('\n').slice(-3).join(' ');
      throw new UsageError(`The command of --engine ended with ${code}: ${last || 'it said nothing'}`);
    }
    return out;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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
