import type { Declaration } from './mutant.ts';

/** The contracts that mutants are held to; few, so that mutants can be judged together. */
export const STRICT: Declaration = {};

/** Two tracked texts, so that a value can move from one to the next. */
export const TEXTS: Declaration = { key: ['k TEXT'], tracked: ['a TEXT', 'b TEXT'], untracked: ['u TEXT'] };

/** The same, with all bookkeeping there is. */
export const WIDE: Declaration = { ...TEXTS, hash: 'row_hash', surrogateKey: 'sk BIGINT' };

export const NUMBERS: Declaration = { key: ['k BIGINT'], tracked: ['n BIGINT', 'at TIMESTAMP'] };

export const DOUBLES: Declaration = { key: ['k BIGINT'], tracked: ['d DOUBLE'] };

/** NULL in a key is a value like any other. */
export const PAIR: Declaration = {
  key: ['k TEXT', 'l TEXT'],
  tracked: ['a TEXT'],
  nullKey: 'value',
};

export const DELTA: Declaration = { feed: 'delta', operation: 'op' };

/** Several changes of a key in a batch; where instants tie, the sequence decides. */
export const CHANGES: Declaration = {
  feed: 'changes',
  operation: 'op',
  sequence: 'seq',
  sameInstant: 'last',
  duplicates: 'last',
};

/** Loads of one instant, and rows that come twice. */
export const TIES: Declaration = { sameInstant: 'last', duplicates: 'last', deletes: 'never' };

export const REFUSING: Declaration = {
  late: 'reject',
  sameInstant: 'reject',
  duplicates: 'reject',
  nullKey: 'reject',
  emptySnapshot: 'reject',
};

export const IGNORING: Declaration = {
  late: 'ignore',
  nullKey: 'skip',
  emptySnapshot: 'ignore',
  untracked: 'frozen',
};

export const MARKED: Declaration = { deletes: 'marker-row', untracked: 'current' };

/** As many warehouses have it: days, an inclusive end, a far day for "open", and a far one for "ever". */
export const WAREHOUSE: Declaration = {
  grain: 'day',
  end: 'inclusive',
  openMarker: '9999-12-31',
  firstStart: '1970-01-01',
  untracked: 'all',
};

/** Inclusive ends of whole seconds. */
export const SECONDS: Declaration = { grain: 'second', end: 'inclusive' };

/** A reader who joins by BETWEEN, over customers who are never deleted. */
export const FOREVER: Declaration = { deletes: 'never', firstStart: '1970-01-01' };

/** The other types of dimensions. That of type 3 has an attribute whose previous value is not kept. */
export const TYPE_1: Declaration = { type: '1' };
export const TYPE_3: Declaration = { ...TEXTS, type: '3', previous: 'previous_a of a' };
export const TYPE_4: Declaration = { type: '4' };
export const TYPE_4_PAST: Declaration = { type: '4', historyHolds: 'past' };
export const TYPE_6: Declaration = { type: '6' };
