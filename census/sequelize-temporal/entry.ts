import type { Entry } from '../entry.ts';

const README = 'https://github.com/bonaval/sequelize-temporal, README.md';

export const sequelizeTemporal: Entry = {
  id: 'sequelize-temporal',
  name: 'sequelize-temporal',
  home: 'https://github.com/bonaval/sequelize-temporal',
  licence: 'MIT',
  engine: 'SQLite, by Sequelize 6.37.8',
  ruledOut:
    'The adapter finds, creates, updates and destroys instances, as an application does, and reads both tables: a row of history held from its `updatedAt` to its `archivedAt`. `by-hand.mjs` does the same without scd2check, by the clock of the machine.',
  rows: [
    {
      id: 'sequelize-temporal',
      title: '',
      version: '2.1.1',
      setting: { kind: 'node' },
      adapter: 'adapter.mjs',
      claims: [
        {
          field: 'feed',
          option: 'delta',
          says: 'Rows are created, updated and destroyed one by one.',
          where: README,
        },
        {
          field: 'deletes',
          option: 'close',
          says: '"fired for each row before UPDATE and DELETE": the state before is kept.',
          where: `${README}, "Hooks"`,
        },
        {
          field: 'clock',
          option: 'moved',
          says: '`updatedAt` and `archivedAt` are times of the process.',
          where: `${README}, index.js`,
        },
        {
          field: 'grain',
          option: 'millisecond',
          says: 'Both are `Sequelize.DATE`, a JavaScript `Date`.',
          where: `${README}, index.js`,
        },
        { field: 'late', option: 'never', says: 'The clock does not go back.', where: README },
      ],
      flags: ['--scope', '2', '--histories', '200'],
      expected: {
        exitCode: 1,
        reds: [
          {
            id: 'no-change',
            title: 'An update that changes nothing is kept as history',
            why: 'README: "By default sequelize-temporal persist only changes". Its hook `beforeUpdate` is called by `update` also where no attribute differs, and writes a row; `updatedAt` stays, so that the row of history and the live one begin at the same time.',
            findings: [
              'no-change: unique-start',
              'null-to-null: unique-start',
              'redelivered-at-once: bounds-valid',
            ],
            also: [
              '*: unique-start',
              '*: bounds-valid',
              '*: no-overlap',
              '*: no-repeat',
              'repetition: idempotent',
            ],
          },
          {
            id: 'clock-read-twice',
            title: 'A row of history ends a moment before the live one begins',
            why: '`archivedAt` is `Sequelize.NOW` of the row of history, `updatedAt` is set by Sequelize for the live one: two readings of the clock, with a query between them. Facts of that time find no version. Where the clock stands still in a load, all is right.',
            findings: [],
            also: ['repetition: clock-injected'],
            onlyWhole: true,
          },
        ],
      },
    },
  ],
};
