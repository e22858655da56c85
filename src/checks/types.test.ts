import { describe, expect, test } from 'vitest';
import { UsageError } from '../cli/usage-error.ts';
import { type Column, dimensionColumns, type Row } from '../contract/columns.ts';
import { tableFromRows } from '../duckdb/rows.ts';
import { contractOf } from '../feed/testing.ts';
import { UnreadableDimension } from './held.ts';
import { Judge } from './judge.ts';

const INSTANT = '2026-03-01T00:00:00.000000Z';
const BATCH = { asOf: 1_772_323_200_000_000n, rows: ['x', 'y'].map((id) => ({ id, a: 'A' })) };

/** What the checks say of a dimension after one batch. */
async function judged(
  fields: Readonly<Record<string, unknown>>,
  rows: readonly Row[],
  checks: string[],
  join: string | null = null,
) {
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
    return await judge.judge(contract, { checks, join });
  } finally {
    judge.close();
  }
}

const current = (id: string, sk: string, more: Row = {}): Row => ({
  id,
  a: 'A',
  sk,
  in_history: '0',
  ...more,
});
const version = (id: string, sk: string): Row => current(id, sk, { in_history: '1', valid_from: INSTANT });

describe('surrogate keys', () => {
  test.each(['1', '3', '4'])('are unique in the current table of type %s', async (type) => {
    const once = await judged(
      { type, surrogateKey: 'sk' },
      [current('x', '1'), current('y', '2')],
      ['surrogate-key-unique'],
    );
    expect(once).toMatchObject([{ skipReason: null, exercised: 2, count: 0 }]);
    const twice = await judged(
      { type, surrogateKey: 'sk' },
      [current('x', '1'), current('y', '1')],
      ['surrogate-key-unique'],
    );
    expect(twice).toMatchObject([{ count: 1 }]);
  });

  test('of type 4 may be the same in its two tables', async () => {
    const rows = [current('x', '1'), current('y', '2'), version('x', '1'), version('y', '2')];
    const tallies = await judged({ type: '4', surrogateKey: 'sk' }, rows, ['surrogate-key-unique']);
    expect(tallies).toMatchObject([{ exercised: 4, count: 0 }]);
  });
});

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

describe('a join of one’s own', () => {
  const BOUNDS = 'v.valid_from <= f.ts';

  test.each(['1', '3'])('is refused for type %s, which has no bounds', async (type) => {
    const reading = judged({ type }, [{ id: 'x', a: 'A' }], ['coverage'], BOUNDS);
    await expect(reading).rejects.toThrow(UsageError);
    await expect(judged({ type }, [], ['coverage'], BOUNDS)).rejects.toThrow(`--join ${BOUNDS}`);
  });

  test('says which of its columns there is not', async () => {
    const rows = [{ id: 'x', a: 'A', valid_from: INSTANT }];
    const reading = judged({}, rows, ['coverage'], 'v.valid_form <= f.ts');
    await expect(reading).rejects.toThrow(UsageError);
    await expect(judged({}, rows, ['coverage'], 'v.valid_form <= f.ts')).rejects.toThrow(
      /`--join v\.valid_form <= f\.ts` cannot be run: .*valid_form/,
    );
    expect(await judged({}, rows, ['coverage'], BOUNDS)).toMatchObject([{ skipReason: null }]);
  });

  test('of a dimension without a row meets nothing', async () => {
    expect(await judged({}, [], ['coverage'], BOUNDS)).toMatchObject([{ count: 2 }]);
  });
});
