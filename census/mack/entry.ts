import type { Entry } from '../entry.ts';

const README = 'https://github.com/MrPowers/mack, README.md, "Type 2 SCD Upserts"';

const CASES = [
  'boundary',
  'three-changes',
  'new-key-later',
  'one-key-changes',
  'null-to-value',
  'value-to-null',
  'null-between-values',
  'row-of-nulls',
  'unmentioned-keys-stay',
  'value-case',
  'value-blanks',
  'key-leading-zero',
  'redelivered-at-once',
  'columns-permuted',
];

export const mack: Entry = {
  id: 'mack',
  name: 'mack type_2_scd_upsert',
  home: 'https://github.com/MrPowers/mack',
  licence: 'MIT',
  engine: 'Delta Lake 4.0.1, by Spark 4.0.3 (needs Java 17 or 21)',
  ruledOut:
    'The adapter keeps one Delta table with the columns that the function asks for, and calls it with a frame of the rows of the load and their `effective_time`. `by-hand.py` does so with a session of its own and a table with one attribute.',
  rows: [
    {
      id: 'mack',
      title: '',
      version: '0.5.0',
      setting: { kind: 'python', requirements: 'requirements.txt' },
      adapter: 'adapter.py',
      claims: [
        {
          field: 'feed',
          option: 'delta',
          says: 'The updates are merged; rows that they do not mention stay.',
          where: README,
        },
        { field: 'deletes', option: 'never', says: 'Nothing is said of deletes.', where: README },
        {
          field: 'end',
          option: 'exclusive',
          says: 'In the example the `end_time` of the old row is the `effective_time` of the new one.',
          where: README,
        },
        { field: 'openMarker', option: 'null', says: 'The example.', where: README },
        { field: 'late', option: 'never', says: 'Nothing is said of older effective times.', where: README },
      ],
      note: 'A load takes seconds: of the named cases, those that show most.',
      flags: ['--scope', '0', '--histories', '0', '--case', CASES.join(',')],
      expected: {
        exitCode: 1,
        reds: [
          {
            id: 'null-to-value',
            title: 'NULL to a value, or back, is no change',
            why: 'Attributes are compared with `<>` (`staged_updates.x <> base.x`), which is neither true nor false where one side is NULL.',
            findings: [
              'null-between-values: version-count',
              'null-to-value: version-count',
              'row-of-nulls: version-count',
              'value-to-null: version-count',
            ],
          },
        ],
      },
    },
  ],
};
