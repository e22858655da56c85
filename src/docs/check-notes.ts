import type { Cell } from '../contract/columns.ts';

/** What a page says of a check's message beside the message itself. A check without an entry here fails `check-pages.test.ts`. */
export interface CheckNote {
  /** Columns of violations, as the check's query would return them: one for each form of the message. */
  readonly samples: readonly Readonly<Record<string, Cell>>[];
  /** How to read it, and what is usually behind it. */
  readonly reading: string;
}

const DAY_1 = 1_772_323_200_000_000n;
const DAY_2 = 1_772_409_600_000_000n;
const DAY_3 = 1_772_496_000_000_000n;
const SECOND = 1_000_000n;

export const CHECK_NOTES: Readonly<Record<string, CheckNote>> = {
  'key-not-null': {
    samples: [{ valid_from: DAY_1, valid_to: null }],
    reading:
      'The interval is that of the row without a key. Look for an outer join whose empty side supplies the key, or a source row without one that the load let through.',
  },
  'one-row-per-key': {
    samples: [{ rows: 2n }],
    reading:
      'A change was inserted and did not overwrite: versions are kept in a table that is read as if it had none. Or the batch held the key twice.',
  },
  'bounds-valid': {
    samples: [
      { valid_from: DAY_1, valid_to: DAY_1, is_open: false },
      { valid_from: DAY_2, valid_to: DAY_1, is_open: false },
      { valid_from: DAY_1, valid_to: null, is_open: false },
      { valid_from: null, valid_to: DAY_2, is_open: false },
    ],
    reading:
      'The first form is what a clock of whole days makes of two loads on one day, and what an insert makes that comes before the close. The second is a late batch that was stamped as if it were new. The third appears where `openMarker` is a literal.',
  },
  'unique-start': {
    samples: [{ valid_from: DAY_1, versions: 2n }],
    reading:
      'The instant is the shared start. Often the close step missed a row (NULL, a returning key), so the insert ran beside it; or the batch held the key twice.',
  },
  'one-open-version': {
    samples: [{ open: 2n }],
    reading: 'Counts rows whose end is the open marker. The version that should have been closed was not.',
  },
  'no-overlap': {
    samples: [
      { valid_from: DAY_2, valid_to: null, reaches: DAY_3 },
      { valid_from: DAY_2, valid_to: DAY_3, reaches: 9_223_372_036_854_775_807n },
    ],
    reading:
      'The interval is that of the later version. Rows without a positive length are left to `bounds-valid`.',
  },
  contiguous: {
    samples: [{ gap_from: DAY_1, gap_to: DAY_2 }],
    reading:
      'With an oracle, a gap counts only where the key was there; a gap after a delete is right. Off by one unit: see `exclusive-end`.',
  },
  'open-is-latest': {
    samples: [{ opened: DAY_1, latest: DAY_2 }],
    reading: 'A late batch was appended as the newest state, or the wrong row was closed.',
  },
  'current-flag': {
    samples: [
      { valid_from: DAY_1, valid_to: DAY_2, is_current: true, is_open: false },
      { valid_from: DAY_2, valid_to: null, is_current: false, is_open: true },
    ],
    reading:
      'Open means that the end is the open marker. The flag may be a boolean, 0 and 1, Y and N, or words such as `current`; anything else reads as neither true nor false.',
  },
  'no-repeat': {
    samples: [{ boundary: DAY_2 }],
    reading:
      'The instant is where the two touch. Usually a change of an untracked attribute made a version, or a delivery that changed nothing did.',
  },
  'surrogate-key-unique': {
    samples: [{ surrogate: '4711', rows: 2n }],
    reading: 'The number is what the rows share. Keys of other entities are compared too.',
  },
  'hash-matches': {
    samples: [
      { collides: true, hash: '9f86d081' },
      { collides: false, hash: '9f86d081' },
    ],
    reading:
      'The first form is a hash that is blind: a separator that also occurs in values, or a NULL that vanishes when texts are joined. The second is a hash over columns that are not tracked.',
  },
  'exclusive-end': {
    samples: [
      { raw_to: DAY_2 - SECOND, boundary: DAY_2, declared: 'exclusive' },
      { raw_to: DAY_2, boundary: DAY_2, declared: 'inclusive' },
    ],
    reading:
      'The first instant is the end as it stands in the table. If the convention is meant, declare it with `end`; it is then right. Ends that lie one microsecond, millisecond or second before the boundary are known (at day grain: one day).',
  },
  'current-value': {
    samples: [{ what: 'missing' }, { what: 'gone' }, { what: 'stale' }, { what: 'invented' }],
    reading:
      'The third form is a change that was not seen (a NULL compared with `<>`), or late data that overwrote what is newer. In type 4 it is the current table that is meant; what the history says is judged by the checks on versions.',
  },
  'previous-value': {
    samples: [
      { name: 'previous_segment', wanted: 'A', has: 'B' },
      { name: 'previous_segment', wanted: 'A', has: null },
    ],
    reading:
      'The first form, with the current value as the previous one, is a load that moved the value though it had not changed. The second is a change that was overwritten and not kept. A previous NULL is NULL as well: A, then NULL, then B has NULL as the value before B.',
  },
  'history-complete': {
    samples: [{ valid_from: DAY_1, valid_to: DAY_2 }],
    reading:
      'The interval is that of the state that is missing. If it is the first one, the load writes history only when it overwrites, and with the new row; if it is the open one and that is meant, declare `historyHolds: past`.',
  },
  'open-count': {
    samples: [
      { expected: 1n, actual: 0n },
      { expected: 0n, actual: 1n },
    ],
    reading:
      'The first form: a key that changed, came back or arrived late lost its current row. The second: a delete was not seen.',
  },
  'version-count': {
    samples: [{ expected: 2n, actual: 1n }],
    reading:
      'One too few is a change that was not seen (a NULL compared with `<>`, a hash that collides). One too many is a change that never was.',
  },
  content: {
    samples: [
      { what: 'missing', valid_from: DAY_1, valid_to: DAY_2 },
      { what: 'wrong', valid_from: DAY_1, valid_to: null },
      { what: 'invented', valid_from: DAY_1, valid_to: null },
    ],
    reading:
      'It leads where the number of versions is right and their content is not. The table of expected and actual rows below the message shows which cell differs.',
  },
  untracked: {
    samples: [
      { valid_from: DAY_1, valid_to: DAY_2 },
      { valid_from: null, valid_to: null },
    ],
    reading:
      'The second form is about a table that is overwritten (types 1, 3 and 4). Which values are right depends on the field `untracked`: see [the contract](../contract.md) and rule 7 of [the semantics](../semantics.md).',
  },
  'current-on-every-row': {
    samples: [{ valid_from: DAY_1, valid_to: DAY_2, name: 'current_segment', wanted: 'B', has: 'A' }],
    reading:
      'The interval is that of the row. Usually the update touches the open row alone, or the one that was just closed. The rows of a key that is gone keep the last value that it had.',
  },
  'no-fan-out': {
    samples: [{ instant: DAY_2, meets: 2n, facts: 3n }],
    reading:
      'The instant is the earliest fact that meets more than one version. If the table itself is right, the join is not: see `--join`.',
  },
  coverage: {
    samples: [
      { instant: DAY_2, lost: true, facts: 3n },
      { instant: DAY_2, lost: false, facts: 3n },
    ],
    reading:
      'The first form is revenue that moves to the UNKNOWN member, the second revenue of a customer who had left.',
  },
  'as-of-value': {
    samples: [{ instant: DAY_2, facts: 3n }],
    reading: 'Exactly one version is met, and it holds the state of another time.',
  },
  reconciles: {
    samples: [{ groups: 2n }],
    reading:
      'It nearly always follows from another check, which then leads. The line `costs` says how much moves from which value to which.',
  },
  'accepts-legal-input': {
    samples: [
      { status: 'errored', reason: 'Constraint Error: Duplicate key "nk: 1"' },
      { status: 'rejected', reason: 'rejected: an empty file' },
    ],
    reading:
      'After the colon stands what the implementation itself said. If the refusal is meant, the contract has an option `reject` for the situation.',
  },
  'rejects-cleanly': {
    samples: [{ what: 'applied' }, { what: 'changed' }],
    reading:
      'The first form: nothing was refused. The second: it was refused, but part of the work had been done; put the load into one transaction.',
  },
  'schema-kept': {
    samples: [
      { name: 'customer_segment', what: 'gone' },
      { name: 'row_hash', what: 'emptied' },
    ],
    reading: 'Names the column. The second form concerns hashes and surrogate keys only.',
  },
  'no-invented-key': {
    samples: [{ valid_from: DAY_1, valid_to: null }],
    reading: 'The key in question is shown beside the case. Compare its parts with those of the batches.',
  },
  'untouched-keys': {
    samples: [
      { what: 'gone', overwritten: false },
      { what: 'new', overwritten: true },
    ],
    reading:
      'The batch named neither this key nor, where absence counts, its partition. Often a delta is treated as a full extract.',
  },
  'closed-stays-closed': {
    samples: [{ valid_from: DAY_1, valid_to: DAY_2 }],
    reading:
      'The interval is how the version stood before the batch. Late data may move it; this check looks only at batches that brought nothing that early.',
  },
  'clock-injected': {
    samples: [
      { stamp: DAY_3 + 42n * SECOND, what: 'start' },
      { stamp: DAY_3 + 43n * SECOND, what: 'twice', ended: DAY_3 + 42n * SECOND },
      { before: DAY_1, after: DAY_3 },
    ],
    reading:
      'If the instant is about now, the load reads a clock instead of the instant of its batch. Where that is what it should do, declare `clock: wall`: all else is then judged, and this check says where one load read the clock twice. A clock that the harness can set is `clock: moved`; the second form then comes of a feed that is sent while that clock ticks. The third form comes of a feed that is sent twice, with the clock on the wall years before it and years after: a filter by `now()`, perhaps, or a retention.',
  },
  'surrogate-key-stable': {
    samples: [{ valid_from: DAY_1, before: '4711', after: '4712' }],
    reading: 'The same key, start and tracked values in two consecutive dimensions, with two numbers.',
  },
  idempotent: {
    samples: [
      { when: 'at once' },
      { when: 'later' },
      { when: 'at once', reason: 'Constraint Error: Duplicate key "nk: 1"' },
    ],
    reading:
      'The first form is a plain second run. The second delivers an old batch once more, after newer ones: appended as if it were new, it takes the place of the present.',
  },
  'order-independent': {
    samples: [{}, { reason: 'the load is older than the last one' }],
    reading: 'Where late data is not meant to be sorted in, declare `late`; the check is then skipped.',
  },
  deterministic: {
    samples: [{ what: 'again' }, { what: 'shuffled' }],
    reading:
      'The first form is a clock, a random number or state that outlives a run. The second is an order of rows that nobody promised.',
  },
  batching: {
    samples: [{}],
    reading: 'Both parts have the same instant and other keys. The second is often taken for a repetition.',
  },
  'crash-safe': {
    samples: [
      { kind: 'sql', point: 1, points: 1 },
      { kind: 'command', point: 1, points: 1 },
    ],
    reading:
      'For a script the first form names the statement after which it was stopped. One transaction around the load is the usual remedy.',
  },
  resumes: {
    samples: [{}],
    reading:
      'It is for implementations whose table is all that they keep: scripts that create no table, functions that are given a Spark session, a table and a query, and whatever declares the capability `beginsFromTable`. Every load but the first is done by a session of its own, which is given the rows that the last one has left; a log, a checkpoint or a variable beside the table is not there.',
  },
};
