import { whySkipped } from '../checks/check.ts';
import { UnreadableDimension } from '../checks/held.ts';
import { CHECKS } from '../checks/index.ts';
import { Judge, type Trace } from '../checks/judge.ts';
import type { Contract } from '../contract/contract.ts';
import { illegalFeeds } from '../feed/illegal.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import type { IllegalResult } from './report.ts';
import { runFeed } from './session.ts';

/**
 * Sends what the contract says does not happen. No answer to it is right or wrong, so nothing is compared with the oracle: a batch that is
 * refused must change nothing, and one that is applied must leave a table with the structure of a history (the checks of the table group).
 */
export async function runIllegal(
  implementation: OpenedImplementation,
  contract: Contract,
  seed: number,
  stop: () => boolean,
): Promise<readonly IllegalResult[]> {
  const results: IllegalResult[] = [];
  for (const { words, field, feed } of illegalFeeds(contract, seed)) {
    if (stop()) break;
    const run = await runFeed(implementation, contract, feed);
    if ('failed' in run)
      results.push({ words, field, outcome: 'broken', detail: run.failed.failure.message });
    else results.push({ words, field, ...(await judgeStructure(contract, run.trace).catch(unreadable)) });
  }
  return results;
}

async function judgeStructure(
  contract: Contract,
  trace: Trace,
): Promise<Pick<IllegalResult, 'outcome' | 'detail'>> {
  const judge = await Judge.open(contract, [trace]);
  try {
    await judge.judge(contract, { checks: [], join: null });
    const refusal = trace.steps.find(({ outcome }) => outcome.status !== 'applied');
    if (refusal !== undefined) {
      const changed = await judge.db.rows(CHANGED_BY_REFUSED);
      if (changed.length > 0)
        return { outcome: 'broken', detail: 'it was refused, and yet the table changed' };
    }
    const failing: string[] = [];
    for (const check of CHECKS) {
      if (check.group !== 'table' || whySkipped(check, contract) !== null) continue;
      const found = await judge.db.rows(
        `SELECT 1 FROM (${check.violations({ contract, oracle: false })}) LIMIT 1`,
      );
      if (found.length > 0) failing.push(check.id);
    }
    if (failing.length > 0) return { outcome: 'broken', detail: failing.join(', ') };
    return { outcome: refusal === undefined ? 'sound' : 'refused', detail: null };
  } finally {
    judge.close();
  }
}

function unreadable(error: unknown): Pick<IllegalResult, 'outcome' | 'detail'> {
  if (error instanceof UnreadableDimension) return { outcome: 'broken', detail: error.message };
  throw error;
}

const COLUMNS = 'key, state, extra, valid_from, valid_to, is_open, is_current, is_deleted, beside';
const CHANGED_BY_REFUSED = `SELECT c.step FROM (
    (SELECT step + 1 AS step, ${COLUMNS} FROM dimension_row EXCEPT ALL SELECT step, ${COLUMNS} FROM dimension_row)
    UNION ALL
    (SELECT step, ${COLUMNS} FROM dimension_row EXCEPT ALL SELECT step + 1, ${COLUMNS} FROM dimension_row)) c
  JOIN happened h ON h.batch = c.step WHERE h.status <> 'applied'`;
