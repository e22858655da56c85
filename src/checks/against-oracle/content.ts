import { always, type Check, judged } from '../check.ts';
import { interval } from '../words.ts';

const COLUMNS = 'feed, step, key, state, valid_from, valid_to, is_deleted';

export const content: Check = {
  id: 'content',
  group: 'oracle',
  title: 'The versions of a key are exactly those that its history calls for: attributes, starts and ends.',
  why: 'A table can be without gap or overlap and still say the wrong thing: a past value, or the day of a change, differs, and so does every report of that time.',
  implies: ['untracked', 'as-of-value', 'coverage', 'no-fan-out', 'reconciles'],
  skip: always,
  // Multisets both ways, NULL-safe. Where content is not judged, a state that was never delivered for the key is wrong all the same.
  violations: () => `SELECT *, 'missing' AS what FROM (
      (SELECT ${COLUMNS} FROM expected EXCEPT ALL SELECT ${COLUMNS} FROM version)) c WHERE ${judged('c')}
    UNION ALL
    SELECT *, 'wrong' FROM ((SELECT ${COLUMNS} FROM version EXCEPT ALL SELECT ${COLUMNS} FROM expected)) c WHERE ${judged('c')}
    UNION ALL
    SELECT ${COLUMNS}, 'invented' FROM version v WHERE NOT (${judged('v')}) AND NOT EXISTS (
      SELECT 1 FROM delivered d WHERE d.feed = v.feed AND d.batch <= v.step AND d.key = v.key AND d.state = v.state)`,
  exercised: () => `SELECT count(*) FROM expected e WHERE ${judged('e')}`,
  message: ({ what, valid_from, valid_to }) =>
    what === 'missing'
      ? `The version ${interval(valid_from!, valid_to!)} is missing, or its attributes are wrong.`
      : what === 'wrong'
        ? `The version ${interval(valid_from!, valid_to!)} should not be there, or its attributes are wrong.`
        : `The version ${interval(valid_from!, valid_to!)} has attributes that no batch delivered for this key.`,
};
