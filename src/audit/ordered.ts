import type { Contract } from '../contract/contract.ts';
import type { Database } from '../duckdb/connection.ts';
import { DUCKDB } from './dialect.ts';
import {
  closedAt,
  keyHash,
  MASS_CLOSE,
  neededColumns,
  readAs,
  type Screened,
  type Screening,
} from './screen.ts';
import type { NumberedFile } from './table.ts';
import { folded } from './version.ts';

/**
 * The screen for a table that lies in the order of its keys and, within a key, of its starts, as exports and clustered tables do.
 *
 * Each row is compared with the row before it, in the order of the file: no sort, no hash table, no memory that grows. A key is cleared if
 * each of its versions begins where the one before it ended and differs from it in a tracked attribute. Values are compared, not hashes.
 * That a key stands in one place only, follows from the order, which is checked on the way; where it is broken, nothing is concluded
 * and the other screen takes over.
 *
 * The rows of suspected keys are kept as they pass by, so that the table is not read again. That needs them to be close to the row at fault,
 * and few; else they are read by their key.
 */

/** Rows read to find out whether a table may be in order. */
const PROBE = 60_000;
/** With a larger share of suspects than this the versions of a key hardly lie in order. */
const FEW = 0.3;
/** With a larger share of rows at fault than this, the rows of suspects are read again rather than kept. */
const RARE = 0.003;
/** Furthest row from one at fault that is kept. */
const FURTHEST = 8;
/** Fewer rows than this are not worth a stretch of their own. */
const STRETCH = 200_000;
/** The place of a row in its file, in tables beside columns of the user's. */
const AT = '"scd2check at"';

/** A run of rows, `first` to before `end`. */
interface Stretch {
  readonly first: number;
  readonly end: number;
}

/** What a pass over a stretch tells. */
interface Passed {
  /** Rows with a whole key. */
  readonly rows: number;
  readonly keys: number;
  readonly open: number;
  readonly many: number;
  /** Open versions after the first of their key. */
  readonly laterOpen: number;
  /** Keys that ended for good; the last one of the table is not among them. */
  readonly gone: number;
  readonly disorder: number;
  readonly bad: number;
}

/**
 * @param stretchRows fewer rows than this are not worth a thread of their own
 * @returns null where the file does not lie in order, or the contract asks for more than neighbours tell; else tables `screened`, `suspect`
 * and `suspect_row` are left as by `screen`
 */
export async function screenInOrder(
  db: Database,
  screening: Screening,
  file: NumberedFile,
  stretchRows = STRETCH,
): Promise<Screened | null> {
  const { contract, where } = screening;
  if (file.rows === 0 || where !== 'true') return null;
  if (contract.columns.validTo === null || contract.nullKey === 'value') return null;
  const probe = await passOver(
    db,
    // A load that went wrong is most often the last one.
    [Math.floor(file.rows / 2), Math.max(0, file.rows - PROBE)].map((first) =>
      passSql(screening, file, { first, end: Math.min(file.rows, first + PROBE) }, 0, ''),
    ),
  );
  if (probe.disorder > 0 || probe.keys === 0 || probe.bad > FEW * probe.keys) return null;
  const stretches = await split(db, file, stretchRows);
  const over = (reach: number, kept: string) =>
    passOver(
      db,
      stretches.map((stretch) => passSql(screening, file, stretch, reach, kept)),
    );
  const names = () => over(0, keptNames(screening));
  // Where nothing is at fault in the probe, it is likely that nothing is, and keeping rows in sight would cost for nothing.
  const isRare = probe.bad > 0 && probe.bad <= RARE * probe.rows;
  const reach = Math.min(FURTHEST, Math.max(2, Math.round(probe.rows / probe.keys)));
  const passed = await (isRare ? over(reach, keptRows(screening)).catch(memoryFailed(names)) : names());
  if (passed.disorder > 0) return null;
  await takeSuspects(db, screening, file);
  await keysGone(db, screening, file, passed);
  return corrected(db, screening, file, passed);
}

