import type { Role } from '../contract/columns.ts';
import type { Folding, OPTIONS } from '../contract/contract.ts';

/** A field in words. The types hold this file complete: an option without a note does not compile. */
export interface FieldNote<Option extends string> {
  /** What is decided. */
  readonly about: string;
  /** What each option means. */
  readonly options: Readonly<Record<Option, string>>;
  /** What a value of one's own means, where the field takes one. */
  readonly open?: string;
  readonly note?: string;
}

type Options = typeof OPTIONS;

export const FIELD_NOTES: { readonly [F in keyof Options]: FieldNote<Options[F]['options'][number]> } = {
  type: {
    about: 'The type of slowly changing dimension.',
    options: {
      2: 'a version for each change',
      1: 'one row for each key, overwritten in place: no history',
      3: 'as 1, with the previous value of some attributes in columns of their own (`previous`)',
      4: 'as 1, with a history table beside it (`inHistory`)',
      6: 'as 2, with the current value of some attributes on every row of the key (`current`)',
    },
    note: 'What each makes of the same customer is in [the types](guides/types.md). A dimension in which some attributes are overwritten and others make versions is type 2 with `untracked: current` or `all`.',
  },
  historyHolds: {
    about: 'What the history table of type 4 holds.',
    options: {
      all: 'every version, the open one too: the current table repeats what it says of now',
      past: 'only what has ended, as temporal tables and triggers keep it: what holds now is in the current table alone',
    },
  },
  feed: {
    about: 'What a batch is.',
    options: {
      snapshot: 'the whole source at one instant: a key that is missing is absent',
      delta:
        'some rows: a key that is missing is not mentioned. Deletes, if any, are rows whose `operation` is `D`',
      changes:
        'a log: each row has its own instant (`changedAt`) and maybe an `operation`; a batch may hold several of one key',
    },
  },
  stamp: {
    about: 'Where the start of a version comes from.',
    options: {
      'as-of': 'the instant of the batch',
      'row-time': 'an instant in the row (`changedAt`); absence still counts at the instant of the batch',
    },
  },
  changeBy: {
    about: 'What makes a version.',
    options: {
      value: 'tracked attributes that differ',
      'row-time': 'a newer instant in the row alone',
    },
  },
  clock: {
    about: 'Whose clock dates the versions.',
    options: {
      injected: 'none: the load is told the instant of its batch',
      moved:
        'the database’s or the program’s own, which the harness sets for each batch: DuckDB, SQLite, MySQL and MariaDB, JavaScript in milliseconds, and programs by libfaketime, in whole seconds. It stands still during a load; in one feed more it ticks, so that a load is told which reads it twice',
      wall: 'one that nobody can set. A stamp within the time of a load counts as the instant of its batch; nothing is late, no two loads have one instant, and `grain` must be finer than a day',
    },
  },
  grain: {
    about: 'The smallest step of the time columns. Instants are sent at this grain.',
    options: {
      microsecond: 'timestamps with six decimals',
      millisecond: 'timestamps with three',
      second: 'timestamps without decimals',
      day: 'dates; two loads of a day are then one instant, for which `sameInstant` decides',
    },
  },
  end: {
    about: 'What the end of a version says.',
    options: {
      exclusive: 'the first instant at which it no longer holds: the start of the next',
      inclusive: 'the last instant at which it holds: the start of the next less one grain',
    },
  },
  openMarker: {
    about: 'The end of an open version.',
    options: { null: 'NULL' },
    open: 'A literal such as `9999-12-31`. NULL as an end is then a defect.',
  },
  firstStart: {
    about: 'Where the first version of a key begins.',
    options: { observed: 'where it was first seen' },
    open: 'A literal such as `1970-01-01`, or a column of the batch. It counts where it lies earlier.',
  },
  firstStartScope: {
    about: 'Whom `firstStart` concerns.',
    options: { 'every-key': 'every key', 'first-load': 'only keys of the first load' },
  },
  deletes: {
    about: 'What happens when a key is gone from the source.',
    options: {
      close: 'its open version ends; history stays',
      ignore: 'nothing',
      'marker-row': 'its open version ends, and a row with its attributes and `isDeleted` marks the absence',
      never: 'the source deletes nothing, so none is sent',
    },
    note: 'Rows that vanish are a defect under every contract.',
  },
  reappearance: {
    about: 'Where a version begins whose key comes back after a delete.',
    options: {
      gap: 'at its own instant: the time between stays empty',
      bridge: 'where the version before it ended',
    },
    note: 'It is a new version either way, even if nothing else changed.',
  },
  late: {
    about: 'What happens to a batch whose instant lies before one that already arrived.',
    options: {
      apply: 'as if it had come in order',
      ignore: 'it is dropped',
      reject: 'the batch is refused',
      never: 'it does not happen, so none is sent',
    },
  },
  lateScope: {
    about: 'Compared with what a batch is late.',
    options: {
      batch: 'the latest instant of any earlier batch',
      key: 'the latest instant of the same key',
    },
  },
  lateEvidence: {
    about: 'What the implementation can know when late data comes.',
    options: {
      log: 'everything that was delivered',
      dimension:
        'only what the dimension shows. Histories that cannot be told right from it are forgiven, and counted',
    },
    note: 'Why it matters: A on Monday and A on Wednesday are one version. When a late B of Tuesday comes, A is to return on Wednesday, and nothing in the dimension remembers that.',
  },
  sameInstant: {
    about: 'Batches that say different things of a key at one instant.',
    options: {
      never: 'it does not happen',
      last: 'the later batch wins',
      first: 'the earlier batch wins',
      any: 'either may win',
      reject: 'the batch is refused',
    },
    note: 'Absence is a state too. Instants are compared at the grain.',
  },
  duplicates: {
    about: 'Several rows for a key and an instant in one batch.',
    options: {
      never: 'it does not happen',
      equal: 'identical rows may repeat, and count once',
      any: 'one whole row of them wins, whichever; only the structure is judged then',
      last: 'the last wins, by `sequence`',
      first: 'the first wins, by `sequence`',
      reject: 'the batch is refused',
    },
    note: 'Without a `sequence` column, order in the batch counts. A SQL table has none.',
  },
  batchStates: {
    about: 'Which states of a key in one batch count, with `feed: changes`.',
    options: {
      all: 'every one',
      latest: 'the last for each key',
      one: 'any one; only the structure is judged where there were several',
    },
  },
  nullKey: {
    about: 'A row with NULL in its key.',
    options: {
      never: 'it does not happen',
      reject: 'the batch is refused',
      skip: 'the row is dropped',
      value: 'NULL is a key like any other',
    },
  },
  emptySnapshot: {
    about: 'A full extract without a row.',
    options: {
      'close-all': 'everybody is gone',
      reject: 'the batch is refused',
      ignore: 'it says nothing',
    },
  },
  untracked: {
    about: 'Untracked attributes of rows that are there already.',
    options: {
      any: 'any value that was delivered for the key while the version held',
      current: 'the open version is refreshed',
      all: 'all versions show the latest value',
      frozen: 'never touched',
    },
    note: 'It says this of versions, those of types 2, 4 and 6. A table that is overwritten (types 1 and 3, and the current table of type 4) holds the latest values; with types 1 and 3 `frozen` is refused.',
  },
  transaction: {
    about: 'Who begins and commits the transaction of a load.',
    options: {
      script: 'the implementation',
      caller: 'whoever calls it; the harness then puts each run of a SQL script into one',
    },
  },
};

