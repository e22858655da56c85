import { interpretValues } from '../../checks/interpret.ts';
import { loadValues } from '../../checks/relations.ts';
import type { Contract } from '../../contract/contract.ts';
import { Database } from '../../duckdb/connection.ts';
import type { Feed } from '../../feed/feed.ts';
import type { ExpectedStep } from '../expected.ts';
import { runOracle } from './oracle.ts';
import { readExpected } from './read.ts';

export { runOracle } from './oracle.ts';
export { readExpected } from './read.ts';

/** What a dimension should hold after each batch of each feed, by the DuckDB oracle alone: no implementation is needed. */
export async function expectFeeds(
  contract: Contract,
  feeds: readonly Feed[],
): Promise<readonly ExpectedStep[][]> {
  const db = await Database.open();
  try {
    await loadValues(db, contract, feeds, []);
    await interpretValues(db, contract);
    await db.run('CREATE TABLE prefix AS SELECT feed, batch AS step FROM load');
    await runOracle(db, contract);
    return await readExpected(db, contract, feeds.length);
  } finally {
    db.close();
  }
}
