import type { Column } from '../contract/columns.ts';
import { type Contract, type Folding, grainMicros } from '../contract/contract.ts';
import { FOREVER } from '../contract/instant.ts';
import type { Dialect } from './dialect.ts';

/**
 * The relation `version` over a table that exists, in any dialect: the one over which the table checks are written (src/checks/interpret.ts).
 * `key` and `state` are not numbers here but texts that hold every column with its length before it, so that two are equal exactly where
 * all columns are. `row`, which only breaks ties, is the end: so every engine breaks them alike. Columns that are to be shown as they
 * are become `c0`, `c1`, ….
 */
export function versionSql(
  contract: Contract,
  from: string,
  dialect: Dialect,
  where = 'true',
  shown: readonly Column[] = [],
): string {
  const { columns } = contract;
  const start = bounded(columns.validFrom, dialect);
  // Among versions that start together the order decides nothing, but has to be the same each time.
  const ties = columns.isCurrent === null ? [] : [flag(columns.isCurrent, dialect)];
  const partition = `(PARTITION BY ${keyText(contract, dialect)} ORDER BY ${[start, stateText(contract, dialect), ...ties].join(', ')})`;
  const to = columns.validTo === null ? `lead(${start}) OVER ${partition}` : closedEnd(contract, dialect);
  const open = columns.validTo === null ? `(${to}) IS NULL` : isOpen(contract, dialect);
  const column = (role: Column | null) => (role === null ? 'NULL' : textOf(role, dialect));
  const deleted = isMarked(contract, dialect);
  const sql = `SELECT 0 AS feed, 0 AS step, coalesce(valid_to, ${FOREVER}) AS row, key, null_key, state, valid_from, valid_to, is_open, is_current, is_deleted, hash, surrogate@shown@
  FROM (
    SELECT ${keyText(contract, dialect)} AS key,
      ${nullKey(contract, dialect)} AS null_key,
      ${stateText(contract, dialect)} AS state,
      ${start} AS valid_from,
      ${to} AS valid_to,
      ${open} AS is_open,
      ${columns.isCurrent === null ? 'NULL' : flag(columns.isCurrent, dialect)} AS is_current,
      ${deleted} AS is_deleted,
      ${column(columns.hash)} AS hash,
      ${column(columns.surrogateKey)} AS surrogate@values@
    FROM @table@ t
    WHERE @where@) canonical`;
  return spelled(sql, dialect)
    .replace('@table@', () => from)
    .replace('@where@', () => where)
    .replace('@shown@', shown.map((_, index) => `, c${index}`).join(''))
    .replace('@values@', () =>
      shown.map(({ name }, index) => `, ${dialect.quote(name)} AS c${index}`).join(''),
    );
}

export function isMarked(contract: Contract, dialect: Dialect): string {
  const { isDeleted } = contract.columns;
  return isDeleted === null || contract.deletes !== 'marker-row'
    ? 'false'
    : `coalesce(${flag(isDeleted, dialect)}, false)`;
}

/** Whether a row's end is the contract's open marker. An infinite end is open too, where the marker is NULL. */
export function isOpen({ columns, openMarker }: Contract, dialect: Dialect): string {
  const to = dialect.quote(columns.validTo!.name);
  if (openMarker === 'infinity')
    return dialect.isFinite === null
      ? 'false'
      : `(${to} IS NOT NULL AND NOT ${dialect.isFinite(to)} AND ${to} > ${dialect.timestamp('2000-01-01T00:00:00')})`;
  if (openMarker !== 'null') return `(${to} IS NOT NULL AND ${dialect.isAt(to, literalOf(openMarker))})`;
  return dialect.isFinite === null ? `(${to} IS NULL)` : `(${to} IS NULL OR NOT ${dialect.isFinite(to)})`;
}

/** A literal of the contract as every dialect reads it: in UTC, with a time. */
export function literalOf(text: string): string {
  return text.includes('T') || text.includes(' ') ? text : `${text}T00:00:00`;
}

