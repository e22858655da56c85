import type { EngineUnderTest } from './sql-suite.ts';

/** Mistakes that the examples have in common: the same rule in the words of each engine. */
const NOT_REPLACED = [
  'a load that is delivered again is added to its former self',
  'DELETE FROM observation WHERE as_of = :as_of;',
  '',
  'unique-start',
] as const;

const KEPT_OLD = [
  'what was derived before stays beside what is derived now',
  'DELETE FROM dimension;',
  '',
  'unique-start',
] as const;

export const SQLITE: EngineUnderTest = {
  name: 'SQLite',
  engine: () => null,
  head: '-- scd2check:engine sqlite',
  inThisProcess: true,
  example: 'observation-log.sqlite.sql',
  mutants: [
    NOT_REPLACED,
    KEPT_OLD,
    ['each row is current', 'next_as_of IS NULL\nFROM ranked', '1\nFROM ranked', 'current-flag'],
    [
      'instants lose their fraction, and are no texts of one form any more',
      'SELECT :as_of, customer_id',
      "SELECT strftime('%Y-%m-%d %H:%M', :as_of), customer_id",
      'open-count',
    ],
  ],
  refuse: "SELECT error('rejected: no') FROM batch WHERE customer_id = 'no';",
  endless:
    "WITH RECURSIVE n(i) AS (SELECT 1 FROM batch WHERE customer_id = 'loop' UNION ALL SELECT 1 - i FROM n) SELECT count(*) FROM n;",
  begin: 'BEGIN',
  noColumn: /no such column: nope/,
  anyDoubles: false,
  zones: [],
  now: 'current_timestamp',
};

export const POSTGRES: Omit<EngineUnderTest, 'engine' | 'inThisProcess'> = {
  name: 'PostgreSQL',
  head: '-- scd2check:engine postgres',
  example: 'observation-log.postgres.sql',
  mutants: [
    NOT_REPLACED,
    KEPT_OLD,
    ['each row is current', 'valid_to IS NULL FROM version', 'true FROM version', 'current-flag'],
    [
      'ends skip NULL, so a version that was seen twice ends where it was seen last',
      '(array_agg(next_as_of ORDER BY n DESC))[1]',
      'max(next_as_of)',
      'open-count',
    ],
  ],
  refuse:
    "DO $$ BEGIN IF EXISTS (SELECT FROM batch WHERE customer_id = 'no') THEN RAISE EXCEPTION 'rejected: no'; END IF; END $$;",
  endless:
    "DO $$ BEGIN WHILE EXISTS (SELECT FROM batch WHERE customer_id = 'loop') LOOP NULL; END LOOP; END $$;",
  begin: 'BEGIN',
  noColumn: /column "nope" does not exist/,
  anyDoubles: true,
  zones: ["SET TIME ZONE 'America/New_York'", "SET TIME ZONE 'Asia/Kathmandu'"],
  now: null,
};

export const MARIADB: Omit<EngineUnderTest, 'engine' | 'inThisProcess'> = {
  name: 'MariaDB',
  head: '-- scd2check:engine mariadb',
  example: 'observation-log.mysql.sql',
  mutants: [
    NOT_REPLACED,
    KEPT_OLD,
    ['each row is current', 'next_as_of IS NULL\nFROM ranked', '1\nFROM ranked', 'current-flag'],
    [
      'snapshots in a row are counted by key, whatever its state',
      'row_number() OVER (PARTITION BY customer_id, customer_segment ORDER BY n) AS SIGNED',
      'row_number() OVER (PARTITION BY customer_id ORDER BY n) AS SIGNED',
      'closed-stays-closed',
    ],
  ],
  refuse: `BEGIN NOT ATOMIC
    IF EXISTS (SELECT 1 FROM batch WHERE customer_id = 'no') THEN
      SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'rejected: no';
    END IF;
  END;`,
  endless: "SELECT sleep(1000) FROM batch WHERE customer_id = 'loop';",
  begin: 'START TRANSACTION',
  noColumn: /Unknown column 'nope'/,
  anyDoubles: false,
  zones: ["SET time_zone = '-05:00'", "SET time_zone = '+05:45'"],
  now: 'current_timestamp(6)',
};
