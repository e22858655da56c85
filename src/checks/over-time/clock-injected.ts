import { isInstantLiteral } from '../../contract/columns.ts';
import { type Contract, grainMicros } from '../../contract/contract.ts';
import { parseInstant, truncateInstant } from '../../contract/instant.ts';
import { always, type Check } from '../check.ts';
import { at } from '../words.ts';

/** Instants that may be a start or an end: those of batches and rows so far, and the contract's literals. */
function allowed({ firstStart, grain }: Contract): string {
  const literal = isInstantLiteral(firstStart) ? parseInstant(firstStart) : null;
  return `SELECT feed, batch, as_of AS instant FROM load
      UNION ALL SELECT feed, batch, instant FROM delivered
      UNION ALL SELECT feed, batch, first_start FROM delivered WHERE first_start IS NOT NULL
      ${literal === null ? '' : `UNION ALL SELECT feed, batch, ${truncateInstant(literal, grainMicros(grain))} FROM load`}`;
}

/** Under `clock: wall` the stamps of one load are one instant; where a version touches the next they must have been one before that. */
function readTwice({ end, grain }: Contract): string {
  const toExclusive = end === 'inclusive' ? grainMicros(grain) : 0n;
  return `SELECT n.feed, n.step, n.key, n.raw_from AS stamp, 'twice' AS what, e.raw_to + ${toExclusive} AS ended
    FROM version n JOIN version e ON e.feed = n.feed AND e.step = n.step AND e.key = n.key AND e.valid_to = n.valid_from
    WHERE n.raw_from <> n.valid_from AND e.raw_to + ${toExclusive} <> e.valid_to AND e.raw_to + ${toExclusive} <> n.raw_from`;
}

export const clockInjected: Check = {
  id: 'clock-injected',
  group: 'time',
  // There the right versions may come of stamps that differ.
  beyondOracle: ({ clock }) => clock === 'wall',
  title: 'Every start and end is an instant that the feed brought, whatever the clock on the wall shows.',
  why: 'A stamp from another clock says when the job ran and not when the change was: a rerun gives another history, and the deleted customer lives on for the seconds between two calls.',
  implies: [
    'content',
    'no-repeat',
    'version-count',
    'untracked',
    'coverage',
    'no-fan-out',
    'as-of-value',
    'reconciles',
    'open-is-latest',
  ],
  skip: always,
  violations: ({ contract }) => `WITH allowed AS (${allowed(contract)}),
    stamp AS (
      SELECT feed, step, key, valid_from AS stamp, 'start' AS what, NULL::BIGINT AS ended FROM version WHERE valid_from IS NOT NULL
      UNION ALL SELECT feed, step, key, valid_to, 'end', NULL FROM version WHERE valid_to IS NOT NULL)
    SELECT s.* FROM stamp s WHERE NOT EXISTS (SELECT 1 FROM allowed a WHERE a.feed = s.feed AND a.batch <= s.step AND a.instant = s.stamp)
      -- A stamp cut down to a coarser grain is a matter of grain, and not of the clock.
      AND NOT EXISTS (SELECT 1 FROM allowed a WHERE a.feed = s.feed AND a.batch <= s.step
        AND s.stamp IN (a.instant - a.instant % 1000, a.instant - a.instant % 1000000, a.instant - a.instant % 86400000000))
    ${contract.clock === 'wall' ? `UNION ALL ${readTwice(contract)}` : ''}`,
  exercised: () => 'SELECT count(*) FROM version',
  message: ({ stamp, what, ended, before, after, reason }) => {
    if (after !== undefined) {
      const otherwise = reason === undefined ? 'gave another dimension' : `raised an error (${reason})`;
      return `The same feed ${otherwise} when the clock on the wall showed ${at(after)} and not ${at(before!)}: what a load does depends on when it runs.`;
    }
    return what === 'twice'
      ? `One load ended a version and began the next at two different times, ${at(ended!)} and ${at(stamp!)}: it read the clock twice.`
      : `A version has its ${what} at ${at(stamp!)}, an instant that no batch brought.`;
  },
};
