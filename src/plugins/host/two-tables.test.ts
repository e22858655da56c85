import { describe, expect, test } from 'vitest';
import type { Column, Row } from '../../contract/columns.ts';
import { rowsFromTable, tableFromRows } from '../../duckdb/rows.ts';
import { asOneRelation } from './two-tables.ts';

const column = (name: string, type: Column['type'] = 'text'): Column => ({ name, type, nullable: true });
const table = (columns: readonly Column[], rows: readonly Row[]) => tableFromRows(columns, rows);

describe('two tables as one relation', () => {
  test('have the columns of both, and a flag of the history', () => {
    const current = table([column('k'), column('a')], [{ k: 'x', a: 'B' }]);
    const history = table(
      [column('k'), column('a'), column('valid_from', 'timestamp')],
      [{ k: 'x', a: 'A', valid_from: '2026-03-01T00:00:00.000000Z' }],
    );
    const rows = rowsFromTable(asOneRelation(current, history, 'in_history', ['k', 'a']));
    expect(rows).toEqual([
      { k: 'x', a: 'B', valid_from: null, in_history: false },
      { k: 'x', a: 'A', valid_from: '2026-03-01T00:00:00.000000Z', in_history: true },
    ]);
  });

  test('may be empty', () => {
    const empty = table([column('k')], []);
    expect(rowsFromTable(asOneRelation(empty, empty, 'in_history', ['k', 'a']))).toEqual([]);
  });

  test('are one in a column that they spell in two ways', () => {
    const current = table([column('K')], [{ K: 'x' }]);
    const history = table([column('k')], [{ k: 'x' }]);
    expect(rowsFromTable(asOneRelation(current, history, 'in_history', ['k']))).toEqual([
      { k: 'x', in_history: false },
      { k: 'x', in_history: true },
    ]);
  });

  test('may have two types for a column that is nobody’s', () => {
    const current = table([column('k'), column('loaded_at', 'date')], [{ k: 'x', loaded_at: '2026-03-01' }]);
    const history = table([column('k'), column('loaded_at', 'timestamp')], []);
    const rows = rowsFromTable(asOneRelation(current, history, 'in_history', ['k']));
    expect(rows).toEqual([{ k: 'x', in_history: false }]);
  });

  test('must have one type for a column', () => {
    const current = table([column('a', 'integer')], [{ a: 1 }]);
    const history = table([column('a')], [{ a: '1' }]);
    expect(() => asOneRelation(current, history, 'in_history', ['k', 'a'])).toThrow('column "a" is Int32');
  });
});
