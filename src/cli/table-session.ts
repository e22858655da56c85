import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unreadable } from '../audit/table.ts';
import { Database } from '../duckdb/connection.ts';
import type { Arguments } from './arguments.ts';
import { listenForInterrupt } from './interrupt.ts';
import { UsageError } from './usage-error.ts';

/**
 * Does something with tables in a DuckDB of its own, whose disk space goes when it is done. Ctrl-C ends it with 130, in the middle of a query too.
 *
 * @param name the table that is named where data turns out to be damaged
 */
export async function withTables(
  args: Arguments,
  name: string,
  work: (db: Database, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const { signal, stop } = listenForInterrupt();
  const temp = mkdtempSync(join(tmpdir(), 'scd2check-audit-'));
  let db: Database | null = null;
  let interrupting: NodeJS.Timeout | undefined;
  try {
    db = await openDatabase(args, temp);
    const opened = db;
    // Again and again: between two statements there is nothing that could be interrupted.
    const interrupt = () => {
      interrupting = setInterval(() => opened.interrupt(), 20);
    };
    if (signal.aborted) interrupt();
    else signal.addEventListener('abort', interrupt);
    return await work(opened, signal);
  } catch (error) {
    if (signal.aborted) {
      process.stderr.write('scd2check: Interrupted. Nothing was written.\n');
      return 130;
    }
    throw explained(error, name);
  } finally {
    stop();
    clearInterval(interrupting);
    db?.close();
    rmSync(temp, { recursive: true, force: true });
  }
}

async function openDatabase(args: Arguments, temp: string): Promise<Database> {
  const memory = args.value('memory-limit');
  const threads = args.value('threads');
  if (threads !== null && !/^[1-9]\d{0,3}$/.test(threads))
    throw new UsageError(`\`--threads\` cannot be \`${threads}\`. Write a whole number.`);
  if (memory !== null && !/^\d+(\.\d+)?\s*([KMGT]i?B)$/i.test(memory))
    throw new UsageError(`\`--memory-limit\` cannot be \`${memory}\`. Write a size: 8GiB, 500MB.`);
  return Database.open({
    ...(threads === null ? {} : { threads: Number(threads) }),
    config: {
      temp_directory: temp,
      preserve_insertion_order: 'false',
      ...(memory === null ? {} : { memory_limit: memory }),
    },
  });
}

/** Data that turns out to be damaged, or a condition that means nothing, while a query runs. */
function explained(error: unknown, name: string): unknown {
  if (error instanceof UsageError || !(error instanceof Error)) return error;
  if (/^(Binder|Parser|Catalog) Error/.test(error.message))
    return new UsageError(
      `The columns or conditions that were given do not fit the table: ${error.message.split('\n')[0]}`,
    );
  if (/^Out of Memory/.test(error.message))
    return new UsageError(
      `The memory allowed does not suffice: ${error.message.split('\n')[0]} Allow more with --memory-limit, or audit a --sample of the keys.`,
    );
  if (/^(IO|Invalid Input|Conversion|Invalid|Serialization) ?Error|^TProtocol|Parquet/.test(error.message))
    return unreadable(name, error);
  return error;
}
