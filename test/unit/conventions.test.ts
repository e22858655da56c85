import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/cli/version.ts';
import { declareContract } from '../../src/contract/declare.ts';
import { randomFeed } from '../../src/feed/random.ts';
import { scopeFeeds } from '../../src/feed/scope.ts';
import { sqlCalls } from '../../src/plugins/host/sql.ts';
import { DEFAULT_LIMITS } from '../../src/plugins/implementation.ts';
import { hostInThisProcess } from '../../src/plugins/in-process.ts';
import { openSqlIn } from '../../src/plugins/sql.ts';
import { runPart } from '../../src/runner/packed-part.ts';

/*
 * The same right dimension, kept in all the ways that people keep one. None of them is a finding, on two engines that have types of their
 * own for instants and flags.
 */

type EngineName = 'duckdb' | 'postgres';

interface Convention {
  readonly title: string;
  readonly head?: readonly string[];
  /** Columns of the table `dimension`; null where `setup` makes something of that name. */
  readonly columns: string | null;
  readonly setup?: string;
  /** What is inserted, of the columns customer_id, customer_segment, street, valid_from, valid_to; it is a whole load where it says INSERT. */
  readonly select: string;
  readonly engines?: readonly EngineName[];
  /** The type that the log keeps instants in. */
  readonly instant?: string;
}

const THREE = 'customer_id text, customer_segment text, street text';
const VALUES = 'customer_id, customer_segment, street';
const PLAIN = `${THREE}, valid_from timestamp, valid_to timestamp`;

const flag = (title: string, type: string, yes: string, no: string): Convention => ({
  title: `a flag that is ${title}`,
  columns: `${PLAIN}, is_current ${type}`,
  select: `${VALUES}, valid_from, valid_to, CASE WHEN valid_to IS NULL THEN ${yes} ELSE ${no} END`,
});

const inclusive = (grain: string, less: string): Convention => ({
  title: `ends that are inclusive at ${grain}s`,
  head: ['end inclusive', `grain ${grain}`],
  columns: PLAIN,
  select: `${VALUES}, valid_from, valid_to - INTERVAL '${less}'`,
});

const CONVENTIONS: readonly Convention[] = [
  inclusive('microsecond', '1 microsecond'),
  inclusive('millisecond', '1 millisecond'),
  inclusive('second', '1 second'),
  {
    title: 'ends that are inclusive at days, in date columns',
    head: ['end inclusive', 'grain day'],
    columns: `${THREE}, valid_from date, valid_to date`,
    select: `${VALUES}, valid_from, valid_to - 1`,
    instant: 'date',
  },
  {
    title: 'sentinels at both ends',
    head: ['openMarker 9999-12-31', 'firstStart 1900-01-01'],
    columns: PLAIN,
    select: `${VALUES}, CASE WHEN valid_from = min(valid_from) OVER (PARTITION BY customer_id) THEN TIMESTAMP '1900-01-01' ELSE valid_from END,
      coalesce(valid_to, TIMESTAMP '9999-12-31')`,
  },
  {
    title: 'an end of time that is infinite',
    head: ['openMarker infinity'],
    columns: PLAIN,
    select: `${VALUES}, valid_from, coalesce(valid_to, TIMESTAMP 'infinity')`,
  },
  {
    title: 'tombstone rows',
    head: ['deletes marker-row', 'isDeleted is_deleted'],
    columns: `${PLAIN}, is_deleted boolean`,
    select: `INSERT INTO dimension SELECT ${VALUES}, valid_from, valid_to, false FROM version;
      INSERT INTO dimension
      SELECT ${VALUES}, valid_to, next_from, true
      FROM (SELECT *, lead(valid_from) OVER (PARTITION BY customer_id ORDER BY valid_from) AS next_from FROM version) AS followed
      WHERE valid_to IS NOT NULL AND next_from IS DISTINCT FROM valid_to`,
  },
  {
    title: 'instants in a struct',
    head: ['validFrom validity.start_at', 'validTo validity.end_at'],
    columns: `${THREE}, validity STRUCT(start_at TIMESTAMP, end_at TIMESTAMP)`,
    select: `${VALUES}, {'start_at': valid_from, 'end_at': valid_to}`,
    engines: ['duckdb'],
  },
  {
    title: 'instants in a JSON document',
    head: ['validFrom validity.start_at', 'validTo validity.end_at'],
    columns: `${THREE}, validity json`,
    select: `${VALUES}, json_build_object('start_at', valid_from, 'end_at', valid_to)`,
    engines: ['postgres'],
  },
  flag('boolean', 'boolean', 'true', 'false'),
  flag('0 or 1', 'integer', '1', '0'),
  flag('Y or N', 'char(1)', "'Y'", "'N'"),
  flag('a word', 'text', "'Current'", "'Expired'"),
  {
    title: 'a history table beside a live one',
    columns: null,
    setup: `CREATE TABLE live (${PLAIN}); CREATE TABLE history (${PLAIN});
      CREATE VIEW dimension AS SELECT * FROM live UNION ALL SELECT * FROM history;`,
    select: `DELETE FROM live; DELETE FROM history;
      INSERT INTO live SELECT ${VALUES}, valid_from, valid_to FROM version WHERE valid_to IS NULL;
      INSERT INTO history SELECT ${VALUES}, valid_from, valid_to FROM version WHERE valid_to IS NOT NULL`,
  },
  {
    title: 'names in another case',
    columns: `"CUSTOMER_ID" text, "Customer_Segment" text, "STREET" text, "VALID_FROM" timestamp, "Valid_To" timestamp, "IS_CURRENT" boolean`,
    select: `${VALUES}, valid_from, valid_to, valid_to IS NULL`,
  },
  {
    title: 'everything as text',
    columns: `${THREE}, valid_from text, valid_to text, is_current text`,
    select: `${VALUES}, CAST(valid_from AS text), CAST(valid_to AS text), CAST(valid_to IS NULL AS text)`,
  },
  {
    title: 'text with a zone of its own',
    columns: `${THREE}, valid_from text, valid_to text`,
    select: `${VALUES}, CAST(valid_from + INTERVAL '345 minutes' AS text) || '+05:45', CAST(valid_to - INTERVAL '5 hours' AS text) || '-05:00'`,
  },
  ...['America/New_York', 'Asia/Kathmandu'].map(
    (zone): Convention => ({
      title: `zoned columns in a session of ${zone}`,
      columns: `${THREE}, valid_from timestamptz, valid_to timestamptz`,
      select: `SET TimeZone = '${zone}';
      INSERT INTO dimension SELECT ${VALUES}, valid_from AT TIME ZONE 'UTC', valid_to AT TIME ZONE 'UTC' FROM version`,
    }),
  ),
  ...['America/New_York', 'Asia/Kathmandu'].map(
    (zone): Convention => ({
      title: `naive columns in a session of ${zone}`,
      columns: PLAIN,
      select: `SET TimeZone = '${zone}'; INSERT INTO dimension SELECT ${VALUES}, valid_from, valid_to FROM version`,
    }),
  ),
];

