import type { Claim, Entry } from '../entry.ts';

const CLASS = 'docstring of SCD2Params, odibi 3.15.1 (odibi/transformers/scd.py)';

const CLAIMS: readonly Claim[] = [
  {
    field: 'feed',
    option: 'delta',
    says: '"Match: Finds existing records using `keys`"; a key that the source does not mention is not touched.',
    where: CLASS,
  },
  {
    field: 'deletes',
    option: 'never',
    says: '`delete_col`: "Column indicating soft deletion". It is declared, and no engine reads it; so no deletes are sent.',
    where: CLASS,
  },
  {
    field: 'end',
    option: 'exclusive',
    says: '"giving each version a complete time window: [valid_from, valid_to)".',
    where: CLASS,
  },
  { field: 'openMarker', option: 'null', says: '"open-ended `end_time_col`".', where: CLASS },
  { field: 'late', option: 'never', says: 'Nothing is said of an older effective time.', where: CLASS },
];

const SETTING = { kind: 'python', requirements: 'requirements.txt' } as const;

export const odibi: Entry = {
  id: 'odibi',
  name: 'odibi scd2',
  home: 'https://github.com/henryodibi11/Odibi',
  licence: 'Apache-2.0',
  engine: 'Parquet, by pandas and DuckDB or by Polars',
  ruledOut:
    'A first adapter made the frame of dicts, in which pandas turns integers beside a None into floats: changes of large integers were lost, and only in packed feeds. By hand, with frames of typed columns, odibi kept them: the adapter was wrong, and makes typed columns now.',
  rows: [
    {
      id: 'odibi-pandas',
      title: 'engine pandas',
      version: '3.15.1',
      setting: SETTING,
      adapter: 'adapter.py',
      claims: CLAIMS,
      expected: { exitCode: 0, reds: [] },
    },
    {
      id: 'odibi-polars',
      title: 'engine Polars',
      version: '3.15.1',
      setting: SETTING,
      adapter: 'adapter.py',
      env: { CENSUS_ODIBI: 'polars' },
      claims: CLAIMS,
      expected: { exitCode: 0, reds: [] },
    },
  ],
};
