import type { Entry, Red } from '../entry.ts';

const README = 'https://pypi.org/project/pandas-scd2/1.0.3/, "Getting started"';
const CODE = 'pandas_scd.py, 1.0.3';

const REDS: readonly Red[] = [
  {
    id: 'reopen-a-b-a',
    title: 'A state that returns is not inserted, and its closed version vanishes',
    why: "What is new is what has a hash that no row of the target has, closed ones included, so A after A, B gets no version. And of the closed rows only those are kept whose hash is not in the source: the old A is dropped from the target that is returned. The customer of today is gone, and last month's too.",
    findings: [
      'reopen-a-b-a: closed-stays-closed',
      'back-unchanged: closed-stays-closed',
      'back-and-forth: closed-stays-closed',
      'deleted-twice: closed-stays-closed',
    ],
    also: ['*: closed-stays-closed', '*: open-count', '*: no-hard-delete'],
  },
  {
    id: 'null-moves-to-the-neighbour',
    title: 'NULL in one column and the value in the next is the same as the other way round',
    why: "States are compared by `md5(concat_ws('_', …))`, and `concat_ws` leaves out what is NULL.",
    findings: ['null-moves-to-the-neighbour: version-count'],
    also: ['scope: version-count', 'random: version-count', 'random: content'],
  },
  {
    id: 'value-separators',
    title: 'A value with `_` in it can equal two others',
    why: 'The same hash: `p_q` and `s` give the text that `p` and `q_s` give.',
    findings: ['value-separators: version-count'],
  },
];

export const pandasScd2: Entry = {
  id: 'pandas-scd2',
  name: 'pandas-scd2 scd2',
  home: 'https://gitlab.com/liranc/pandas_scd',
  licence: 'none named',
  engine: 'pandas, DuckDB',
  ruledOut:
    'The adapter gives each returned frame back as the next target, as the README says ("ready for insert overwrite of the current target table"). `by-hand.py` calls the function alone, with its clock set in its module instead of by libfaketime.',
  rows: [
    {
      id: 'pandas-scd2',
      title: '',
      version: '1.0.3',
      setting: { kind: 'python', requirements: 'requirements.txt' },
      adapter: 'adapter.py',
      claims: [
        {
          field: 'feed',
          option: 'snapshot',
          says: '`src` is the "dataframe with the source of the SCD"; "ended keys" are those that are "no longer in the source".',
          where: CODE,
        },
        { field: 'deletes', option: 'close', says: 'The same.', where: CODE },
        {
          field: 'clock',
          option: 'moved',
          says: '`datetime.now(tz)`; `tz`: "default is None (will use local time)".',
          where: CODE,
        },
        {
          field: 'grain',
          option: 'second',
          says: '`make_timestamp` of year, month, day, hour, minute and second.',
          where: CODE,
        },
        {
          field: 'end',
          option: 'exclusive',
          says: 'In the example the end of one row is the start of the next.',
          where: README,
        },
        { field: 'openMarker', option: 'null', says: 'The example.', where: README },
        { field: 'late', option: 'never', says: 'The clock does not go back.', where: CODE },
      ],
      limitations: [
        'It imports pytz and does not name it as a requirement: with pandas 3, which no longer brings it, the module cannot be imported. Pinned here: pandas 2.3.3, and DuckDB of its time.',
      ],
      expected: { exitCode: 1, reds: REDS },
      flags: ['--scope', '0', '--histories', '0'],
    },
  ],
};
