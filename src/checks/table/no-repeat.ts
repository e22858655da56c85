import type { Check } from '../check.ts';
import { at } from '../words.ts';

export const noRepeat: Check = {
  id: 'no-repeat',
  group: 'table',
  title: 'Two versions that touch differ in a tracked attribute.',
  why: 'Versions without a change make the dimension grow with every load, and “when did it change?” gets a wrong answer.',
  implies: ['version-count', 'content'],
  skip: ({ changeBy }) =>
    changeBy === 'row-time' ? 'under `changeBy: row-time` a newer row time alone makes a version' : null,
  violations: ({ contract, oracle }) => {
    const pairs = `SELECT feed, step, key, valid_to AS boundary, state FROM (
      SELECT feed, step, key, state, valid_from, valid_to,
        lead(valid_from) OVER (PARTITION BY feed, step, key ORDER BY valid_from, row, state) AS next_from,
        lead(state) OVER (PARTITION BY feed, step, key ORDER BY valid_from, row, state) AS next_state
      FROM version WHERE NOT is_deleted AND valid_from IS NOT NULL) followed
    WHERE valid_to = next_from AND state = next_state`;
    // A key that came back unchanged where it had ended is a new version by right.
    const mayTouch = contract.reappearance === 'bridge' || contract.stamp === 'row-time';
    if (!mayTouch) return pairs;
    if (!oracle) return `SELECT * FROM (${pairs}) p WHERE false`;
    return `SELECT p.* FROM (${pairs}) p WHERE NOT EXISTS (
        SELECT 1 FROM expected e WHERE e.feed = p.feed AND e.step = p.step AND e.key = p.key AND e.valid_from = p.boundary AND e.state = p.state)
      AND NOT EXISTS (SELECT 1 FROM excused x WHERE x.feed = p.feed AND x.step = p.step AND x.key = p.key)`;
  },
  exercised: () =>
    `SELECT count(*) FROM version a JOIN version b ON a.feed = b.feed AND a.step = b.step AND a.key = b.key AND a.valid_to = b.valid_from`,
  message: ({ boundary }) =>
    `The versions on both sides of ${at(boundary!)} have the same tracked attributes.`,
};
