import type { Claim, Entry, Red, Row } from '../entry.ts';

const SNAPSHOTS = 'https://docs.getdbt.com/docs/build/snapshots';
const HARD_DELETES = 'https://docs.getdbt.com/reference/resource-configs/hard-deletes';

const COMMON: readonly Claim[] = [
  {
    field: 'feed',
    option: 'snapshot',
    says: 'A snapshot runs its query as a whole and compares it with the table.',
    where: SNAPSHOTS,
  },
  {
    field: 'end',
    option: 'exclusive',
    says: '`dbt_valid_to` is the time at which a row ceased to hold: the `dbt_valid_from` of the next.',
    where: `${SNAPSHOTS}, "Snapshot meta-fields"`,
  },
  {
    field: 'openMarker',
    option: 'null',
    says: '`dbt_valid_to` of current rows is NULL by default.',
    where: `${SNAPSHOTS}, "Snapshot meta-fields"`,
  },
  {
    field: 'untracked',
    option: 'frozen',
    says: 'A row is written with a new version and not touched but for its end.',
    where: SNAPSHOTS,
  },
];

const CHECK: readonly Claim[] = [
  ...COMMON,
  {
    field: 'clock',
    option: 'injected',
    says: 'The time of the run, from the macro `snapshot_get_time`; the entry of scd2check has that macro answer with the instant of the batch.',
    where: `${SNAPSHOTS}, "Check strategy"`,
  },
  {
    field: 'late',
    option: 'never',
    says: 'A run has no instant but its own.',
    where: `${SNAPSHOTS}, "Check strategy"`,
  },
];

const TIMESTAMP: readonly Claim[] = [
  ...COMMON,
  {
    field: 'stamp',
    option: 'row-time',
    says: '`dbt_valid_from` is the `updated_at` of the row.',
    where: `${SNAPSHOTS}, "Timestamp strategy"`,
  },
  {
    field: 'changeBy',
    option: 'row-time',
    says: 'A newer `updated_at` makes a version.',
    where: `${SNAPSHOTS}, "Timestamp strategy"`,
  },
  {
    field: 'late',
    option: 'ignore',
    says: 'A row whose `updated_at` is not newer is no change.',
    where: `${SNAPSHOTS}, "Timestamp strategy"`,
  },
  {
    field: 'lateScope',
    option: 'key',
    says: 'It is compared with the current row of its `unique_key`.',
    where: `${SNAPSHOTS}, "Timestamp strategy"`,
  },
];

const deletes = (option: string, says: string): Claim => ({
  field: 'deletes',
  option,
  says,
  where: HARD_DELETES,
});
const IGNORE = deletes('ignore', '`ignore`, the default: nothing happens.');
const INVALIDATE = deletes(
  'close',
  '`invalidate`: `dbt_valid_to` of a deleted row is set to the time of the run.',
);
const NEW_RECORD = deletes(
  'marker-row',
  '`new_record`: a row with `dbt_is_deleted` set to True is inserted for a deleted one.',
);

const SEPARATORS: Red = {
  id: 'key-separators',
  title: 'Two keys whose parts make the same text share a `dbt_scd_id`, and close together',
  why: 'Of a composite key, `dbt_scd_id` is the MD5 of its parts with `|` between them, and of the time; the merge closes rows by that id. The keys (`p|q`, `s`) and (`p`, `q|s`) are one to it: where the second changes, the first loses its open version. A key of one column is not concerned.',
  findings: ['key-separators: open-count', 'key-separators: surrogate-key-unique'],
  shows: 'open-count',
};

const BACK: Red = {
  id: 'row-time-back-with-its-old-instant',
  title: 'A row that comes back with its old `updated_at` begins before it was deleted',
  why: 'A row without an open version is inserted with `dbt_valid_from` = `updated_at`, also where that lies before the end of the version that was invalidated. Both hold from that time on: facts between are counted twice.',
  findings: ['row-time-back-with-its-old-instant: unique-start'],
};

/** Half a second a load and more. Where the cases show a defect, the other histories only find it again, one by one. */
const MANY = ['--scope', '2', '--histories', '200'];
const CASES = ['--scope', '0', '--histories', '0'];

function row(
  id: string,
  snapshot: string,
  title: string,
  claims: readonly Claim[],
  reds: readonly Red[],
): Row {
  return {
    id,
    title,
    version: '1.11.16 (dbt-duckdb 1.11.1)',
    setting: { kind: 'python', requirements: 'requirements.txt' },
    adapter: '.',
    flags: ['--snapshot', snapshot, ...(reds.length === 0 ? MANY : CASES)],
    env: { CENSUS_SNAPSHOT: snapshot },
    claims,
    expected: { exitCode: reds.length === 0 ? 0 : 1, reds },
  };
}

export const dbt: Entry = {
  id: 'dbt',
  name: 'dbt snapshots',
  home: 'https://docs.getdbt.com',
  licence: 'Apache-2.0',
  engine: 'DuckDB, PostgreSQL',
  ruledOut:
    'The adapter is a dbt project with five snapshots and nothing else; scd2check reads the contract from its manifest and runs `dbt snapshot`. `by-hand.py` runs the same project by dbt alone, by its own clock.',
  rows: [
    row(
      'dbt-check',
      'check_ignore',
      'check, `hard_deletes: ignore`, on DuckDB',
      [...CHECK, IGNORE],
      [SEPARATORS],
    ),
    row(
      'dbt-check-invalidate',
      'check_invalidate',
      'check, `hard_deletes: invalidate`, on DuckDB',
      [...CHECK, INVALIDATE],
      [SEPARATORS],
    ),
    row(
      'dbt-check-new-record',
      'check_new_record',
      'check, `hard_deletes: new_record`, on DuckDB',
      [...CHECK, NEW_RECORD],
      [SEPARATORS],
    ),
    row(
      'dbt-timestamp',
      'timestamp_ignore',
      'timestamp, `hard_deletes: ignore`, on DuckDB',
      [...TIMESTAMP, IGNORE],
      [],
    ),
    row(
      'dbt-timestamp-invalidate',
      'timestamp_invalidate',
      'timestamp, `hard_deletes: invalidate`, on DuckDB',
      [...TIMESTAMP, INVALIDATE],
      [BACK],
    ),
    {
      ...row(
        'dbt-postgres',
        'check_invalidate',
        'check, `hard_deletes: invalidate`, on PostgreSQL 15',
        [...CHECK, INVALIDATE],
        [SEPARATORS],
      ),
      version: '1.11.16 (dbt-postgres 1.11.0)',
      setting: { kind: 'python', requirements: 'requirements.txt', server: 'postgres' },
      env: { CENSUS_SNAPSHOT: 'check_invalidate', CENSUS_DBT_TARGET: 'postgres' },
    },
  ],
};
