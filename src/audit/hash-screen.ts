import type { Database } from '../duckdb/connection.ts';
import { DUCKDB } from './dialect.ts';
import { hasKey, keyHash, neededColumns, type Screening, stateHash } from './screen.ts';

/**
 * Keys in which equal hashes may not mean equal attributes, for tables with a hash column.
 *
 * A hash is usually made of the tracked attributes alone. Then each state has one hash and each hash one state in the whole table, and
 * all keys are cleared by a `GROUP BY` over states, of which there are fewer than rows. Keys that have a state or a hash for which that is
 * not so are suspects. Where it is so of hardly any, because the hash is made of the key or an instant too, each key has to be looked at:
 * a key is cleared then if all its states and all its hashes differ, which two masks of 64 bits show.
 */

/** With a larger share of ambiguous pairs than this, a hash is not made of the attributes alone. */
const OWN = 0.1;

/** Adds to `suspect` and `suspect_row`; @returns how many keys were added */
export async function addHashSuspects(db: Database, screening: Screening): Promise<number> {
  const { contract, from, where } = screening;
  const read = `(SELECT ${keyHash(contract)} AS hk, ${stateHash(contract)} AS sh, hash(coalesce(CAST(${DUCKDB.quote(contract.columns.hash!.name)} AS VARCHAR), '')) AS hh
    FROM ${from} WHERE ${hasKey(contract)} AND ${where})`;
  await db.run(`CREATE TABLE hash_pair AS SELECT sh, hh FROM ${read} GROUP BY ALL`);
  const repeated = (column: string) =>
    `(SELECT ${column} FROM hash_pair GROUP BY ${column} HAVING count(*) > 1)`;
  await db.run(
    `CREATE TABLE ambiguous AS SELECT sh, hh FROM hash_pair WHERE sh IN ${repeated('sh')} OR hh IN ${repeated('hh')}`,
  );
  const [count] = await db.rows<{ pairs: bigint; ambiguous: bigint }>(
    'SELECT (SELECT count(*) FROM hash_pair) AS pairs, (SELECT count(*) FROM ambiguous) AS ambiguous',
  );
  const ambiguous = Number(count!.ambiguous);
  const suspected =
    ambiguous > OWN * Number(count!.pairs)
      ? `SELECT hk FROM ${read} GROUP BY hk
         HAVING bit_count(bit_or(1::UBIGINT << (sh & 63))) <> count(*) OR bit_count(bit_or(1::UBIGINT << (hh & 63))) <> count(*)`
      : `SELECT hk FROM ${read} WHERE sh IN (SELECT sh FROM ambiguous) OR hh IN (SELECT hh FROM ambiguous)`;
  if (ambiguous > 0)
    await db.run(
      `CREATE TABLE hash_suspect AS SELECT DISTINCT hk FROM (${suspected}) WHERE hk NOT IN (SELECT hk FROM suspect)`,
    );
  await db.run('DROP TABLE hash_pair; DROP TABLE ambiguous');
  if (ambiguous === 0) return 0;
  const columns = neededColumns(contract).map(DUCKDB.quote).join(', ');
  await db.run(`INSERT INTO suspect_row BY NAME SELECT ${columns} FROM ${from}
    WHERE ${hasKey(contract)} AND ${where} AND ${keyHash(contract)} IN (SELECT hk FROM hash_suspect)`);
  await db.run('INSERT INTO suspect SELECT hk FROM hash_suspect');
  const [added] = await db.rows<{ keys: bigint }>('SELECT count(*) AS keys FROM hash_suspect');
  await db.run('DROP TABLE hash_suspect');
  return Number(added!.keys);
}
