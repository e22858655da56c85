/**
 * DuckDB chunks to Arrow tables and back, without loss and a column at a time. Which type becomes which is said in
 * types.ts; how, in read.ts and write.ts.
 */

import * as duckdb from '@duckdb/node-api';
import bindings from '@duckdb/node-bindings';
import type * as arrow from 'apache-arrow';
import { plain } from './gather.ts';
import { readColumn } from './read.ts';
import { quoteIdentifier } from './sql.ts';
import { tableFromData } from './table.ts';
import { arrowField, duckdbType, sqlType } from './types.ts';
import { writeNulls, writeVector } from './write.ts';

/** Column names and types of DuckDB data. */
export interface ChunkColumns {
  readonly names: readonly string[];
  readonly types: readonly duckdb.DuckDBType[];
}

/** All chunks as one Arrow table, of one record batch. Names must differ from each other. */
export function tableFromChunks(
  columns: ChunkColumns,
  chunks: readonly duckdb.DuckDBDataChunk[],
): arrow.Table {
  const { names, types } = columns;
  const counts = chunks.map((chunk) => chunk.rowCount);
  const fields = names.map((name, i) => arrowField(name, types[i]!));
  const children = fields.map((field, i) => {
    const pieces = chunks.map(({ chunk }, c) => {
      return { vector: bindings.data_chunk_get_vector(chunk, i), start: 0, count: counts[c]! };
    });
    return readColumn(types[i]!, field, pieces);
  });
  return tableFromData(
    fields,
    children,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

/** The DuckDB types that the columns of an Arrow table are written as. In SQL, use `columnDefinitions`. */
export function columnTypes(table: arrow.Table): duckdb.DuckDBType[] {
  return table.schema.fields.map(duckdbType);
}

/** The columns of an Arrow table as `CREATE TABLE` declares them: `"valid_from" TIMESTAMP`. */
export function columnDefinitions(table: arrow.Table): string[] {
  return table.schema.fields.map((field) => `${quoteIdentifier(field.name)} ${sqlType(duckdbType(field))}`);
}

/** A column to write: the Arrow column at a position, or (null) a column of NULLs. */
export interface TargetColumn {
  readonly type: duckdb.DuckDBType;
  readonly from: number | null;
}

/** The rows of an Arrow table as DuckDB chunks of at most 2,048 rows. A chunk is valid until the next one is taken. */
export function* chunksFromTable(
  table: arrow.Table,
  columns: readonly TargetColumn[],
): Generator<duckdb.DuckDBDataChunk> {
  const types = columns.map((column) => column.type);
  const size = bindings.vector_size();
  for (const batch of table.batches) {
    const sources = columns.map(({ from }) => (from === null ? null : plain(batch.data.children[from]!)));
    for (let start = 0; start < batch.numRows; start += size) {
      const count = Math.min(size, batch.numRows - start);
      const chunk = duckdb.DuckDBDataChunk.create(types, count);
      sources.forEach((data, i) => {
        const vector = bindings.data_chunk_get_vector(chunk.chunk, i);
        const field = table.schema.fields[columns[i]!.from ?? 0]!;
        if (data === null) writeNulls(vector, count);
        else writeVector(vector, types[i]!, { data, start, count, field });
      });
      yield chunk;
    }
  }
}
