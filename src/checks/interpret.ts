import { type Column, firstStartColumn } from '../contract/columns.ts';
import { type Contract, type Folding, grainMicros } from '../contract/contract.ts';
import { FOREVER, parseInstant } from '../contract/instant.ts';
import { besideColumns, hasCurrentTable, hasVersions } from '../contract/types.ts';
import type { Database } from '../duckdb/connection.ts';
import { flagValue, plainFlagValue } from './flag.ts';

/**
 * Makes the canonical relations from the values, as a contract with the same columns reads them. Those of an earlier contract go.
 *
 * They are what the oracle and every check are written over. A feed is known by its position in the group that is
 * judged together, a batch and the dimension after it by the batch's position; all instants are BIGINT microseconds.
 *
 * - `load (feed, batch, as_of, rows)`: one row a batch that was sent.
 * - `delivered (feed, batch, pos, key, null_key, instant, is_delete, state, extra, seq, part, first_start)`: the rows of batches.
 * - `version (feed, step, row, key, null_key, state, extra, valid_from, valid_to, is_open, is_current, is_deleted, hash, surrogate,
 *   raw_from, raw_to, beside)`: the versions of the dimension after each batch; `valid_to` normalised to exclusive, NULL where open. With
 *   types 1 and 3 there are none, with type 4 they are those of the history table.
 * - `current_row`, of the same columns: the rows of a table that is overwritten, with NULL for what it has not (types 1, 3 and 4).
 * - `dimension_row`, of the same columns: all rows of both.
 * - `step (feed, step)`: the batches after which the dimension was read.
 *
 * `key`, `state` and `extra` are numbers that stand for the key, the tracked and the untracked attributes *as the contract compares
 * them*: two rows have the same number exactly if the contract calls them equal. So a check is plain SQL over integers, whatever the
 * columns are, and an audit can put the columns themselves in their place. `beside` stands so for the previous values of type 3 and the
 * current ones of type 6. The values stay in `delivered_values` and `held_values` (columns k0…, a0…, u0…, b0…), for those who report.
 */
export async function interpretValues(db: Database, contract: Contract): Promise<void> {
  const relations = ['version', 'current_row', 'delivered', 'load'];
  const numbers = ['key_number', 'state_number', 'extra_number', 'beside_number'];
  await db.run('DROP VIEW IF EXISTS dimension_row');
  await db.run([...relations, ...numbers].map((name) => `DROP TABLE IF EXISTS ${name};`).join(' '));
  await numberValues(db, contract);
  await createDelivered(db, contract);
  await createVersion(db, contract);
  await createCurrentRow(db, contract);
}

/** What an open version has for its end; null where that is NULL. */
export function openMarkerMicros({ openMarker }: Contract): bigint | null {
  if (openMarker === 'infinity') return FOREVER;
  return openMarker === 'null' ? null : parseInstant(openMarker);
}

/** The expression that makes two values equal exactly if the contract calls them so. */
export function folded(expression: string, column: Column, foldings: readonly Folding[]): string {
  if (column.type === 'double') return `CASE WHEN ${expression} = 0 THEN 0.0 ELSE ${expression} END`;
  if (column.type !== 'text') return expression;
  let sql = expression;
  if (foldings.includes('trim')) sql = `trim(${sql}, ' ')`;
  if (foldings.includes('case-insensitive')) sql = `lower(${sql})`;
  return foldings.includes('empty-is-null') ? `nullif(${sql}, '')` : sql;
}

interface ValueGroup {
  readonly name: 'key' | 'state' | 'extra' | 'beside';
  readonly columns: readonly Column[];
  readonly prefix: string;
  readonly foldings: readonly Folding[];
}

/** Those of batches and dimension. */
function groups({ columns, compare, keyCompare }: Contract): readonly ValueGroup[] {
  return [
    { name: 'key', columns: columns.key, prefix: 'k', foldings: keyCompare },
    { name: 'state', columns: columns.tracked, prefix: 'a', foldings: compare },
    { name: 'extra', columns: columns.untracked, prefix: 'u', foldings: compare },
  ];
}

