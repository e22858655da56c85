import type { Claim, Entry, Red } from '../entry.ts';

const README = 'https://github.com/wolferesearch/scduck, README.md';
const SYNC_LOGIC = 'https://github.com/wolferesearch/scduck, SYNC_LOGIC.md';

const CLAIMS: readonly Claim[] = [
  { field: 'feed', option: 'snapshot', says: '"Store time series of snapshots".', where: README },
  {
    field: 'deletes',
    option: 'close',
    says: 'A record that is not in the next snapshot is closed (case 6).',
    where: SYNC_LOGIC,
  },
  { field: 'grain', option: 'day', says: '"date ranges"', where: README },
  {
    field: 'end',
    option: 'exclusive',
    says: '"valid_from: inclusive (>=), valid_to: exclusive (<), NULL = current".',
    where: SYNC_LOGIC,
  },
  { field: 'openMarker', option: 'null', says: 'The same.', where: SYNC_LOGIC },
  {
    field: 'late',
    option: 'apply',
    says: '"Dates can be synced in any order"; the example backfills an older one and "returns correct snapshot".',
    where: README,
  },
  {
    field: 'lateEvidence',
    option: 'log',
    says: 'It keeps the synced dates beside the dimension: "When a record covers a synced date and wasn\'t closed at that date, the record must have been present when that date was synced."',
    where: `${SYNC_LOGIC}, "Key Insight"`,
  },
  {
    field: 'sameInstant',
    option: 'last',
    says: '"Re-syncing different data should update."',
    where: 'https://github.com/wolferesearch/scduck, tests',
  },
];

const IN_ORDER = { late: 'never', sameInstant: 'never' };
const inOrder = CLAIMS.filter(({ field }) => !(field in IN_ORDER));

const OUT_OF_ORDER: readonly Red[] = [
  {
    id: 'late-between-equal-repeats',
    title: 'A snapshot that repeated a state is forgotten when a late one falls before it',
    why: 'By SYNC_LOGIC ("Key Insight") it can be known that the later date was synced and covered. Case 6 uses that, case 2 does not: the new row takes the end of the old one.',
    findings: [
      'late-between-equal-repeats: version-count',
      'late-twice-between-equal-repeats: version-count',
    ],
    also: ['scope: version-count', 'repetition: order-independent'],
  },
  {
    id: 'late-equal-to-the-next',
    title: 'What has become equal is not joined',
    why: 'README: "When data doesn\'t change, no new rows are written." A late state that equals the one after it gets a row of its own.',
    findings: ['late-correction-joins-versions: no-repeat', 'late-equal-to-the-next: no-repeat'],
    also: ['scope: no-repeat', 'random: no-repeat'],
  },
  {
    id: 'same-instant-undoes-a-change',
    title: 'A date that is synced again is written over, and not joined with what is then equal',
    why: 'The correction is written into the version of that date; the one before it holds the same.',
    findings: ['same-instant-return: no-repeat', 'same-instant-undoes-a-change: no-repeat'],
  },
  {
    id: 'same-instant-delete',
    title: 'A version that is closed at its own start stays, at zero length',
    why: 'The date is synced again without the record: case 6 sets the end to the date, which is the start.',
    findings: ['same-instant-delete: bounds-valid'],
  },
  {
    id: 'absent-between',
    title: 'A synced date without the record is overlooked where the record comes late',
    why: 'Case 3b ends the new record at the next version; the synced date in between, which case 5 would ask for, is not seen.',
    findings: [],
    also: ['scope: content', 'random: content'],
  },
];

const NULLS: Red = {
  id: 'null-to-value',
  title: 'NULL to a value, or back, is no change',
  why: 'The comparison `NOT ((i IS NULL AND s IS NULL) OR i = s)` is neither true nor false where only one is NULL. With DuckDB 1.4 it works, because the optimizer rewrites it to `IS DISTINCT FROM`; with `disabled_optimizers = \'expression_rewriter\'` the change is lost there too. A test of scduck, "NULL to value is a change", fails with DuckDB 2.',
  findings: [
    'closed-null-stays-null: version-count',
    'empty-text-and-null: version-count',
    'null-between-values: version-count',
    'null-moves-to-the-neighbour: version-count',
    'null-to-value: version-count',
    'placeholder-to-null: version-count',
    'row-of-nulls: version-count',
    'value-to-null: version-count',
  ],
  also: ['random: version-count'],
};

const DEVELOPED_WITH = { kind: 'python', requirements: 'requirements-locked.txt' } as const;
const INSTALLED = { kind: 'python', requirements: 'requirements.txt' } as const;

export const scduck: Entry = {
  id: 'scduck',
  name: 'scduck SCDTable',
  home: 'https://github.com/wolferesearch/scduck',
  licence: 'MIT',
  engine: 'DuckDB',
  ruledOut:
    'The adapter is one call of `sync` and one `SELECT`. `by-hand.py` calls `sync` with the same snapshots, on a table with one key column, and prints what it holds. What concerns NULL was tried with both versions of DuckDB, and with the rule of the optimizer switched off.',
  rows: [
    {
      id: 'scduck-in-order',
      title: 'dates in order, with DuckDB 1.4.3, as developed',
      version: '0.1.1',
      setting: DEVELOPED_WITH,
      adapter: 'adapter.py',
      claims: inOrder,
      beyond: IN_ORDER,
      expected: { exitCode: 0, reds: [] },
      note: 'Less than it claims: dates in order, each once.',
      inTests: true,
    },
    {
      id: 'scduck-developed',
      title: 'with DuckDB 1.4.3, as developed',
      version: '0.1.1',
      setting: DEVELOPED_WITH,
      adapter: 'adapter.py',
      claims: CLAIMS,
      expected: { exitCode: 1, reds: OUT_OF_ORDER },
    },
    {
      id: 'scduck',
      title: 'with DuckDB 2.0.1, as installed',
      version: '0.1.1',
      setting: INSTALLED,
      adapter: 'adapter.py',
      claims: CLAIMS,
      expected: { exitCode: 1, reds: [NULLS, ...OUT_OF_ORDER] },
      inTests: true,
    },
  ],
};
