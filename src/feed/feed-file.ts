import { readFile } from 'node:fs/promises';
import { UsageError } from '../cli/usage-error.ts';
import { batchColumns, type Column, type Columns, type Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Declared } from '../contract/declared.ts';
import { parseInstant } from '../contract/instant.ts';
import { suggestion } from '../contract/nearest.ts';
import { cellFromJson } from '../duckdb/rows.ts';
import type { Feed } from './feed.ts';

/** A feed as people write it, and as counterexamples are stored: `{"contract": {…}, "batches": [{"asOf": "…", "rows": [{…}]}]}`. */
export interface FeedFile {
  readonly path: string;
  /** What the file says of the contract. */
  readonly declared: readonly Declared[];
  readonly batches: readonly {
    readonly asOf: bigint;
    readonly rows: readonly Readonly<Record<string, unknown>>[];
    /** Another order in which this batch delivers its columns. */
    readonly columns?: readonly string[];
  }[];
}

/** Reads a feed file; cells are not read yet, because their types are the contract's. */
export async function readFeedFile(path: string): Promise<FeedFile> {
  return feedFileOf(await readJson(path), path);
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `Cannot read the feed \`${path}\`: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`,
    );
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The feed \`${path}\` is not JSON: ${(error as Error).message}`);
  }
}

/** What a feed file holds, once it is read as JSON. */
export function feedFileOf(content: unknown, path: string): FeedFile {
  const { contract, batches } = (content ?? {}) as { contract?: unknown; batches?: unknown };
  if (!Array.isArray(batches)) {
    throw new UsageError(
      `The feed \`${path}\` has no \`batches\`. A feed is {"contract": {…}, "batches": [{"asOf": "2026-03-01T06:00:00Z", "rows": [{…}]}]}.`,
    );
  }
  return {
    path,
    declared:
      contract === undefined || contract === null ? [] : [{ name: 'contract', value: contract, where: path }],
    batches: batches.map((batch, index) => readBatch(batch, `batch ${index} of \`${path}\``)),
  };
}

function readBatch(batch: unknown, where: string): FeedFile['batches'][number] {
  const { asOf, rows, columns } = (batch ?? {}) as { asOf?: unknown; rows?: unknown; columns?: unknown };
  const micros = typeof asOf === 'string' ? parseInstant(asOf) : null;
  if (micros === null)
    throw new UsageError(
      `The \`asOf\` of ${where} is ${JSON.stringify(asOf)}; it must be ISO text such as "2026-03-01T06:00:00Z".`,
    );
  if (!Array.isArray(rows)) throw new UsageError(`The \`rows\` of ${where} must be a list of objects.`);
  for (const [index, row] of rows.entries()) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      throw new UsageError(`Row ${index} of ${where} is ${JSON.stringify(row)}; a row is an object.`);
    }
  }
  const read = { asOf: micros, rows: rows as Readonly<Record<string, unknown>>[] };
  if (columns === undefined) return read;
  if (!Array.isArray(columns) || columns.some((name) => typeof name !== 'string'))
    throw new UsageError(`The \`columns\` of ${where} must be a list of names, in the order of delivery.`);
  return { ...read, columns: columns as string[] };
}

/** The contract with types that fit the file: a column that nobody gave a type and that holds numbers is no text. */
export function inferTypes(contract: Contract, { batches }: FeedFile): Contract {
  const values = (name: string) =>
    batches
      .flatMap(({ rows }) => rows.map((row) => row[name]))
      .filter((value) => value !== null && value !== undefined);
  const fitted = (column: Column): Column =>
    column.type === 'text' ? { ...column, type: inferred(values(column.name)) } : column;
  const { key, tracked, untracked, sequence, partition } = contract.columns;
  const columns: Columns = {
    ...contract.columns,
    key: key.map(fitted),
    tracked: tracked.map(fitted),
    untracked: untracked.map(fitted),
    sequence: sequence === null ? null : fitted(sequence),
    partition: partition === null ? null : fitted(partition),
  };
  return { ...contract, columns };
}

function inferred(values: readonly unknown[]): Column['type'] {
  if (values.length === 0 || values.some((value) => typeof value !== 'number' && typeof value !== 'boolean'))
    return 'text';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (!values.every((value) => Number.isInteger(value))) return 'double';
  return values.every((value) => Math.abs(value as number) < 2 ** 31) ? 'integer' : 'bigint';
}

/** The feed, its cells read by the types of the contract. */
export function toFeed(contract: Contract, file: FeedFile): Feed {
  const columns = batchColumns(contract.columns, contract.firstStart);
  const names = columns.map(({ name }) => name);
  const batches = file.batches.map(({ rows, ...rest }, batch) => ({
    ...rest,
    rows: rows.map((row, index) => {
      const strange = Object.keys(row).find((name) => !names.includes(name));
      if (strange !== undefined) {
        throw new UsageError(
          `Row ${index} of batch ${batch} of \`${file.path}\` has a column \`${strange}\`, which the contract does not name.${suggestion(strange, names)} Declare it in the feed's contract: "key", "tracked", "untracked", …`,
        );
      }
      return readRow(columns, row, `batch ${batch} of \`${file.path}\``, index);
    }),
  }));
  return { id: file.path, batches };
}

function readRow(
  columns: readonly Column[],
  row: Readonly<Record<string, unknown>>,
  where: string,
  index: number,
): Row {
  try {
    return Object.fromEntries(
      columns.map((column) => [
        column.name,
        row[column.name] === undefined ? null : cellFromJson(column, row[column.name], index),
      ]),
    );
  } catch (error) {
    throw new UsageError(`In ${where}: ${(error as Error).message}`);
  }
}
