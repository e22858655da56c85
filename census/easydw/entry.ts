import type { Entry } from '../entry.ts';

const CODE = 'easydw 1.0.6, easydw/dimension/type_2.py (DimensionType2)';

export const easydw: Entry = {
  id: 'easydw',
  name: 'easydw DimensionType2',
  home: 'https://pypi.org/project/easydw/1.0.6/',
  licence: 'MIT',
  engine: 'PostgreSQL',
  ruledOut:
    'The adapter subclasses `DimensionType2` as the README does for type 1, on a table with the columns that the class asks for, and calls `insert`. `by-hand.py` does so on a table with one key column; it shows each instant as that of the load in which it was stamped, and says on the error stream where one load stamped two.',
  rows: [
    {
      id: 'easydw',
      title: '',
      version: '1.0.6',
      setting: { kind: 'python', requirements: 'requirements.txt', server: 'postgres' },
      adapter: 'adapter.py',
      claims: [
        {
          field: 'feed',
          option: 'delta',
          says: '"Detect new records and changed records"; a key that is not in the frame is not touched.',
          where: 'https://pypi.org/project/easydw/1.0.6/, "Why easydw"',
        },
        { field: 'deletes', option: 'never', says: 'Nothing is said of deletes.', where: CODE },
        {
          field: 'clock',
          option: 'wall',
          says: '`_get_now`: "Return the current datetime in the configured timezone."',
          where: CODE,
        },
        {
          field: 'end',
          option: 'exclusive',
          says: '"Existing records are closed (deactivated) and new records are inserted": both by the time of the load.',
          where: CODE,
        },
        { field: 'openMarker', option: 'null', says: '`pl.lit(None).alias(DEACTIVATION_DATE)`', where: CODE },
        { field: 'late', option: 'never', says: 'The clock does not go back.', where: CODE },
      ],
      flags: ['--scope', '2', '--histories', '50'],
      expected: {
        exitCode: 1,
        reds: [
          {
            id: 'three-changes',
            title: 'Each change writes the version that ends over all earlier ones',
            why: 'The rows to close are updated by the natural key alone (`dwh.update(old_records, name, keys)`), so every version of the key, also those that ended long ago, gets the attributes, the start and the end of the one that closes: A, B, C becomes B, B, C.',
            findings: ['three-changes: closed-stays-closed', 'reopen-a-b-a: closed-stays-closed'],
            also: ['*: closed-stays-closed', '*: no-overlap', '*: unique-start', '*: content'],
          },
          {
            id: 'segment-change',
            title: 'A gap between the version that ends and the one that begins',
            why: '`_get_now` is called twice in a load, once for the end and once for the start, and the update of the database lies between them. Facts of that time find no version.',
            findings: ['segment-change: clock-injected'],
            also: ['*: clock-injected', '*: contiguous', '*: coverage'],
          },
          {
            id: 'null-to-value',
            title: 'NULL to a value, or back, is no change',
            why: '`pl.col(col) != pl.col(f"{col}_dwh")` is null where one side is, and the filter takes null for false.',
            findings: [
              'closed-null-stays-null: version-count',
              'empty-text-and-null: version-count',
              'null-between-values: version-count',
              'null-moves-to-the-neighbour: version-count',
              'null-to-value: version-count',
              'placeholder-to-null: version-count',
              'row-of-nulls: version-count',
              'value-to-null: version-count',
              'value-zero-and-null: version-count',
            ],
            also: ['*: version-count'],
          },
        ],
      },
    },
  ],
};
