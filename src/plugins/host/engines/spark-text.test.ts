import { describe, expect, test } from 'vitest';
import { moveClockIn, ScratchNames } from './spark-text.ts';

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

  test('is found behind a comment, and not behind AS and a comment', () => {
    expect(moved('SET a = -- stamped as\n current_date()')).toBe("SET a = -- stamped as\n DATE '2026-03-02'");
    const named = 'SELECT x AS /* is */ current_date FROM t';
    expect(moved(named)).toBe(named);
  });

  test('is what unix_timestamp counts to', () => {
    expect(moved('SELECT unix_timestamp()')).toBe(
      "SELECT unix_timestamp(TIMESTAMP '2026-03-02 12:00:00.000000')",
    );
    expect(moved('SELECT unix_timestamp(x)')).toBe('SELECT unix_timestamp(x)');
  });

  test('a raw text ends at its quote, whatever stands before it', () => {
    expect(moved(String.raw`SELECT r'\', current_date`)).toBe(String.raw`SELECT r'\', DATE '2026-03-02'`);
  });

  test('a call that takes an argument is another function', () => {
    expect(moved("SELECT now('x')")).toBe("SELECT now('x')");
  });
});

const name = (text: string) => {
  const parts = text.split('.');
  return { schema: parts.slice(0, -1), table: parts.at(-1)! };
};

describe('a name with catalog and schema', () => {
  const names = new ScratchNames([name('my.recipes.dim_customer'), name('staged')]);

  test('means the table of that name in the scratch schema, quoted or not, with blanks around its dots', () => {
    for (const text of [
      'my.recipes.dim_customer',
      '`My`.recipes.`dim_customer`',
      'my . recipes\n.dim_customer',
    ])
      expect(names.putInto(`MERGE INTO ${text} t`)).toBe('MERGE INTO dim_customer t');
    expect(names.putInto('SELECT my.recipes.dim_customer.a')).toBe('SELECT dim_customer.a');
  });

  test('is not found inside a longer name, a text or a comment', () => {
    for (const sql of [
      'SELECT a.my.recipes.dim_customer',
      "SELECT 'my.recipes.dim_customer'",
      '-- my.recipes.dim_customer',
      'FROM my.recipes.dim_customer_old',
      'FROM my.recipes.dim_log',
    ])
      expect(names.putInto(sql)).toBe(sql);
  });

  test('stays two where the batch and the dimension have one name in two schemas', () => {
    const two = new ScratchNames([name('staging.customers'), name('dw.customers')]);
    expect(two.putInto('MERGE INTO dw.customers USING staging.customers')).toBe(
      'MERGE INTO dw__customers USING staging__customers',
    );
    expect(two.of(name('dw.customers'))).toBe('dw__customers');
  });
});
