import { hasCurrentTable, hasVersions, TYPES } from '../../contract/types.ts';
import type { Check } from '../check.ts';
import { interval } from '../words.ts';

export const untracked: Check = {
  id: 'untracked',
  group: 'oracle',
  types: TYPES,
  beyondOracle: true,
  title: 'Untracked attributes of a version hold a value that the contract allows.',
  why: 'They make no version, so nobody looks at them until a letter goes to a street that the customer never lived in.',
  implies: [],
  skip: ({ columns }) => (columns.untracked.length === 0 ? 'the dimension has no untracked attribute' : null),
  violations: ({ contract }) => {
    const parts = [
      ...(hasVersions(contract) ? [WRONG_ON_VERSION] : []),
      ...(hasCurrentTable(contract) ? [WRONG_ON_CURRENT] : []),
    ];
    return parts.join(' UNION ALL ');
  },
  exercised: ({ contract }) => {
    const judged = hasVersions(contract) ? 'untracked_judged' : 'untracked_judged_current';
    return `SELECT count(*) FROM ${judged}`;
  },
  message: ({ valid_from, valid_to }) =>
    valid_from === null
      ? 'The untracked attributes of the row in the current table are not the latest that were delivered for the key.'
      : `The untracked attributes of the version ${interval(valid_from!, valid_to!)} are not among those that the contract allows there.`,
};

const WRONG_ON_VERSION = `SELECT v.feed, v.step, v.key, v.valid_from, v.valid_to
    FROM version v
    JOIN expected e USING (feed, step, key, state, valid_from, is_deleted)
    JOIN untracked_judged j ON j.feed = v.feed AND j.step = v.step AND j.key = v.key AND j.valid_from = v.valid_from AND j.is_deleted = v.is_deleted
    WHERE v.valid_to IS NOT DISTINCT FROM e.valid_to
      AND NOT EXISTS (SELECT 1 FROM untracked_right r WHERE r.feed = v.feed AND r.step = v.step AND r.key = v.key
        AND r.valid_from = v.valid_from AND r.is_deleted = v.is_deleted AND r.extra = v.extra)`;

const WRONG_ON_CURRENT = `SELECT h.feed, h.step, h.key, NULL::BIGINT AS valid_from, NULL::BIGINT AS valid_to
    FROM current_row h
    JOIN expected_current e USING (feed, step, key, state, is_deleted)
    JOIN untracked_judged_current j ON j.feed = e.feed AND j.step = e.step AND j.key = e.key AND j.valid_from = e.valid_from AND j.is_deleted = e.is_deleted
    WHERE NOT EXISTS (SELECT 1 FROM untracked_right_current r WHERE r.feed = e.feed AND r.step = e.step AND r.key = e.key
        AND r.valid_from = e.valid_from AND r.is_deleted = e.is_deleted AND r.extra = h.extra)`;
