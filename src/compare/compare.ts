import { DUCKDB } from '../audit/dialect.ts';
import { versionSql } from '../audit/version.ts';
import type { Column } from '../contract/columns.ts';
import { FOREVER, formatInstant } from '../contract/instant.ts';
import type { Database } from '../duckdb/connection.ts';
import type { Aligned, Side } from './align.ts';
import type { ComparedTable, CompareReport, Difference, DifferenceKind } from './report.ts';

/**
 * Two tables compared as histories: what holds of each key at each instant. How rows are cut does not count (two versions that say the same
 * and touch are one), nor do surrogate keys, flags or the order of rows. Rows that cover no time, marker rows and rows without a start say
 * nothing, and are left aside.
 *
 * Keys whose rows are the same, one by one, are done with; the time of the others is cut at every bound of either table, and each stretch
 * compared by what holds in it.
 */
export async function compareTables(
  db: Database,
  { sides, notes }: Aligned,
  options: { readonly examples: number; readonly version: string },
): Promise<CompareReport> {
  const [old, next] = sides;
  const tables: ComparedTable[] = [];
  for (const [index, side] of sides.entries()) {
    await db.run(`CREATE TABLE history_${index} AS ${historySql(side)}`);
    const [row] = await db.rows<{ rows: bigint; keys: bigint }>(
      `SELECT count(*) AS "rows", count(DISTINCT key) AS keys FROM history_${index}`,
    );
    tables.push({ name: side.table.name, rows: Number(row!.rows), keys: Number(row!.keys) });
  }
  await db.run(SUSPECTS);
  await db.run(STRETCHES);
  const keys = await countKeys(db);
  const kinds = await db.rows<{ kind: DifferenceKind; stretches: bigint; keys: bigint }>(
    'SELECT kind, count(*) AS stretches, count(DISTINCT key) AS keys FROM difference GROUP BY kind ORDER BY stretches DESC, kind',
  );
  return {
    schema: 1,
    tool: { name: 'scd2check', version: options.version },
    old: tables[0]!,
    new: tables[1]!,
    attributes: old.contract.columns.tracked.map(({ name }) => name),
    notes: [...notes, ...(await asideNotes(db, [old, next]))],
    verdict: kinds.length === 0 ? 'same' : 'different',
    keys,
    kinds: kinds.map((one) => ({ ...one, stretches: Number(one.stretches), keys: Number(one.keys) })),
    differences: await readDifferences(db, old.contract.columns, options.examples),
  };
}

function shownColumns({ contract: { columns } }: Side): readonly Column[] {
  return [...columns.key, ...columns.tracked];
}

function historySql(side: Side): string {
  const shown = shownColumns(side);
  const texts = (from: number, to: number) =>
    `[${shown
      .slice(from, to)
      .map((_, index) => `CAST(c${from + index} AS VARCHAR)`)
      .join(', ')}]::VARCHAR[]`;
  const keys = side.contract.columns.key.length;
  return `SELECT key, state, valid_from, coalesce(valid_to, ${FOREVER}) AS valid_to, ${texts(0, keys)} AS key_values, ${texts(keys, shown.length)} AS attributes
    FROM (${versionSql(side.contract, side.table.from, DUCKDB, 'true', shown)})
    WHERE NOT is_deleted AND key IS NOT NULL AND valid_from IS NOT NULL AND valid_from < coalesce(valid_to, ${FOREVER})`;
}

/** Keys with a row that the other table does not have just so. */
const SUSPECTS = `CREATE TABLE suspect AS
  WITH plain_0 AS (SELECT key, state, valid_from, valid_to FROM history_0), plain_1 AS (SELECT key, state, valid_from, valid_to FROM history_1)
  SELECT DISTINCT key FROM ((FROM plain_0 EXCEPT ALL FROM plain_1) UNION ALL (FROM plain_1 EXCEPT ALL FROM plain_0))`;

