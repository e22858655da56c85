import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../cli/version.ts';
import { declareContract } from '../contract/declare.ts';
import { applied, codeOf, lineAt } from './code.ts';
import { mutationsOf } from './mistakes.ts';

const { columns } = declareContract([]).contract;

/** All that can be made of a script, without the mistakes named. */
function broken(sql: string, only?: string): string[] {
  const code = codeOf(sql);
  return mutationsOf(code, columns)
    .filter(({ mistake }) => only === undefined || mistake === only)
    .map((mutation) => applied(code, mutation));
}

describe('mistakes in a script', () => {
  it.each([
    ['a boundary moved', 'SELECT a < b', ['SELECT a <= b']],
    ['a boundary moved', 'SELECT a >= b, c -> d, e <> f, g::INT', ['SELECT a > b, c -> d, e <> f, g::INT']],
    ['NULL is no value', 'SELECT a IS DISTINCT FROM b', ['SELECT a <> b']],
    ['NULL is no value', 'SELECT a IS NOT DISTINCT FROM b', ['SELECT a = b']],
    ['a condition is forgotten', 'SELECT 1 WHERE a AND b', ['SELECT 1 WHERE b', 'SELECT 1 WHERE a ']],
    [
      'a condition is forgotten',
      'SELECT 1 WHERE x BETWEEN 1 AND 2 AND a IS DISTINCT FROM (b AND c) THEN',
      [
        'SELECT 1 WHERE x BETWEEN 1 AND 2 THEN',
        'SELECT 1 WHERE x BETWEEN 1 AND 2 AND a IS DISTINCT FROM (b ) THEN',
      ],
    ],
    [
      'an arm of the MERGE is forgotten',
      'MERGE INTO t USING s ON k WHEN MATCHED THEN DELETE WHEN NOT MATCHED BY SOURCE THEN DELETE;',
      [
        'MERGE INTO t USING s ON k WHEN NOT MATCHED BY SOURCE THEN DELETE;',
        'MERGE INTO t USING s ON k WHEN MATCHED THEN DELETE ;',
      ],
    ],
    ['a statement is forgotten', 'BEGIN; DELETE FROM t; COMMIT;', ['BEGIN; ; COMMIT;']],
    ['two statements in the wrong order', 'UPDATE t SET a = 1; INSERT INTO s SELECT 2;', []],
    [
      'two statements in the wrong order',
      'UPDATE t SET a = 1; INSERT INTO t SELECT 2;',
      ['INSERT INTO t SELECT 2; UPDATE t SET a = 1;'],
    ],
    ['the wrong instant', 'SELECT :as_of', ['SELECT (:as_of + INTERVAL 1 DAY)']],
    [
      'a clock of its own',
      'SELECT :as_of, $as_of',
      ['SELECT CAST(now() AS TIMESTAMP), CAST(now() AS TIMESTAMP)'],
    ],
    ['the flag is always true', 'SELECT valid_to IS NULL AS is_current', ['SELECT true AS is_current']],
    ['the flag is left as it is', 'UPDATE t SET a = 1, is_current = false', ['UPDATE t SET a = 1']],
    ['NULL keeps the old value', 'SELECT d.a <> b.a', ['SELECT d.a <> COALESCE(b.a, d.a)']],
    [
      'untracked columns are compared',
      'SELECT d.customer_segment <> b.customer_segment',
      ['SELECT (d.customer_segment <> b.customer_segment OR d.street <> b.street)'],
    ],
    [
      'the hash covers all columns',
      'SELECT md5(a || md5(b))',
      ["SELECT md5(a || md5(b) || coalesce(CAST(street AS VARCHAR), ''))"],
    ],
    [
      'the window spans several keys',
      'SELECT f() OVER (PARTITION BY a, b ORDER BY c)',
      ['SELECT f() OVER (PARTITION BY  b ORDER BY c)'],
    ],
    [
      'the window spans all keys',
      'SELECT f() OVER (PARTITION BY a ORDER BY c)',
      ['SELECT f() OVER (ORDER BY c)'],
    ],
    ['the wrong order', 'SELECT f() OVER (ORDER BY a DESC)', ['SELECT f() OVER (ORDER BY a)']],
    [
      'rows are deleted, not closed',
      'UPDATE d SET valid_to = :as_of WHERE gone;',
      ['DELETE FROM d WHERE gone;'],
    ],
  ])('%s: %s', (mistake, sql, expected) => {
    expect(broken(sql, mistake)).toEqual(expected);
  });

  it('are made outside comments, quotes and the setup', () => {
    const sql = [
      '-- a < b',
      '-- scd2check:setup',
      'CREATE TABLE t AS SELECT 1 < 2;',
      '-- scd2check:load',
      'SELECT \'a < b\', $$ a < b $$, "valid_to IS DISTINCT FROM x" /* a < b */;',
    ].join('\n');
    expect(broken(sql, 'a boundary moved')).toEqual([]);
  });

  it('change one thing, at the line that they name', () => {
    const sql = readFileSync(join(packageRoot(), 'examples/observation-log.sql'), 'utf8');
    const code = codeOf(sql);
    const all = mutationsOf(code, columns);
    expect(all.length).toBeGreaterThan(20);
    for (const mutation of all) {
      const before = sql.split('\n');
      const after = applied(code, mutation).split('\n');
      const first = before.findIndex((line, at) => line !== after[at]);
      expect(first + 1).toBeGreaterThanOrEqual(lineAt(code, mutation.edits[0]!.start));
    }
  });
});