/** That of the dimension alone. */
function besideGroup(contract: Contract): readonly ValueGroup[] {
  const columns = besideColumns(contract);
  return columns.length === 0 ? [] : [{ name: 'beside', columns, prefix: 'b', foldings: contract.compare }];
}

/** Tables `key_number`, `state_number`, `extra_number`, `beside_number`: each distinct folded value, numbered. */
async function numberValues(db: Database, contract: Contract): Promise<void> {
  for (const { name, columns, prefix, foldings } of [...groups(contract), ...besideGroup(contract)]) {
    if (columns.length === 0) continue;
    const values = columns
      .map((column, index) => `${folded(`${prefix}${index}`, column, foldings)} AS n${index}`)
      .join(', ');
    await db.run(`CREATE TABLE ${name}_number AS SELECT CAST(row_number() OVER () AS INTEGER) AS number, * FROM (
      ${name === 'beside' ? '' : `SELECT ${values} FROM delivered_values UNION`} SELECT DISTINCT ${values} FROM held_values)`);
  }
}

/** Joins that find the numbers of a row of `source`; NULL equals NULL. */
function numberJoins(valueGroups: readonly ValueGroup[], source: string): string {
  return valueGroups
    .filter(({ columns }) => columns.length > 0)
    .map(({ name, columns, prefix, foldings }) => {
      const same = columns.map(
        (column, index) =>
          `${name}_number.n${index} IS NOT DISTINCT FROM ${folded(`${source}.${prefix}${index}`, column, foldings)}`,
      );
      return `JOIN ${name}_number ON ${same.join(' AND ')}`;
    })
    .join('\n');
}

function extraNumber({ columns }: Contract): string {
  return columns.untracked.length === 0 ? 'CAST(NULL AS INTEGER)' : 'extra_number.number';
}

function nullKey({ columns, keyCompare }: Contract, source: string): string {
  return columns.key
    .map((column, index) => `${folded(`${source}.k${index}`, column, keyCompare)} IS NULL`)
    .join(' OR ');
}

async function createDelivered(db: Database, contract: Contract): Promise<void> {
  const ownInstant = contract.feed === 'changes' || contract.stamp === 'row-time';
  const instant = ownInstant ? 'coalesce(epoch_us(d.changed_at), l.as_of)' : 'l.as_of';
  const deletes = contract.feed !== 'snapshot' && contract.columns.operation !== null;
  const start =
    firstStartColumn(contract.firstStart) === null ? 'CAST(NULL AS BIGINT)' : 'epoch_us(d.first_start)';
  await db.run(
    `CREATE TABLE load AS SELECT feed, batch, ${truncated('as_of', contract)} AS as_of, rows FROM load_values`,
  );
  await db.run(`CREATE TABLE delivered AS
    SELECT d.feed, d.batch, d.pos, key_number.number AS key, ${nullKey(contract, 'd')} AS null_key,
      ${truncated(instant, contract)} AS instant,
      ${deletes ? "coalesce(upper(d.operation) IN ('D', 'DELETE'), false)" : 'false'} AS is_delete,
      state_number.number AS state, ${extraNumber(contract)} AS extra, d.seq, d.part,
      ${truncated(start, contract)} AS first_start
    FROM delivered_values d JOIN load l USING (feed, batch)
    ${numberJoins(groups(contract), 'd')}`);
}

/** An instant in microseconds, cut down to the contract's grain. */
function truncated(expression: string, { grain }: Contract): string {
  const unit = grainMicros(grain);
  return unit === 1n ? expression : `(${expression} - ((${expression} % ${unit}) + ${unit}) % ${unit})`;
}

/** Table `stamp_instant`: which stamps lie within the time of a load, and the instant of its batch. */
async function createStampInstants(db: Database, { grain }: Contract, ends: string): Promise<void> {
  await db.run(`CREATE OR REPLACE TABLE stamp_instant AS
    WITH stamp AS (SELECT feed, step, from_us AS stamp FROM held_values UNION SELECT h.feed, h.step, ${ends} FROM held_values h)
    SELECT s.feed, s.step, s.stamp, max(l.as_of) AS instant
    FROM stamp s JOIN load_window w ON w.feed = s.feed AND w.batch <= s.step
      AND s.stamp BETWEEN w.from_us - w.from_us % ${grainMicros(grain)} AND w.to_us
    JOIN load l ON l.feed = w.feed AND l.batch = w.batch
    GROUP BY ALL`);
}