export const FOLDING_NOTES: Readonly<Record<Folding, string>> = {
  'case-insensitive': 'letter case does not count',
  trim: 'blanks at both ends do not count',
  'empty-is-null': 'the empty text is NULL',
};

export const COMPARE_NOTES: Readonly<Record<'compare' | 'keyCompare', string>> = {
  compare:
    'What counts as a change of an attribute. `sql` is `IS DISTINCT FROM`: NULL equals NULL, text goes by its bytes, −0 equals 0, NaN equals NaN.',
  keyCompare: 'What counts as the same key. As `compare`.',
};

export const ROLE_NOTES: Readonly<Record<Role, string>> = {
  key: 'the natural key: one or more columns, in the dimension and in the batch',
  tracked: 'attributes a change of which makes a version',
  untracked: 'attributes a change of which makes none',
  validFrom: 'start of a version',
  validTo: 'end of a version. Where there is none, it is the start of the key’s next version',
  isCurrent: 'flag of the open version. `none` where there is none',
  isDeleted:
    'flag of a marker row, or of the row of a deleted key in a current table (`deletes: marker-row`)',
  hash: 'a hash over the tracked attributes, checked by `hash-matches` where there are versions',
  surrogateKey: 'checked by `surrogate-key-unique`, and `surrogate-key-stable` where there are versions',
  previous:
    'type 3: holds the last value of a tracked column that was another one, `previous_segment of segment`; NULL where there was none. Left out: `previous_…` for each tracked column',
  current:
    'type 6: holds the current value of a tracked column on every row of the key, `current_segment of segment`. Left out: `current_…` for each tracked column',
  inHistory:
    'type 4: flag of the rows of the history table, the others are the current one’s. `in_history` if left out. A SQL script need not have it: it names its history table (`-- scd2check:history`)',
  changedAt: 'batch only: the instant of a row',
  operation: 'batch only: `I`, `U` or `D`',
  sequence: 'batch only: order of rows of a key at one instant',
  partition: 'batch only: absence counts only inside the partitions that a batch names',
};
