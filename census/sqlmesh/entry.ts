import type { Claim, Entry, Red } from '../entry.ts';

const DOCS = 'https://sqlmesh.readthedocs.io/en/stable/concepts/models/model_kinds/, "SCD Type 2"';

const COMMON: readonly Claim[] = [
  {
    field: 'feed',
    option: 'snapshot',
    says: 'With `invalidate_hard_deletes`, a record that is not in the query any more is invalidated: a full query each run.',
    where: DOCS,
  },
  {
    field: 'deletes',
    option: 'close',
    says: '`invalidate_hard_deletes` true: valid_to column will be set to now (the execution time).',
    where: DOCS,
  },
  {
    field: 'end',
    option: 'exclusive',
    says: 'In the examples `valid_to` of one record is `valid_from` of the next.',
    where: DOCS,
  },
  { field: 'openMarker', option: 'null', says: '`valid_to`: NULL if this is the latest.', where: DOCS },
  {
    field: 'late',
    option: 'never',
    says: 'Nothing is said of execution times, or of `updated_at`, that go back.',
    where: DOCS,
  },
  {
    field: 'firstStart',
    option: '1970-01-01',
    says: '`valid_from` begins at 1970-01-01 00:00:00 where nothing else is set.',
    where: DOCS,
  },
];

const COALESCED =
  'The row that closes is written as `COALESCE(old, new)` of each column (`updated_rows` in `_scd_type_2`), so where the old state had a NULL, it gets the value of the new one. The history then says that the value was always there.';

const BEFORE_1970: Red = {
  id: 'loads-around-1970',
  title: 'What was loaded before 1970 begins in 1970 all the same',
  why: 'The start of the first version is the literal, also where it is later than the first load; a version that then ends there has no length. Of no consequence for data of today.',
  findings: ['loads-around-1970: bounds-valid'],
};

const SETTING = { kind: 'python', requirements: 'requirements.txt' } as const;
const FLAGS = ['--scope', '2', '--histories', '200'];

export const sqlmesh: Entry = {
  id: 'sqlmesh',
  name: 'SQLMesh SCD Type 2',
  home: 'https://sqlmesh.readthedocs.io',
  licence: 'Apache-2.0',
  engine: 'DuckDB',
  ruledOut:
    'The adapter calls the method of the engine adapter that a model of this kind ends in, with the arguments that the model gives. `by-hand.py` calls it for a table with one key and one attribute. The `COALESCE` was read in the query that SQLMesh sends to DuckDB.',
  rows: [
    {
      id: 'sqlmesh-by-time',
      title: 'SCD_TYPE_2_BY_TIME',
      version: '0.236.4',
      setting: SETTING,
      adapter: 'adapter.py',
      claims: [
        ...COMMON,
        {
          field: 'stamp',
          option: 'row-time',
          says: '`valid_from` of a changed record is its `updated_at`.',
          where: `${DOCS}, "By Time"`,
        },
        {
          field: 'changeBy',
          option: 'row-time',
          says: '`updated_at` is checked for new or updated records.',
          where: `${DOCS}, "By Time"`,
        },
      ],
      flags: FLAGS,
      expected: {
        exitCode: 1,
        reds: [
          {
            id: 'null-to-value',
            title: 'A closed version takes values of the one after it, where it had NULL',
            why: COALESCED,
            findings: [
              'closed-null-stays-null: content',
              'empty-text-and-null: content',
              'null-between-values: content',
              'null-moves-to-the-neighbour: content',
              'null-to-value: content',
              'value-zero-and-null: content',
            ],
            also: [
              'scope: content',
              'random: content',
              'scope: closed-stays-closed',
              'random: closed-stays-closed',
            ],
          },
          BEFORE_1970,
        ],
      },
    },
    {
      id: 'sqlmesh-by-column',
      title: 'SCD_TYPE_2_BY_COLUMN',
      version: '0.236.4',
      setting: SETTING,
      adapter: 'adapter.py',
      env: { CENSUS_SQLMESH: 'by-column' },
      claims: [
        ...COMMON,
        {
          field: 'firstStartScope',
          option: 'first-load',
          says: 'Records that are new in a later run begin at the execution time.',
          where: `${DOCS}, "By Column"`,
        },
        {
          field: 'reappearance',
          option: 'gap',
          says: 'A deleted record that is back begins at the execution time.',
          where: `${DOCS}, "Deletes"`,
        },
      ],
      flags: FLAGS,
      expected: {
        exitCode: 1,
        reds: [
          {
            id: 'null-to-value-by-column',
            title: 'A closed version takes values of the one after it, where it had NULL',
            why: COALESCED,
            findings: [
              'closed-null-stays-null: no-repeat',
              'empty-text-and-null: no-repeat',
              'null-between-values: no-repeat',
              'null-moves-to-the-neighbour: content',
              'null-to-value: no-repeat',
              'row-of-nulls: no-repeat',
              'value-zero-and-null: no-repeat',
            ],
            also: ['scope: content', 'random: content', 'scope: no-repeat', 'random: no-repeat'],
          },
          { ...BEFORE_1970, id: 'loads-around-1970-by-column' },
        ],
      },
    },
  ],
};