async function createVersion(db: Database, contract: Contract): Promise<void> {
  const { columns } = contract;
  const marker = openMarkerMicros(contract);
  const isOpen = marker === null ? 'h.to_us IS NULL' : `h.to_us IS NOT DISTINCT FROM ${marker}`;
  const oneGrain = grainMicros(contract.grain);
  const exclusive =
    contract.end === 'inclusive'
      ? `CASE WHEN h.to_us = ${FOREVER} THEN h.to_us ELSE h.to_us + ${oneGrain} END`
      : 'h.to_us';
  // A dimension without an end column: a version ends where the next one of its key starts.
  const derived = columns.validTo === null;
  const isWall = contract.clock === 'wall';
  if (isWall) await createStampInstants(db, contract, exclusive);
  const from = isWall ? 'coalesce(f.instant, h.from_us)' : 'h.from_us';
  const to = isWall ? `coalesce(t.instant, ${exclusive})` : exclusive;
  const stamps = isWall
    ? `LEFT JOIN stamp_instant f ON f.feed = h.feed AND f.step = h.step AND f.stamp = h.from_us
       LEFT JOIN stamp_instant t ON t.feed = h.feed AND t.step = h.step AND t.stamp = ${exclusive}`
    : '';
  const end = derived
    ? `lead(${from}) OVER (PARTITION BY h.feed, h.step, key_number.number ORDER BY h.from_us, h.row)`
    : `CASE WHEN ${isOpen} THEN NULL ELSE ${to} END`;
  const open = derived ? `(${end}) IS NULL` : isOpen;
  await db.run(`CREATE TABLE version AS
    SELECT h.feed, h.step, h.row, key_number.number AS key, ${nullKey(contract, 'h')} AS null_key,
      state_number.number AS state, ${extraNumber(contract)} AS extra,
      ${from} AS valid_from, ${end} AS valid_to, ${open} AS is_open,
      ${columns.isCurrent === null ? 'NULL::BOOLEAN' : flagValue('h.is_current')} AS is_current,
      ${deletedFlag(contract)} AS is_deleted,
      h.hash, h.surrogate, h.from_us AS raw_from, h.to_us AS raw_to, ${besideNumber(contract)} AS beside
    FROM held_values h
    ${numberJoins([...groups(contract), ...besideGroup(contract)], 'h')} ${stamps}
    WHERE ${isVersion(contract)}`);
}

/** The condition that a row of `held_values h` is a version, and not a row that is overwritten. */
function isVersion(contract: Contract): string {
  if (!hasCurrentTable(contract)) return 'true';
  return hasVersions(contract) ? plainFlagValue('h.in_history') : 'false';
}

/** `current_row` has the columns of `version`, so that what compares rows can compare those of both. */
async function createCurrentRow(db: Database, contract: Contract): Promise<void> {
  await db.run(`CREATE TABLE current_row AS FROM version WHERE false`);
  if (hasCurrentTable(contract)) {
    await db.run(`INSERT INTO current_row BY NAME
      SELECT h.feed, h.step, h.row, key_number.number AS key, ${nullKey(contract, 'h')} AS null_key,
        state_number.number AS state, ${extraNumber(contract)} AS extra, ${deletedFlag(contract)} AS is_deleted,
        h.hash, h.surrogate, ${besideNumber(contract)} AS beside
      FROM held_values h
      ${numberJoins([...groups(contract), ...besideGroup(contract)], 'h')}
      WHERE NOT (${isVersion(contract)})`);
  }
  await db.run(`CREATE VIEW dimension_row AS
    FROM main.version UNION ALL FROM main.current_row`);
}

function besideNumber(contract: Contract): string {
  return besideColumns(contract).length === 0 ? 'CAST(NULL AS INTEGER)' : 'beside_number.number';
}

function deletedFlag({ columns, deletes }: Contract): string {
  return columns.isDeleted === null || deletes !== 'marker-row'
    ? 'false'
    : `coalesce(${flagValue('h.is_deleted')}, false)`;
}
