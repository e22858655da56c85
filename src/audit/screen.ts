import { type Contract, grainMicros } from '../contract/contract.ts';
import type { Database } from '../duckdb/connection.ts';
import { DUCKDB } from './dialect.ts';
import { flag, folded, isMarked, isOpen } from './version.ts';

/**
 * One pass over the table that finds the keys which may be wrong, so that only these are sorted and looked at closely.
 *
 * A key's versions form a chain without gap or overlap exactly if each is of positive length, at most one is open, and the multiset of
 * starts without the first equals the multiset of ends without the last. (The smallest end needs a version that starts before it, of which
 * there is one; so it is the second start; and so on.) Multisets are compared by sums of hashes, so that a `GROUP BY` is enough.
 *
 * That two versions which touch have equal attributes cannot be seen from any sum: it asks whether two sets, (start, state) and
 * (end, state), meet, and a summary that always tells has to be as long as the sets. Where that is asked, each row is put beside the next
 * one of its key after all, by a window over hashes alone: half the bytes of the columns themselves, and numbers to sort by.
 *
 * What is suspected is confirmed by its real key and real values. What is cleared, is cleared by 63-bit sums, or by a window over keys that
 * are 64-bit hashes: a wrong key is overlooked once in about 10^19.
 */
export interface Screening {
  readonly contract: Contract;
  /** The table, or the part of its keys that is in scope; after FROM. */
  readonly from: string;
  /** Conditions on rows that leave out whole keys. */
  readonly where: string;
  /** Whether a pass over repeated states is wanted. */
  readonly repeats: boolean;
}

export interface Screened {
  readonly rows: number;
  readonly keys: number;
  readonly open: number;
  /** Keys of more than one version. */
  readonly many: number;
  /** Keys of more than one version of which one is open. */
  readonly manyOpen: number;
  readonly suspects: number;
}

/** The hash by which a key is known in the screen. */
export function keyHash({ columns, keyCompare }: Contract): string {
  return `hash(${columns.key.map((column) => folded(column, keyCompare, DUCKDB)).join(', ')})`;
}

/** Rows whose key is whole. */
export function hasKey({ columns, keyCompare, nullKey }: Contract): string {
  if (nullKey === 'value') return 'true';
  return columns.key.map((column) => `${folded(column, keyCompare, DUCKDB)} IS NOT NULL`).join(' AND ');
}

/** What makes a row wrong by itself: also a flag that differs from the end, a marker row, and a NULL that is not the open marker. */
const BAD = 'f IS NULL OR t <= f OR coalesce(flag <> (t IS NULL), true) OR marked OR unended';

/** The pass of `screen`: a row for each suspected key, and what the others come to. */
export function screenSql(screening: Screening): string {
  return isBeside(screening) ? besideSql(screening) : sumsSql(screening);
}

function isBeside({ contract, repeats }: Screening): boolean {
  return repeats && contract.columns.validTo !== null;
}

export function stateHash({ columns, compare }: Contract): string {
  return `hash(${columns.tracked.map((column) => folded(column, compare, DUCKDB)).join(', ')})`;
}

/** Each row beside the next of its key; no count depends on the order of rows that start together. Counts are those of sound keys; those of suspects are corrected when their rows are at hand. */
function besideSql({ contract, from, where }: Screening): string {
  const { start, to, flagged, marked, unended } = readAs(contract);
  return `WITH read AS (
      SELECT ${keyHash(contract)} AS hk, ${start} AS f, ${to} AS t, (${stateHash(contract)} >> 32)::UINTEGER AS sh,
        ${flagged} AS flag, ${marked} AS marked, ${unended} AS unended
      FROM ${from} WHERE ${hasKey(contract)} AND ${where}),
    beside AS (
      SELECT *, lead(f) OVER w AS next_f, lead(sh) OVER w AS next_sh, row_number() OVER w AS place
      FROM (SELECT hk, f, t, sh, coalesce(${BAD}, false) AS bad FROM read)
      WINDOW w AS (PARTITION BY hk ORDER BY f))
    SELECT CASE WHEN bad OR (next_f IS NOT NULL AND (t IS DISTINCT FROM next_f OR sh = next_sh)) THEN hk END AS hk,
      count(*) AS rows, count_if(next_f IS NULL) AS keys, count_if(t IS NULL) AS open, count_if(place = 2) AS many,
      count_if(t IS NULL AND NOT (place = 1 AND next_f IS NULL)) AS many_open, count_if(next_f IS NULL AND t IS NOT NULL) AS gone
    FROM beside GROUP BY 1`;
}

