import type { Entry } from '../entry.ts';

const GUIDE = 'https://duckdb.org/docs/stable/guides/sql_features/merge, "Merge Statement for SCD Type 2"';

export const duckdbRecipe: Entry = {
  id: 'duckdb-recipe',
  name: 'The MERGE guide of DuckDB',
  home: GUIDE.split(',')[0]!,
  licence: 'documentation',
  engine: 'DuckDB',
  ruledOut:
    'The script follows the guide step by step, with other names. `by-hand.mjs` runs its two statements on a DuckDB without scd2check, the date of each load written into them.',
  rows: [
    {
      id: 'duckdb-recipe',
      title: '',
      version: 'read in November 2026',
      setting: { kind: 'duckdb' },
      adapter: 'recipe.sql',
      claims: [
        {
          field: 'feed',
          option: 'snapshot',
          says: '"WHEN NOT MATCHED BY SOURCE: Row disappeared".',
          where: `${GUIDE}, "Key Terminology"`,
        },
        {
          field: 'deletes',
          option: 'close',
          says: '"soft-delete/expire old version".',
          where: `${GUIDE}, "Key Terminology"`,
        },
        {
          field: 'clock',
          option: 'moved',
          says: 'Starts and ends are made of `CURRENT_DATE`.',
          where: `${GUIDE}, steps 3 and 4`,
        },
        {
          field: 'grain',
          option: 'day',
          says: '`begin_date` and `end_date` are dates.',
          where: `${GUIDE}, step 2`,
        },
        {
          field: 'end',
          option: 'inclusive',
          says: "`end_date = CURRENT_DATE - INTERVAL '1 day'`, and the next version begins on `CURRENT_DATE`.",
          where: `${GUIDE}, steps 3 and 4`,
        },
        {
          field: 'openMarker',
          option: 'null',
          says: '"Keep end_date NULL for current rows".',
          where: `${GUIDE}, "Best Practices"`,
        },
        { field: 'late', option: 'never', says: 'Nothing is said of older extracts.', where: GUIDE },
      ],
      expected: {
        exitCode: 1,
        reds: [
          {
            id: 'null-to-value',
            title: 'NULL to a value, or back, is no change',
            why: '`<>` is neither true nor false where one side is NULL; `IS DISTINCT FROM` would be.',
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
            also: ['scope: version-count', 'random: version-count', 'scope: content', 'random: content'],
          },
          {
            id: 'redelivered-at-once',
            title: 'Run twice on a day, it opens the version again',
            why: 'The INSERT takes each key that has a version which ended yesterday. The second run finds the one that the first run closed, and does not look whether a current one is there.',
            findings: ['redelivered-at-once: surrogate-key-stable', 'redelivered-at-once: unique-start'],
            also: [
              '*: unique-start',
              '*: surrogate-key-stable',
              'repetition: idempotent',
              '*: one-open-version',
              '*: no-overlap',
            ],
          },
        ],
      },
      inTests: true,
    },
  ],
};