async function split(db: Database, { rows }: NumberedFile, atLeast: number): Promise<readonly Stretch[]> {
  const [setting] = await db.rows<{ threads: bigint }>(`SELECT current_setting('threads') AS threads`);
  const parts = Math.max(1, Math.min(Number(setting!.threads), Math.floor(rows / atLeast)));
  const at = (part: number) => Math.round((rows * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({ first: at(part), end: at(part + 1) }));
}

/** Leaves a table `passed`, a row for each stretch. */
async function passOver(db: Database, stretches: readonly string[]): Promise<Passed> {
  await db.run(`CREATE OR REPLACE TABLE passed AS ${stretches.join(' UNION ALL ')}`);
  const [total] = await db.rows<Record<keyof Passed, bigint>>(
    `SELECT ${COUNTS.map((name) => `sum(${name})::BIGINT AS ${name}`).join(', ')} FROM passed`,
  );
  const of = (name: keyof Passed) => Number(total![name] ?? 0);
  return {
    rows: of('rows'),
    keys: of('keys'),
    open: of('open'),
    many: of('many'),
    laterOpen: of('laterOpen'),
    gone: of('gone'),
    disorder: of('disorder'),
    bad: of('bad'),
  };
}

const COUNTS = ['rows', 'keys', 'open', 'many', 'laterOpen', 'gone', 'disorder', 'bad'] as const;

/**
 * Rows that stand around one at fault, as a list in JSON of their values as text. A string is the only thing of any length that an
 * aggregate without groups gathers cheaply: a list makes the whole pass half as slow again.
 */
function keptRows({ contract }: Screening): string {
  const values = neededColumns(contract).map((_, index) => `CAST(c${index} AS VARCHAR)`);
  const row = `[CAST(place AS VARCHAR), CAST(is_first AS VARCHAR), CAST(bad AS VARCHAR), ${values.join(', ')}]`;
  return `, string_agg(CASE WHEN near THEN CAST(to_json(${row}) AS VARCHAR) END, ',') AS kept`;
}

/** Where far more rows are at fault than the probe saw, they may be more than fit. */
function memoryFailed<T>(instead: () => Promise<T>): (error: Error) => Promise<T> {
  return (error) => {
    if (!/out of memory|string.*(too|larger|maximum)/i.test(error.message)) throw error;
    return instead();
  };
}

/** The names of suspected keys alone. */
function keptNames({ contract }: Screening): string {
  const keys = contract.columns.key.map((_, index) => `k${index}`).join(', ');
  return `, string_agg(CASE WHEN bad THEN CAST(hash(${keys}) AS VARCHAR) END, ',') AS names`;
}

/** @param kept further aggregates, after a comma */
function passSql(
  screening: Screening,
  file: NumberedFile,
  stretch: Stretch,
  reach: number,
  kept: string,
): string {
  const steps = Array.from({ length: reach }, (_, index) => index + 1);
  const beside = steps.flatMap((by) => [
    `lag(bad, ${by}, false) OVER () AS bad_before${by}`,
    `lead(bad, ${by}, false) OVER () AS bad_after${by}`,
  ]);
  const near = steps.flatMap((by) => [`bad_before${by}`, `bad_after${by}`]);
  return `SELECT count_if(is_whole) AS rows, count_if(is_first) AS keys, count_if(t IS NULL AND is_whole) AS open,
      count_if(was_first AND NOT is_first AND is_whole) AS many, count_if(t IS NULL AND NOT is_first AND is_whole) AS laterOpen,
      count_if(is_first AND before_t IS NOT NULL) AS gone, count_if(disorder) AS disorder, count_if(bad) AS bad${kept}
    FROM (SELECT *, ${['bad', ...near].join(' OR ')} AS near
      FROM (SELECT *, ${['lag(is_first, 1, false) OVER () AS was_first', ...beside].join(', ')} FROM (${judgedSql(screening, file, stretch, reach)})))
    WHERE place >= ${stretch.first} AND place < ${stretch.end}`;
}

/** Rows of a stretch and `reach` rows around it, each judged by the row before it. */
function judgedSql(screening: Screening, file: NumberedFile, stretch: Stretch, reach: number): string {
  const { contract, from, repeats } = screening;
  const { columns, keyCompare, compare } = contract;
  const { start, to, flagged, marked, unended } = readAs(contract);
  const keys = columns.key.map((column) => folded(column, keyCompare, DUCKDB));
  const states = repeats ? columns.tracked.map((column) => folded(column, compare, DUCKDB)) : [];
  const isRaw = readsRaw(contract, file);
  const begun = isRaw ? DUCKDB.quote(columns.validFrom.name) : start;
  const end = isRaw ? DUCKDB.quote(columns.validTo!.name) : to;
  const named = (expressions: readonly string[], name: string) =>
    expressions.map((expression, index) => `${expression} AS ${name}${index}`);
  const each = (expressions: readonly string[], of: (index: number) => string) =>
    expressions.map((_, index) => of(index));
  const begin = Math.max(0, stretch.first - reach - 1);
  const read = [
    ...named(neededColumns(contract).map(DUCKDB.quote), 'c'),
    ...named(keys, 'k'),
    ...named(states, 's'),
    `file_row_number AS place, ${begun} AS f, ${end} AS t, ${flagged} AS flag, ${marked} AS marked, ${unended} AS unended`,
  ];
  const before = [
    'lag(t) OVER () AS before_t',
    ...each(keys, (index) => `lag(k${index}) OVER () AS before_k${index}`),
    ...each(states, (index) => `lag(s${index}) OVER () AS before_s${index}`),
  ];
  const whole = each(keys, (index) => `k${index} IS NOT NULL`).join(' AND ');
  const wasWhole = each(keys, (index) => `before_k${index} IS NOT NULL`).join(' AND ');
  const differs = each(keys, (index) => `before_k${index} IS DISTINCT FROM k${index}`).join(' OR ');
  const changed = each(states, (index) => `before_s${index} IS DISTINCT FROM s${index}`).join(' OR ');
  // Said the other way round, by plain comparisons: what is NULL is no proof, and `IS DISTINCT FROM` takes longer.
  const right = ['f IS NOT NULL', '(t IS NULL OR t > f)'];
  if (isRaw) right.push('(t IS NULL OR isfinite(t))');
  if (columns.isCurrent !== null) right.push('flag = (t IS NULL)');
  if (marked !== 'false') right.push('NOT marked');
  if (unended !== 'false') right.push('NOT unended');
  const joins = `before_t = f${states.length === 0 ? '' : ` AND (${changed})`}`;
  // Rows without a key may come after all others. Anywhere else they hide which row was the last with one.
  return `SELECT *, CASE WHEN is_first THEN NOT coalesce(${right.join(' AND ')}, false) ELSE is_whole AND NOT coalesce(${[joins, ...right].join(' AND ')}, false) END AS bad,
      CASE WHEN is_first THEN NOT (place = ${begin} OR (${wasWhole} AND coalesce(${comesAfter(keys.length)}, false))) ELSE false END AS disorder
    FROM (SELECT *, (${whole}) AS is_whole, (${whole}) AND (${differs}) AS is_first
      FROM (SELECT *, ${before.join(', ')}
        FROM (SELECT ${read.join(', ')} FROM ${file.numbered(from)}
          WHERE file_row_number >= ${begin} AND file_row_number < ${stretch.end + reach + 1})))`;
}

/**
 * Bounds can be compared as they are, where both are of one type that is no finer than microseconds. An infinite end is open then. It is rare: asking
 * for it once, as a fault, costs less than a NULL in its place.
 */
function readsRaw({ columns, openMarker, end }: Contract, { types }: NumberedFile): boolean {
  const type = types.get(columns.validFrom.name) ?? '';
  const isSame = type === types.get(columns.validTo!.name);
  return (
    isSame &&
    /^(DATE|TIMESTAMP|TIMESTAMP WITH TIME ZONE)$/.test(type) &&
    openMarker === 'null' &&
    end === 'exclusive'
  );
}

/** A key comes after the key of the row before. */
function comesAfter(keys: number): string {
  const from = (index: number): string => {
    const greater = `before_k${index} < k${index}`;
    return index === keys - 1
      ? greater
      : `(${greater} OR (before_k${index} = k${index} AND ${from(index + 1)}))`;
  };
  return from(0);
}

/** Tables `suspect` and `suspect_row`, from what a pass kept or, where that is not all of a key's rows, from the table. */
async function takeSuspects(db: Database, screening: Screening, file: NumberedFile): Promise<void> {
  const { contract, from } = screening;
  const columns = neededColumns(contract);
  const [{ rows }] = (await db.rows<{ rows: boolean }>(
    `SELECT count(*) > 0 AS rows FROM (DESCRIBE passed) WHERE column_name = 'kept'`,
  )) as [{ rows: boolean }];
  if (rows) {
    const values = columns.map(
      (name, index) => `CAST(r[${index + 4}] AS ${file.types.get(name)}) AS ${DUCKDB.quote(name)}`,
    );
    await db.run(`CREATE TABLE kept AS SELECT *, ${keyHash(contract)} AS "scd2check hk"
      FROM (SELECT CAST(r[1] AS BIGINT) AS ${AT}, CAST(r[2] AS BOOLEAN) AS "scd2check first", CAST(r[3] AS BOOLEAN) AS "scd2check bad", ${values.join(', ')}
        FROM (SELECT unnest(from_json('[' || kept || ']', '[["VARCHAR"]]')) AS r FROM passed WHERE kept IS NOT NULL))`);
    await db.run(
      'CREATE TABLE suspect AS SELECT DISTINCT "scd2check hk" AS hk FROM kept WHERE "scd2check bad"',
    );
    const own = `(SELECT * FROM kept WHERE "scd2check hk" IN (SELECT hk FROM suspect))`;
    const [{ cut }] = (await db.rows<{ cut: bigint }>(
      `SELECT count(*) AS cut FROM (
         SELECT bool_or("scd2check first") AS from_first, min(${AT}) AS low, max(${AT}) AS high, count(*) AS n FROM ${own} GROUP BY "scd2check hk")
       WHERE NOT from_first OR n <> high - low + 1 OR (high + 1 < ${file.rows} AND high + 1 NOT IN (SELECT ${AT} FROM kept))`,
    )) as [{ cut: bigint }];
    if (Number(cut) === 0) await db.run(`CREATE TABLE suspect_row AS ${own}`);
    await db.run('DROP TABLE kept');
    if (Number(cut) === 0) return;
  } else {
    await db.run(
      `CREATE TABLE suspect AS SELECT DISTINCT CAST(unnest(string_split(names, ',')) AS UBIGINT) AS hk FROM passed WHERE names IS NOT NULL`,
    );
  }
  const [{ suspects }] = (await db.rows<{ suspects: bigint }>(
    'SELECT count(*) AS suspects FROM suspect',
  )) as [{ suspects: bigint }];
  const which = Number(suspects) === 0 ? 'false' : `${keyHash(contract)} IN (SELECT hk FROM suspect)`;
  await db.run(
    `CREATE TABLE suspect_row AS SELECT ${columns.map(DUCKDB.quote).join(', ')}, file_row_number AS ${AT} FROM ${file.numbered(from)} WHERE ${which}`,
  );
}

/** The hours in which keys ended for good, where these are so many that somebody may want to know. */
async function keysGone(
  db: Database,
  screening: Screening,
  file: NumberedFile,
  { rows, keys, gone }: Passed,
): Promise<void> {
  await db.run('CREATE TABLE screened (gone TIMESTAMP, keys BIGINT)');
  if (gone + 1 < MASS_CLOSE * keys) return;
  const hours = (await split(db, file, STRETCH)).map(
    (stretch) =>
      `SELECT before_t AS ended FROM (${judgedSql({ ...screening, repeats: false }, file, stretch, 0)})
       WHERE is_first AND place >= ${stretch.first} AND place < ${stretch.end}`,
  );
  const last = `SELECT t FROM (${judgedSql(screening, file, { first: rows - 1, end: rows }, 0)}) WHERE place = ${rows - 1}`;
  await db.run(`INSERT INTO screened SELECT time_bucket(INTERVAL 1 hour, ended) AS gone, count(*)
    FROM (${[...hours, last].join(' UNION ALL ')}) ends WHERE ended IS NOT NULL AND isfinite(ended) GROUP BY 1`);
}

/** The counts, with what suspects have counted as the other screen counts it. */
async function corrected(
  db: Database,
  { contract }: Screening,
  file: NumberedFile,
  passed: Passed,
): Promise<Screened> {
  const t = closedAt(contract);
  const [own] = await db.rows<Record<'suspects' | 'open' | 'manyOpen' | 'seen' | 'seenLater', bigint>>(
    `WITH own AS (SELECT ${keyHash(contract)} AS hk, (${t}) IS NULL AS is_open, ${DUCKDB.quote(contract.columns.validTo!.name)} AS raw, ${AT} AS place,
         min(${AT}) OVER (PARTITION BY ${keyHash(contract)}) AS first_place FROM suspect_row),
       seen AS (SELECT *, ${readsRaw(contract, file) ? 'raw IS NULL' : 'is_open'} AS seen_open FROM own),
       by_key AS (SELECT count(*) AS n, count_if(is_open) AS opens, count_if(seen_open) AS seen, count_if(seen_open AND place > first_place) AS later FROM seen GROUP BY hk)
     SELECT count(*) AS suspects, coalesce(sum(opens), 0)::BIGINT AS open, count_if(n > 1 AND opens > 0)::BIGINT AS manyOpen,
       coalesce(sum(seen), 0)::BIGINT AS seen, coalesce(sum(later), 0)::BIGINT AS seenLater FROM by_key`,
  );
  const of = (name: keyof NonNullable<typeof own>) => Number(own![name]);
  return {
    rows: passed.rows,
    keys: passed.keys,
    open: passed.open - of('seen') + of('open'),
    many: passed.many,
    manyOpen: passed.laterOpen - of('seenLater') + of('manyOpen'),
    suspects: of('suspects'),
  };
}