/** Keys by sums, with the hour in which each ended for good. */
function sumsSql({ contract, from, where }: Screening): string {
  const { start, to, flagged, marked, unended } = readAs(contract);
  const doubts = [
    'bad',
    'n - closed > 1',
    'chain IS DISTINCT FROM (hash(first) >> 1)::BIGINT - CASE WHEN n = closed THEN (hash(last) >> 1)::BIGINT ELSE 0 END',
  ];
  const doubt = contract.columns.validTo === null ? 'n > 1 OR bad' : doubts.join(' OR ');
  return `WITH read AS (
      SELECT ${keyHash(contract)} AS hk, ${start} AS f, ${to} AS t, ${flagged} AS flag, ${marked} AS marked, ${unended} AS unended
      FROM ${from} WHERE ${hasKey(contract)} AND ${where}),
    hashed AS (
      SELECT hk, f, t, (hash(f) >> 1)::BIGINT AS hf, (hash(t) >> 1)::BIGINT AS ht, ${BAD} AS is_bad FROM read),
    by_key AS (
      SELECT hk, count(*) AS n, count(t) AS closed, min(f) AS first, max(t) AS last, bool_or(is_bad) AS bad,
        sum(hf - CASE WHEN t IS NULL THEN 0 ELSE ht END) AS chain
      FROM hashed GROUP BY hk),
    judged AS (SELECT * REPLACE (CASE WHEN ${doubt} THEN hk END AS hk) FROM by_key)
    SELECT hk, CASE WHEN closed = n AND isfinite(last) THEN time_bucket(INTERVAL 1 hour, last) END AS gone,
      sum(n)::BIGINT AS rows, count(*) AS keys, sum(n - closed)::BIGINT AS open, count_if(n > 1)::BIGINT AS many, count_if(n > 1 AND n > closed)::BIGINT AS many_open
    FROM judged GROUP BY ALL`;
}

/** What the screens read of a row: instants, the flag as a boolean, and whether it is a marker or an end that is NULL or infinite by mistake. */
export function readAs(contract: Contract) {
  const { columns, openMarker } = contract;
  const { validTo } = columns;
  const isForeignNull = validTo !== null && openMarker !== 'null';
  return {
    start: instant(columns.validFrom.name),
    to: validTo === null ? 'NULL::TIMESTAMP' : closedAt(contract),
    flagged: columns.isCurrent === null ? 't IS NULL' : isBooleanFlag(contract),
    marked: isMarked(contract, DUCKDB),
    unended: isForeignNull
      ? `(${DUCKDB.quote(validTo.name)} IS NULL OR NOT isfinite(${DUCKDB.quote(validTo.name)}))`
      : 'false',
  };
}

/**
 * A column as TIMESTAMP, in UTC; NULL where it is infinite. A cast would ask the calendar for each row that has a zone, which takes longer than
 * all the rest.
 */
function instant(column: string): string {
  return `make_timestamp(epoch_us(${DUCKDB.quote(column)}))`;
}

export function closedAt(contract: Contract): string {
  const to = instant(contract.columns.validTo!.name);
  const exclusive =
    contract.end === 'inclusive' ? `${to} + to_microseconds(${grainMicros(contract.grain)})` : to;
  return `CASE WHEN ${isOpen(contract, DUCKDB)} THEN NULL ELSE ${exclusive} END`;
}

function isBooleanFlag({ columns }: Contract): string {
  const column = columns.isCurrent!;
  return column.type === 'boolean' ? DUCKDB.quote(column.name) : flag(column, DUCKDB);
}

/** A load that closes more than this share of all keys is worth a notice. */
export const MASS_CLOSE = 0.2;

