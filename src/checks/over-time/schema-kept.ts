import { TYPES } from '../../contract/types.ts';
import { always, type Check } from '../check.ts';

export const schemaKept: Check = {
  id: 'schema-kept',
  group: 'time',
  types: TYPES,
  beyondOracle: true,
  title: 'The columns of the dimension stay from load to load, and stay filled.',
  why: 'A column that vanishes takes its history along; one that is no longer filled looks like a change of every row.',
  implies: [
    'content',
    'version-count',
    'hash-matches',
    'surrogate-key-stable',
    'current-flag',
    'current-value',
  ],
  skip: always,
  violations: () => `SELECT feed, step, NULL::INTEGER AS key, name, 'gone' AS what FROM (
      SELECT feed, step + 1 AS step, name FROM held_column WHERE (feed, step + 1) IN (SELECT (feed, step) FROM step)
      EXCEPT SELECT feed, step, name FROM held_column)
    WHERE (feed, step) IN (SELECT (feed, step) FROM held_column)
    UNION ALL
    SELECT a.feed, a.step, NULL, a.name, 'emptied' FROM held_column a JOIN held_column b ON b.feed = a.feed AND b.step = a.step - 1 AND b.name = a.name
    WHERE a.bookkeeping AND a.rows > 0 AND a.filled = 0 AND b.rows > 0 AND b.filled = b.rows
    UNION ALL
    SELECT feed, step, NULL, max(name), 'doubled' FROM held_column GROUP BY feed, step, lower(name) HAVING count(*) > 1`,
  exercised: () => 'SELECT count(*) FROM step WHERE step > 0',
  message: ({ name, what }) =>
    what === 'gone'
      ? `The column \`${name}\` is no longer there.`
      : what === 'doubled'
        ? `There are two columns \`${name}\` that differ only in case.`
        : `The column \`${name}\` was filled and is now empty.`,
};
