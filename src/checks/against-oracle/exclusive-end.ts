import { always, type Check, judged } from '../check.ts';
import { at } from '../words.ts';

export const exclusiveEnd: Check = {
  id: 'exclusive-end',
  group: 'oracle',
  title: 'The end of a version is exclusive, or inclusive where the contract says so.',
  why: 'With the other convention, the fact on the boundary meets two versions or none: revenue is wrong on exactly the day of the change.',
  implies: [
    'contiguous',
    'no-overlap',
    'clock-injected',
    'closed-stays-closed',
    'content',
    'coverage',
    'no-fan-out',
    'as-of-value',
    'reconciles',
    'version-count',
    'untracked',
  ],
  skip: always,
  // The right version, but for an end that lies one unit beside the right one and at no instant of the feed.
  violations: ({ contract }) => {
    const units = contract.grain === 'day' ? '(86400000000)' : '(1), (1000), (1000000)';
    return `SELECT v.feed, v.step, v.key, v.valid_from, v.raw_to, e.valid_to AS boundary, '${contract.end}' AS declared
    FROM version v JOIN expected e USING (feed, step, key, state, valid_from, is_deleted)
    JOIN (VALUES ${units}) u (unit) ON v.valid_to = e.valid_to ${contract.end === 'exclusive' ? '-' : '+'} u.unit
    WHERE ${judged('v')} AND NOT EXISTS (SELECT 1 FROM load l WHERE l.feed = v.feed AND l.as_of = v.valid_to)
      AND NOT EXISTS (SELECT 1 FROM delivered d WHERE d.feed = v.feed AND d.instant = v.valid_to)`;
  },
  exercised: () => `SELECT count(*) FROM expected e WHERE valid_to IS NOT NULL AND ${judged('e')}`,
  message: ({ raw_to, boundary, declared }) =>
    declared === 'exclusive'
      ? `A version ends at ${at(raw_to!)}, just before the next begins at ${at(boundary!)}: its end is inclusive.`
      : `A version ends at ${at(raw_to!)}, where the next begins: its end is exclusive, and the contract says inclusive.`,
};
