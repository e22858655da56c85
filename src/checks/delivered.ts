import type { Column } from '../contract/columns.ts';
import { firstStartColumn } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Database } from '../duckdb/connection.ts';
import { tableFromRows } from '../duckdb/rows.ts';
import type { Feed } from '../feed/feed.ts';
import { valueColumns } from './value-columns.ts';

/** Makes `delivered_values` and `load_values`: what was sent, row by row, and the loads. */
export async function loadDelivered(db: Database, contract: Contract, feeds: readonly Feed[]): Promise<void> {
  const { columns } = contract;
  const firstStart = firstStartColumn(contract.firstStart);
  const roles: (readonly [string, Column | null])[] = [
    ['changed_at', columns.changedAt],
    ['operation', columns.operation],
    ['seq', columns.sequence],
    ['part', columns.partition],
    ['first_start', firstStart === null ? null : { name: firstStart, type: 'timestamp', nullable: true }],
  ];
  const number = (name: string): Column => ({ name, type: 'integer', nullable: false });
  const named = valueColumns(contract);
  const target: Column[] = [
    number('feed'),
    number('batch'),
    number('pos'),
    ...named.map(({ column, alias }) => ({ ...column, name: alias, nullable: true })),
    ...roles.map(([name, column]) => ({ ...(column ?? number(name)), name, nullable: true })),
  ];
  const rows = feeds.flatMap((feed, feedIndex) =>
    feed.batches.flatMap((batch, batchIndex) =>
      batch.rows.map((row, pos) => {
        const cells: Record<string, ReturnType<typeof cellOf>> = { feed: feedIndex, batch: batchIndex, pos };
        for (const { column, alias } of named) cells[alias] = cellOf(row, column.name);
        for (const [name, column] of roles) cells[name] = column === null ? null : cellOf(row, column.name);
        return cells;
      }),
    ),
  );
  await db.createTable('delivered_values', tableFromRows(target, rows));
  const loads = feeds.flatMap((feed, index) =>
    feed.batches.map(({ asOf, rows: { length } }, batch) => ({
      feed: index,
      batch,
      as_of: asOf,
      rows: length,
    })),
  );
  const loadColumns: Column[] = [
    number('feed'),
    number('batch'),
    { ...number('as_of'), type: 'bigint' },
    number('rows'),
  ];
  await db.createTable('load_values', tableFromRows(loadColumns, loads));
}

function cellOf(row: Feed['batches'][number]['rows'][number], name: string) {
  return row[name] ?? null;
}
