import type { Check } from '../check.ts';
import { at } from '../words.ts';

const PAIRS = `version a JOIN version b
      ON b.feed = a.feed AND b.step = a.step + 1 AND b.key = a.key AND b.state = a.state AND b.valid_from = a.valid_from
    WHERE NOT EXISTS (SELECT 1 FROM observed_log o WHERE o.feed = b.feed AND o.key = b.key AND o.live_from = b.step AND o.late_by_key)`;

export const surrogateKeyStable: Check = {
  id: 'surrogate-key-stable',
  group: 'time',
  beyondOracle: true,
  title: 'A version keeps its surrogate key.',
  why: 'Facts that were loaded earlier point at the old number: after the load they point at nothing, or at another customer.',
  implies: [],
  skip: ({ columns }) => (columns.surrogateKey === null ? 'the dimension has no surrogate key' : null),
  violations: () => `SELECT b.feed, b.step, b.key, b.valid_from, a.surrogate AS before, b.surrogate AS after
    FROM ${PAIRS} AND a.surrogate IS DISTINCT FROM b.surrogate`,
  exercised: () => `SELECT count(*) FROM ${PAIRS}`,
  message: ({ valid_from, before, after }) =>
    `The version from ${at(valid_from!)} had the surrogate key ${before}, and now has ${after}.`,
};
