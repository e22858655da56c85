import type { Entry } from '../entry.ts';

const DOCS = 'https://mariadb.com/kb/en/system-versioned-tables/';

export const mariadb: Entry = {
  id: 'mariadb',
  name: 'MariaDB system-versioned tables',
  home: DOCS,
  licence: 'GPL-2.0',
  engine: 'MariaDB, as Debian 12 has it',
  ruledOut:
    "The script brings one table to the state of the snapshot, by a DELETE, an UPDATE of what differs and an INSERT; history is the server's alone. A first one compared by `utf8mb4_bin`, under which blanks at the end do not count.",
  rows: [
    {
      id: 'mariadb',
      title: '',
      version: '10.11',
      setting: { kind: 'sql', server: 'mariadb' },
      adapter: 'system-versioning.sql',
      claims: [
        {
          field: 'feed',
          option: 'snapshot',
          says: 'Rows are written and deleted; the script makes that of a snapshot.',
          where: DOCS,
        },
        {
          field: 'deletes',
          option: 'close',
          says: 'A deleted row is kept as history, and ends.',
          where: DOCS,
        },
        {
          field: 'clock',
          option: 'moved',
          says: 'row_start and row_end are set by the server, from the time of the statement; `SET timestamp` sets it.',
          where: `${DOCS}, "Querying Historical Data"`,
        },
        {
          field: 'end',
          option: 'exclusive',
          says: '`AS OF`: `row_start <= t` and `row_end > t`.',
          where: DOCS,
        },
        {
          field: 'openMarker',
          option: '2038-01-19 03:14:07.999999',
          says: 'The greatest TIMESTAMP(6) is the `row_end` of current rows.',
          where: DOCS,
        },
        { field: 'late', option: 'never', says: 'History follows the clock of the server.', where: DOCS },
      ],
      expected: { exitCode: 0, reds: [] },
      inTests: true,
    },
  ],
};