const COUNTS = ['rows', 'keys', 'open', 'many', 'many_open'] as const;
type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

/**
 * Runs the screen; leaves tables `screened` (with the hours in which keys ended for good), `suspect (hk)`, and `suspect_row` with the rows of
 * suspected keys as they are in the table. So the table is read twice, however many kinds of suspicion there are.
 * @param everything every key is a suspect, and nothing is screened out
 */
export async function screen(db: Database, screening: Screening, everything: boolean): Promise<Screened> {
  const beside = isBeside(screening) && !everything;
  await db.run(`CREATE TABLE screened AS ${beside ? besideSql(screening) : sumsSql(screening)}`);
  await db.run('CREATE TABLE suspect AS SELECT DISTINCT hk FROM screened WHERE hk IS NOT NULL');
  const counts = await countsOf(db, 'screened');
  const [{ suspects }] = (await db.rows<{ suspects: bigint }>(
    'SELECT count(*) AS suspects FROM suspect',
  )) as [{ suspects: bigint }];
  await readSuspects(db, screening, everything, Number(suspects));
  const right = beside ? await correctedCounts(db, screening, counts) : counts;
  if (beside) await hoursGone(db, screening, right.keys);
  return {
    rows: right.rows,
    keys: right.keys,
    open: right.open,
    many: right.many,
    manyOpen: right.many_open,
    suspects: Number(suspects),
  };
}

async function readSuspects(
  db: Database,
  { contract, from, where }: Screening,
  everything: boolean,
  suspects: number,
): Promise<void> {
  const which = everything ? 'true' : `${keyHash(contract)} IN (SELECT hk FROM suspect)`;
  const columns = neededColumns(contract).map(DUCKDB.quote).join(', ');
  const none = !everything && suspects === 0;
  await db.run(
    `CREATE TABLE suspect_row AS SELECT ${columns} FROM ${from} WHERE ${none ? 'false' : `${hasKey(contract)} AND ${where} AND ${which}`}`,
  );
}

async function countsOf(db: Database, from: string): Promise<Counts> {
  const [total] = await db.rows<Record<string, bigint>>(
    `SELECT ${COUNTS.map((name) => `coalesce(sum(${name}), 0)::BIGINT AS ${name}`).join(', ')} FROM ${from}`,
  );
  return Object.fromEntries(COUNTS.map((name) => [name, Number(total![name])])) as unknown as Counts;
}

/** Rows beside each other count a sound key right; suspects are counted again, by what they are. */
async function correctedCounts(db: Database, screening: Screening, counts: Counts): Promise<Counts> {
  const own: Screening = { ...screening, from: 'suspect_row', where: 'true' };
  const [seen, real] = [await countsOf(db, `(${besideSql(own)})`), await countsOf(db, `(${sumsSql(own)})`)];
  return Object.fromEntries(
    COUNTS.map((name) => [name, counts[name] - seen[name] + real[name]]),
  ) as unknown as Counts;
}

/** The hours in which keys ended for good, where these are so many that somebody may want to know. */
async function hoursGone(db: Database, screening: Screening, keys: number): Promise<void> {
  const [{ gone }] = (await db.rows<{ gone: bigint }>(
    'SELECT coalesce(sum(gone), 0)::BIGINT AS gone FROM screened',
  )) as [{ gone: bigint }];
  const hours =
    Number(gone) < MASS_CLOSE * keys
      ? 'SELECT NULL::TIMESTAMP AS gone, 0::BIGINT AS keys WHERE false'
      : `SELECT gone, keys FROM (${sumsSql(screening)}) WHERE gone IS NOT NULL`;
  await db.run(`CREATE OR REPLACE TABLE screened AS ${hours}`);
}

/** Every column that a check or a finding may need. */
export function neededColumns({ columns }: Contract): readonly string[] {
  const { key, tracked, validFrom, validTo, isCurrent, isDeleted, hash, surrogateKey } = columns;
  const all = [...key, ...tracked, validFrom, validTo, isCurrent, isDeleted, hash, surrogateKey];
  return [...new Set(all.filter((column) => column !== null).map(({ name }) => name))];
}
