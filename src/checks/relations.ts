import type { Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Database } from '../duckdb/connection.ts';
import { tableFromRows } from '../duckdb/rows.ts';
import type { Feed } from '../feed/feed.ts';
import { loadDelivered } from './delivered.ts';
import { type Held, loadHeld } from './held.ts';

/** Loads feeds and dimensions into an empty database, as values; nothing of it depends on the contract's decisions. */
export async function loadValues(
  db: Database,
  contract: Contract,
  feeds: readonly Feed[],
  held: readonly Held[],
): Promise<void> {
  await loadDelivered(db, contract, feeds);
  await loadHeld(db, contract, held);
  await db.run('CREATE TABLE load_window (feed INTEGER, batch INTEGER, from_us BIGINT, to_us BIGINT)');
}

/** When each load ran by the clock on the wall, in microseconds since the epoch; nothing where no clock was read. */
export async function loadWindows(
  db: Database,
  windows: readonly {
    readonly feed: number;
    readonly batch: number;
    readonly from: bigint;
    readonly to: bigint;
  }[],
): Promise<void> {
  const column = (name: string, type: Column['type']): Column => ({ name, type, nullable: false });
  const columns = [column('feed', 'integer'), column('batch', 'integer')];
  const rows = windows.map(({ feed, batch, from, to }) => ({ feed, batch, from_us: from, to_us: to }));
  await db.append(
    'load_window',
    tableFromRows([...columns, column('from_us', 'bigint'), column('to_us', 'bigint')], rows),
  );
}
