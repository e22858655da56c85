import type { Claim, Entry } from '../entry.ts';

const DOCS = 'https://dlthub.com/docs/general-usage/merge-loading, "scd2 strategy"';

const COMMON: readonly Claim[] = [
  {
    field: 'end',
    option: 'exclusive',
    says: 'In the example the end of a record is the start of the one that takes its place.',
    where: DOCS,
  },
  { field: 'openMarker', option: 'null', says: '`active_record_timestamp`: NULL by default.', where: DOCS },
  {
    field: 'late',
    option: 'never',
    says: 'Nothing is said of boundary timestamps that go back.',
    where: DOCS,
  },
];

const SNAPSHOT: readonly Claim[] = [
  {
    field: 'feed',
    option: 'snapshot',
    says: 'Absent records are retired: a full extract each load.',
    where: DOCS,
  },
  { field: 'deletes', option: 'close', says: 'The same.', where: DOCS },
  {
    field: 'reappearance',
    option: 'gap',
    says: 'A record that is inserted again has a window of its own.',
    where: DOCS,
  },
  ...COMMON,
];

const BOUNDARY: Claim = {
  field: 'clock',
  option: 'injected',
  says: '`boundary_timestamp` is the start of what is new and the end of what is retired.',
  where: DOCS,
};

const NOW = { kind: 'python', requirements: 'requirements.txt' } as const;
const OLD = { kind: 'python', requirements: 'requirements-0.5.2.txt' } as const;
const CASES = ['--scope', '0', '--histories', '0'];
const WALL: Claim = {
  field: 'clock',
  option: 'wall',
  says: 'The boundary is the time at which the load package was made; `boundary_timestamp` came later.',
  where: `${DOCS}, of 0.5.2`,
};

export const dlt: Entry = {
  id: 'dlt',
  name: 'dlt scd2',
  home: 'https://dlthub.com',
  licence: 'Apache-2.0',
  engine: 'DuckDB',
  ruledOut:
    'The adapter runs a pipeline a load, in a folder of its own for each session. A first one yielded nothing for an empty extract, which is no load at all, and the report said that nobody was retired; dlt has `dlt.mark.materialize_table_schema()` for that, and the adapter yields it now. `by-hand.py` runs pipelines over the same extracts with one key column more or less, and no kit.',
  rows: [
    {
      id: 'dlt-merge-key',
      title: 'natural key of two columns as `merge_key`',
      version: '1.31.0',
      setting: NOW,
      adapter: 'adapter.py',
      env: { CENSUS_DLT: 'merge-key' },
      claims: [
        {
          field: 'feed',
          option: 'delta',
          says: 'With a natural key as `merge_key`, an absent record is retired only if its key is in the extract.',
          where: `${DOCS}, "incremental scd2"`,
        },
        {
          field: 'deletes',
          option: 'never',
          says: 'An incremental extract says nothing of deletes.',
          where: `${DOCS}, "incremental scd2"`,
        },
        ...COMMON,
        BOUNDARY,
      ],
      flags: CASES,
      expected: {
        exitCode: 1,
        reds: [
          {
            id: 'unmentioned-key-parts-stay',
            title: 'A key retires another one whose parts make the same text',
            why: 'The parts of a compound `merge_key` are put together without anything between them: `(a, bc)` and `(ab, c)` are one. Known: dlt-hub/dlt#4244.',
            findings: ['unmentioned-key-parts-stay: untouched-keys'],
            also: ['random: untouched-keys', 'random: open-count', 'scope: untouched-keys'],
          },
        ],
      },
    },
    {
      id: 'dlt-0.5.2',
      title: 'full extracts, of August 2024',
      version: '0.5.2',
      setting: OLD,
      adapter: 'adapter.py',
      env: { CENSUS_DLT: 'wall' },
      claims: [...SNAPSHOT, WALL],
      note: 'A regression as an exhibit: red here, green in 1.31.0 under the same contract.',
      flags: CASES,
      expected: {
        exitCode: 1,
        reds: [
          {
            id: 'back-unchanged',
            title: 'A record that comes back unchanged is not inserted again',
            why: 'What is new was what has a hash that no row has, retired ones included. Reported as dlt-hub/dlt#1683 and mended in the release after.',
            findings: ['back-unchanged: open-count', 'reopen-a-b-a: open-count'],
            also: ['*: open-count', '*: version-count'],
          },
        ],
      },
    },
    {
      id: 'dlt-wall',
      title: 'full extracts, by the time of the load package',
      version: '1.31.0',
      setting: NOW,
      adapter: 'adapter.py',
      env: { CENSUS_DLT: 'wall' },
      claims: [...SNAPSHOT, WALL],
      flags: CASES,
      note: 'The contract of the row above, with the version of today.',
      expected: { exitCode: 0, reds: [] },
    },
  ],
};