function closedEnd(contract: Contract, dialect: Dialect): string {
  const to = bounded(contract.columns.validTo!, dialect);
  const exclusive = contract.end === 'inclusive' ? `${to} + ${grainMicros(contract.grain)}` : to;
  return `CASE WHEN ${isOpen(contract, dialect)} THEN NULL ELSE ${exclusive} END`;
}

/** Microseconds; infinite instants are the largest and the smallest number there is. */
export function bounded({ name }: Column, dialect: Dialect): string {
  const column = dialect.quote(name);
  const micros = dialect.micros(column);
  if (dialect.isFinite === null) return micros;
  return `CASE WHEN ${dialect.isFinite(column)} THEN ${micros} WHEN ${column} IS NULL THEN NULL WHEN ${column} > ${dialect.timestamp('2000-01-01T00:00:00')} THEN ${FOREVER} ELSE -${FOREVER} END`;
}

function nullKey({ columns, keyCompare }: Contract, dialect: Dialect): string {
  return `(${columns.key.map((column) => `${folded(column, keyCompare, dialect)} IS NULL`).join(' OR ')})`;
}

function keyText({ columns, keyCompare }: Contract, dialect: Dialect): string {
  const [only] = columns.key;
  if (columns.key.length === 1) return dialect.text(folded(only!, keyCompare, dialect));
  return encoded(columns.key, keyCompare, dialect);
}

function stateText({ columns, compare }: Contract, dialect: Dialect): string {
  return columns.tracked.length === 0 ? `''` : encoded(columns.tracked, compare, dialect);
}

/** `5:abcde` for each value, `-` for NULL: no two lists of values have the same. */
function encoded(columns: readonly Column[], foldings: readonly Folding[], dialect: Dialect): string {
  const parts = columns.map((column) => {
    const text = dialect.text(folded(column, foldings, dialect));
    return `CASE WHEN ${folded(column, foldings, dialect)} IS NULL THEN '-' ELSE ${dialect.concat([dialect.text(dialect.length(text)), "':'", text])} END`;
  });
  return parts.length === 1 ? parts[0]! : dialect.concat(parts);
}

function textOf({ name }: Column, dialect: Dialect): string {
  return dialect.text(dialect.quote(name));
}

/** A column as the contract compares it. */
export function folded(column: Column, foldings: readonly Folding[], dialect: Dialect): string {
  const expression = dialect.quote(column.name);
  // Negative zero is zero.
  if (column.type === 'double') return `CASE WHEN ${expression} = 0 THEN 0 ELSE ${expression} END`;
  if (column.type !== 'text') return expression;
  let sql = expression;
  if (foldings.includes('trim')) sql = `trim(${sql})`;
  if (foldings.includes('case-insensitive')) sql = `lower(${sql})`;
  return foldings.includes('empty-is-null') ? `nullif(${sql}, '')` : sql;
}

const TRUE = ['true', 't', '1', 'y', 'yes', 'current', 'active'];
const FALSE = ['false', 'f', '0', 'n', 'no', 'expired', 'inactive', 'historical', ''];

/** A flag in any form people keep it, as in the checks of an implementation. */
export function flag(column: Column, dialect: Dialect): string {
  const words = (list: readonly string[]) => list.map((word) => `'${word}'`).join(', ');
  const text = `lower(trim(CAST(${dialect.quote(column.name)} AS ${dialect.textType})))`;
  return `CASE WHEN ${text} IN (${words(TRUE)}) THEN true WHEN ${text} IN (${words(FALSE)}) THEN false END`;
}

/** Words of the canonical relations that some engine keeps for itself. */
const RESERVED = /(?<![\w"`.'])(key|row|rows|open|hash|step|state)(?![\w"`'(])/g;

/** A check's SQL as an engine reads it: names of columns quoted where they are words of its own. */
export function spelled(sql: string, dialect: Dialect): string {
  return sql.replace(RESERVED, (word) => dialect.quote(word));
}
