import { describe, expect, test } from 'vitest';
import { moveClockIn, unqualify } from './spark-text.ts';

const NOON = '2026-03-02 12:00:00.000000';
const moved = (sql: string) => moveClockIn(sql, NOON);

describe('the clock in the text of a Spark statement', () => {
  test('is the instant, with and without parentheses, in any case', () => {
    expect(moved('SELECT current_date(), CURRENT_DATE, now( )')).toBe(
      "SELECT DATE '2026-03-02', DATE '2026-03-02', TIMESTAMP '2026-03-02 12:00:00.000000'",
    );
  });

  test('is not moved in texts, comments and names in backticks', () => {
    const sql = "SELECT 'now()', `current_date` -- now()\n/* current_date */";
    expect(moved(sql)).toBe(sql);
  });

  test('a column of that name stays one', () => {
    const sql = 'SELECT t.current_date, x AS current_date, now FROM t';
    expect(moved(sql)).toBe(sql);
  });

  test('a call that takes an argument is another function', () => {
    expect(moved("SELECT now('x')")).toBe("SELECT now('x')");
  });
});

describe('a name with catalog and schema', () => {
  const dimension = { schema: ['my', 'recipes'], table: 'dim_customer' };

  test('means the table of that name in the current schema, quoted or not', () => {
    expect(unqualify('MERGE INTO my.recipes.dim_customer t', dimension)).toBe('MERGE INTO dim_customer t');
    expect(unqualify('SELECT `My`.recipes.`dim_customer`.a', dimension)).toBe('SELECT `dim_customer`.a');
  });

  test('is not found inside a longer name, a text or a comment', () => {
    for (const sql of [
      'SELECT a.my.recipes.dim_customer',
      "SELECT 'my.recipes.dim_customer'",
      '-- my.recipes.dim_customer',
      'FROM my.recipes.dim_customer_old',
    ])
      expect(unqualify(sql, dimension)).toBe(sql);
  });
});