/** Stretches in which other versions hold, neighbours that differ in the same way as one. */
const STRETCHES = `CREATE TABLE difference AS
  WITH version AS (
    SELECT 0 AS side, * FROM history_0 SEMI JOIN suspect USING (key) UNION ALL SELECT 1, * FROM history_1 SEMI JOIN suspect USING (key)),
  bound AS (SELECT key, valid_from AS instant FROM version UNION SELECT key, valid_to FROM version),
  stretch AS (SELECT key, instant AS starts, lead(instant) OVER (PARTITION BY key ORDER BY instant) AS ends FROM bound QUALIFY ends IS NOT NULL),
  held AS (
    SELECT s.key, s.starts, s.ends,
      coalesce(list_sort(list(v.state) FILTER (v.side = 0)), []) AS old_states, coalesce(list_sort(list(v.state) FILTER (v.side = 1)), []) AS new_states,
      coalesce(list_sort(list(v.attributes) FILTER (v.side = 0)), []) AS old, coalesce(list_sort(list(v.attributes) FILTER (v.side = 1)), []) AS new
    FROM stretch s JOIN version v ON v.key = s.key AND v.valid_from < s.ends AND s.starts < v.valid_to
    GROUP BY s.key, s.starts, s.ends HAVING old_states <> new_states),
  begun AS (SELECT *, starts IS DISTINCT FROM lag(ends) OVER of_key OR old_states <> lag(old_states) OVER of_key OR new_states <> lag(new_states) OVER of_key AS begins
    FROM held WINDOW of_key AS (PARTITION BY key ORDER BY starts)),
  numbered AS (SELECT *, count_if(begins) OVER (PARTITION BY key ORDER BY starts) AS run FROM begun)
  SELECT key, min(starts) AS starts, max(ends) AS ends, any_value(old) AS old, any_value(new) AS new,
    CASE WHEN greatest(len(any_value(old_states)), len(any_value(new_states))) > 1 THEN 'several' WHEN len(any_value(new_states)) = 0 THEN 'gone'
      WHEN len(any_value(old_states)) = 0 THEN 'added' ELSE 'value' END AS kind
  FROM numbered GROUP BY key, run`;

async function countKeys(db: Database): Promise<CompareReport['keys']> {
  const [row] = await db.rows<Record<'both' | 'different' | 'only_old' | 'only_new', bigint>>(
    `WITH side AS (SELECT key, bool_or(side = 0) AS old, bool_or(side = 1) AS new FROM
       (SELECT 0 AS side, key FROM history_0 UNION ALL SELECT 1, key FROM history_1) GROUP BY key)
     SELECT count_if(old AND new) AS both, count_if(old AND NOT new) AS only_old, count_if(new AND NOT old) AS only_new,
       count_if(old AND new AND key IN (SELECT key FROM difference)) AS different FROM side`,
  );
  const { both, different, only_old, only_new } = row!;
  return {
    same: Number(both - different),
    different: Number(different),
    onlyOld: Number(only_old),
    onlyNew: Number(only_new),
  };
}

/** Rows that say nothing of any instant. */
async function asideNotes(db: Database, sides: readonly Side[]): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const [index, side] of sides.entries()) {
    const [row] = await db.rows<{ aside: bigint }>(
      `SELECT (SELECT count(*) FROM ${side.table.from}) - (SELECT count(*) FROM history_${index}) AS aside`,
    );
    if (row!.aside > 0n)
      notes.push(
        `${row!.aside} rows of \`${side.table.name}\` are left aside: they have no key or no start, cover no time, or mark a deletion. \`scd2check audit\` looks at them.`,
      );
  }
  return notes;
}

type Values = readonly (string | null)[];

interface DifferenceRow {
  readonly kind: DifferenceKind;
  readonly starts: bigint;
  readonly ends: bigint;
  /** The key's values, and the attributes of each version in either table: lists, as JSON. */
  readonly key_values: string;
  readonly old: string;
  readonly new: string;
}

async function readDifferences(
  db: Database,
  { key, tracked }: Side['contract']['columns'],
  examples: number,
): Promise<readonly Difference[]> {
  // Of each kind the first so many, so that a rare kind is not lost among the others.
  const rows = await db.rows<DifferenceRow>(
    `SELECT d.kind, d.starts, d.ends, to_json(k.key_values)::VARCHAR AS key_values, to_json(d.old)::VARCHAR AS old, to_json(d.new)::VARCHAR AS new FROM difference d
     JOIN (SELECT key, any_value(key_values) AS key_values FROM (FROM history_0 UNION ALL FROM history_1) GROUP BY key) k USING (key)
     QUALIFY row_number() OVER (PARTITION BY d.kind ORDER BY d.key, d.starts) <= ${examples}
     ORDER BY d.key, d.starts`,
  );
  const named = (columns: readonly Column[], values: Values) =>
    Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null]));
  const versions = (json: string) =>
    (JSON.parse(json) as readonly Values[]).map((values) => named(tracked, values));
  return rows.map((row) => ({
    kind: row.kind,
    key: named(key, JSON.parse(row.key_values) as Values),
    from: instantText(row.starts),
    to: instantText(row.ends),
    old: versions(row.old),
    new: versions(row.new),
  }));
}

/** Null for what is infinitely far in either direction. */
function instantText(micros: bigint): string | null {
  return micros === FOREVER || micros === -FOREVER ? null : formatInstant(micros);
}