/** The version table of the example, and then the convention. */
function scriptOf(
  engine: EngineName,
  { head = [], columns, setup = '', select, instant = 'timestamp' }: Convention,
) {
  const example = readFileSync(join(packageRoot(), 'examples', 'observation-log.postgres.sql'), 'utf8');
  const log = /INSERT INTO dimension\n(WITH[\s\S]*?GROUP BY customer_id, customer_segment, run\n\))/.exec(
    example,
  )![1]!;
  const versions =
    engine === 'postgres'
      ? log
      : log.replaceAll(/\(array_agg\((\w+) ORDER BY n DESC\)\)\[1\]/g, 'arg_max_null($1, n)');
  return `-- scd2check:engine ${engine}
${head.map((line) => `-- scd2check:${line}`).join('\n')}
-- scd2check:setup
CREATE TABLE snapshot (as_of ${instant} PRIMARY KEY);
CREATE TABLE observation (as_of ${instant}, ${THREE});
CREATE TABLE version (${THREE}, valid_from ${instant}, valid_to ${instant});
${columns === null ? '' : `CREATE TABLE dimension (${columns});`} ${setup}
-- scd2check:load
DELETE FROM observation WHERE as_of = :as_of;
INSERT INTO observation SELECT :as_of, ${VALUES} FROM batch;
INSERT INTO snapshot VALUES (:as_of) ON CONFLICT DO NOTHING;
DELETE FROM version;
INSERT INTO version ${versions} SELECT ${VALUES}, valid_from, valid_to FROM version;
${columns === null ? '' : 'DELETE FROM dimension;'}
${select.includes('INSERT') ? select : `INSERT INTO dimension SELECT ${select} FROM version`};`;
}

const hostHere = () => hostInThisProcess(sqlCalls());

describe.each(['duckdb', 'postgres'] as const)('on %s, a right dimension is right with', (engine) => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'scd2check-conventions-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const own = CONVENTIONS.filter(({ engines }) => engines?.includes(engine) ?? true);

  it.each(own)('$title', async (convention) => {
    const path = join(folder, 'load.sql');
    writeFileSync(path, scriptOf(engine, convention));
    const implementation = await openSqlIn(hostHere, path, DEFAULT_LIMITS);
    const bare = convention.columns?.toLowerCase() ?? PLAIN;
    const noFlag = bare.includes('is_current') ? [] : [{ name: 'isCurrent', value: 'none', where: 'test' }];
    const { contract } = declareContract([implementation.declared, noFlag]);
    function* feeds() {
      yield* scopeFeeds(contract, engine === 'duckdb' ? 3 : 2);
      yield randomFeed(contract, { seed: 1, index: 0, keys: 100 });
    }
    const part = await runPart(feeds(), {
      implementation,
      contract,
    });
    expect(part.failure?.failure.message ?? null).toBe(null);
    expect(part.failing.slice(0, 3).map(({ check, key, step }) => ({ check, key, step }))).toEqual([]);
    expect(part.histories).toBeGreaterThan(100);
  });
});
