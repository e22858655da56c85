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
 * (end, state), meet, and a summary that always tells has to be as long as the sets. So each pair sets one bit of two masks of 64. Where
 * one of them has as many bits as there are pairs, no two pairs are equal; else the key is suspected. With four versions a key that
 * suspects about 8 % for nothing, which a window over hashes then clears; with more than a dozen it would suspect nearly all, and that
 * window is run over the whole table.
 *
 * What is suspected is confirmed by its real key and real values. What is cleared, is cleared by 63-bit sums: a wrong key is overlooked
 * once in about 10^19.
 */
export interface Screening {
  readonly contract: Contract;
  /** The table, or the part of its keys that is in scope; after FROM. */
  readonly from: string;
  /** Conditions on rows that leave out whole keys. */
  readonly where: string;
  /** Whether a pass over repeated states is wanted. */
  readonly repeats: boolean;
  readonly hashes: boolean;
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

/** SQL that returns a row for each suspected key, and the others summed up by the hour in which their last version ended. */
export function screenSql(screening: Screening): string {
  const { contract, from, where, hashes } = screening;
  const masks = screening.repeats;
  const q = DUCKDB.quote;
  const { columns } = contract;
  const { start, to, flagged, marked, unended } = readAs(contract);
  const states =
    masks || hashes
      ? `(hash(${columns.tracked.map((column) => folded(column, contract.compare, DUCKDB)).join(', ')}) >> 1)::BIGINT`
      : 'NULL';
  const bad = [
    'f IS NULL',
    't <= f',
    // A flag that differs from the end, a marker row, and a NULL that is not the open marker.
    'coalesce(flag <> (t IS NULL), true)',
    'marked',
    'unended',
  ];
  const bit = (shift: number) => (hash: string) =>
    `(1::UBIGINT << ((xor(${hash}, sh) >> ${shift}) & 63)::UBIGINT)`;
  const mask = (shift: number) =>
    `bit_or(${bit(shift)('hf')} | CASE WHEN t IS NULL THEN 0::UBIGINT ELSE ${bit(shift)('ht')} END)`;
  const distinct = (hash: string) => `bit_or(1::UBIGINT << (${hash} & 63)::UBIGINT)`;
  const doubts = [
    'bad',
    'n - closed > 1',
    'chain IS DISTINCT FROM (hash(first) >> 1)::BIGINT - CASE WHEN n = closed THEN (hash(last) >> 1)::BIGINT ELSE 0 END',
    ...(hashes ? ['bit_count(ms) <> n', 'bit_count(mh) <> n'] : []),
  ];
  const doubt = columns.validTo === null ? 'n > 1 OR bad' : doubts.join(' OR ');
  const repeat = masks ? '(bit_count(m1) <> n + closed AND bit_count(m2) <> n + closed)' : 'false';
  return `WITH read AS (
      SELECT ${keyHash(contract)} AS hk, ${start} AS f, ${to} AS t, ${states} AS sh,
        ${hashes ? `hash(CAST(${q(columns.hash!.name)} AS VARCHAR))` : 'NULL'} AS hh,
        ${flagged} AS flag, ${marked} AS marked, ${unended} AS unended
      FROM ${from} WHERE ${hasKey(contract)} AND ${where}),
    hashed AS (
      SELECT hk, f, t, sh, hh, (hash(f) >> 1)::BIGINT AS hf, (hash(t) >> 1)::BIGINT AS ht, ${bad.join(' OR ')} AS is_bad FROM read),
    by_key AS (
      SELECT hk, count(*) AS n, count(t) AS closed, min(f) AS first, max(t) AS last, bool_or(is_bad) AS bad,
        sum(hf - CASE WHEN t IS NULL THEN 0 ELSE ht END) AS chain
        ${masks ? `, ${mask(0)} AS m1, ${mask(20)} AS m2` : ''}
        ${hashes ? `, ${distinct('xor(sh, sh >> 7)')} AS ms, ${distinct('hh')} AS mh` : ''}
      FROM hashed GROUP BY hk),
    judged AS (
      SELECT *, CASE WHEN ${doubt} THEN 'chain' WHEN ${repeat} THEN 'repeat' END AS doubt FROM by_key)
    SELECT doubt, CASE WHEN doubt IS NOT NULL THEN hk END AS hk, CASE WHEN closed = n AND isfinite(last) THEN time_bucket(INTERVAL 1 hour, last) END AS gone,
      sum(n)::BIGINT AS rows, count(*) AS keys, sum(n - closed)::BIGINT AS open, count_if(n > 1)::BIGINT AS many, count_if(n > 1 AND n > closed)::BIGINT AS many_open
    FROM judged GROUP BY ALL`;
}

/** What the screens read of a row: instants, the flag as a boolean, and whether it is a marker or an end that is NULL by mistake. */
export function readAs(contract: Contract) {
  const { columns, openMarker } = contract;
  const { validTo } = columns;
  const isForeignNull = validTo !== null && openMarker !== 'null';
  return {
    start: `CAST(${DUCKDB.quote(columns.validFrom.name)} AS TIMESTAMP)`,
    to: validTo === null ? 'NULL::TIMESTAMP' : closedAt(contract),
    flagged: columns.isCurrent === null ? 't IS NULL' : isBooleanFlag(contract),
    marked: isMarked(contract, DUCKDB),
    unended: isForeignNull ? `${DUCKDB.quote(validTo.name)} IS NULL` : 'false',
  };
}

export function closedAt(contract: Contract): string {
  const to = `CAST(${DUCKDB.quote(contract.columns.validTo!.name)} AS TIMESTAMP)`;
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

/** More suspects of repeats than this share of all keys, and masks are of no use: the window is run over the whole table. */
const MASKS_FAIL = 0.3;

/**
 * Runs the screen; leaves tables `screened`, `suspect (hk)`, and `suspect_row` with the rows of suspected keys as they are in the table. So the
 * table is read twice, however many kinds of suspicion there are.
 * @param everything every key is a suspect, and nothing is screened out
 */
export async function screen(db: Database, screening: Screening, everything: boolean): Promise<Screened> {
  const { contract, from, where } = screening;
  await db.run(`CREATE TABLE screened AS ${screenSql(screening)}`);
  await db.run(`CREATE TABLE suspect AS SELECT hk FROM screened WHERE doubt = 'chain'`);
  const [total] = await db.rows<Record<string, number | bigint>>(
    `SELECT coalesce(sum(rows), 0)::BIGINT AS rows, coalesce(sum(keys), 0)::BIGINT AS keys, coalesce(sum(open), 0)::BIGINT AS open,
       coalesce(sum(many), 0)::BIGINT AS many, coalesce(sum(many_open), 0)::BIGINT AS many_open,
       count_if(doubt = 'repeat') AS repeats, count(doubt) AS doubts FROM screened`,
  );
  const of = (name: string) => Number(total![name]);
  const hopeless = of('repeats') > MASKS_FAIL * of('keys') && contract.columns.validTo !== null;
  if (hopeless && !everything)
    await db.run(
      `INSERT INTO suspect ${repeatSql(screening, `(FROM ${from} WHERE ${hasKey(contract)} AND ${where})`)}`,
    );
  const which = hopeless ? 'suspect' : 'screened';
  const suspected = everything
    ? 'true'
    : `${keyHash(contract)} IN (SELECT hk FROM ${which} WHERE hk IS NOT NULL)`;
  const none = !everything && of('doubts') === 0;
  await db.run(
    `CREATE TABLE suspect_row AS SELECT ${neededColumns(contract).map(DUCKDB.quote).join(', ')} FROM ${from} WHERE ${none ? 'false' : `${hasKey(contract)} AND ${where} AND ${suspected}`}`,
  );
  if (!hopeless && !everything && of('repeats') > 0) {
    await db.run(`INSERT INTO suspect ${repeatSql(screening, 'suspect_row')}`);
  }
  const [{ suspects }] = (await db.rows<{ suspects: bigint }>(
    'SELECT count(DISTINCT hk) AS suspects FROM suspect',
  )) as [{ suspects: bigint }];
  return {
    rows: of('rows'),
    keys: of('keys'),
    open: of('open'),
    many: of('many'),
    manyOpen: of('many_open'),
    suspects: Number(suspects),
  };
}

/** Every column that a check or a finding may need. */
export function neededColumns({ columns }: Contract): readonly string[] {
  const { key, tracked, validFrom, validTo, isCurrent, isDeleted, hash, surrogateKey } = columns;
  const all = [...key, ...tracked, validFrom, validTo, isCurrent, isDeleted, hash, surrogateKey];
  return [...new Set(all.filter((column) => column !== null).map(({ name }) => name))];
}

/** Keys with equal neighbours, by a window over hashes alone. */
function repeatSql({ contract }: Screening, rows: string): string {
  const { columns } = contract;
  const state = `hash(${columns.tracked.map((column) => folded(column, contract.compare, DUCKDB)).join(', ')})`;
  return `SELECT DISTINCT hk FROM (
      SELECT hk, t, sh, lead(f) OVER w AS next_f, lead(sh) OVER w AS next_sh FROM (
        SELECT ${keyHash(contract)} AS hk, CAST(${DUCKDB.quote(columns.validFrom.name)} AS TIMESTAMP) AS f, ${closedAt(contract)} AS t, ${state} AS sh
        FROM ${rows})
      WINDOW w AS (PARTITION BY hk ORDER BY f))
    WHERE t = next_f AND sh = next_sh`;
}
