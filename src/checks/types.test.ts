import { describe, expect, test } from 'vitest';
import { type Column, dimensionColumns, type Row } from '../contract/columns.ts';
import { tableFromRows } from '../duckdb/rows.ts';
import { contractOf } from '../feed/testing.ts';
import { UnreadableDimension } from './held.ts';
import { Judge } from './judge.ts';

const INSTANT = '2026-03-01T00:00:00.000000Z';
const BATCH = { asOf: 1_772_323_200_000_000n, rows: ['x', 'y'].map((id) => ({ id, a: 'A' })) };

/** What the checks say of a dimension after one batch. */
async function judged(fields: Readonly<Record<string, unknown>>, rows: readonly Row[], checks: string[]) {
  const contract = contractOf({ key: 'id', tracked: 'a', ...fields });
  const columns = dimensionColumns(contract).map(
    (column): Column => (column.name === 'in_history' ? { ...column, type: 'text' } : column),
  );
  const dimension = tableFromRows(columns, rows);
  const feed = { id: 'test', batches: [BATCH] };
  const judge = await Judge.open(contract, [
    { feed, steps: [{ outcome: { status: 'applied' }, dimension }] },
  ]);
  try {
    return await judge.judge(contract, { checks, join: null });
  } finally {
    judge.close();
  }
}

describe('the flag of the history', () => {
  test.each<[string | null, string]>([
    ['current', '`current`'],
    ['history', '`history`'],
    [null, 'NULL'],
  ])('that is %s cannot be read', async (flag, words) => {
    const reading = judged({ type: '4' }, [{ id: 'x', a: 'A', in_history: flag }], []);
    await expect(reading).rejects.toThrow(UnreadableDimension);
    await expect(judged({ type: '4' }, [{ id: 'x', a: 'A', in_history: flag }], [])).rejects.toThrow(words);
  });
});
