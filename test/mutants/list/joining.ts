import { FOREVER, STRICT } from '../contracts.ts';
import type { Mutant } from '../mutant.ts';

/** Readers who join a right dimension wrongly. */
export const JOINING: readonly Mutant[] = [
  {
    id: 'join-between',
    title: 'Facts are joined by BETWEEN, so one on a boundary meets two versions',
    source: ['ASO-01', 'seed 004: the as-of join is the amplifier'],
    contract: STRICT,
    leads: 'no-fan-out',
    join: "f.ts BETWEEN v.valid_from AND coalesce(v.valid_to, TIMESTAMP '9999-12-31')",
  },
  {
    id: 'join-all-versions',
    title: 'Facts are joined by the key alone, as if the table had one row a key',
    source: ['ASO-03', 'ASO-06'],
    contract: FOREVER,
    leads: 'coverage',
    join: 'v.valid_from IS NOT NULL',
  },
  {
    id: 'join-without-open',
    title: 'Facts are joined by the end, which is NULL on the open version: it meets none',
    source: ['SEN-04', 'seed 004: the line lands on the UNKNOWN member'],
    contract: STRICT,
    leads: 'coverage',
    join: 'f.ts >= v.valid_from AND f.ts < v.valid_to',
  },
  {
    id: 'join-start-exclusive',
    title: 'A fact on a boundary goes to the earlier version',
    source: ['seed 004: a fact timestamped exactly on the boundary', 'ASO-04'],
    contract: FOREVER,
    leads: 'as-of-value',
    join: `(f.ts > v.valid_from OR (v.valid_from = TIMESTAMP '1970-01-01' AND f.ts = v.valid_from))
      AND (f.ts <= v.valid_to OR v.valid_to IS NULL)`,
  },
];
