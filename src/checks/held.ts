import { DataType, Int32, makeData, type RecordBatch, Table, Vector } from 'apache-arrow';
import type { Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { FOREVER } from '../contract/instant.ts';
import { hasVersions } from '../contract/types.ts';
import type { Database } from '../duckdb/connection.ts';
import { quoteIdentifier } from '../duckdb/sql.ts';
import { plainFlagValue } from './flag.ts';
import { everHad, nestedNames, oneSpelling, takeOut } from './held-columns.ts';
import { heldColumns, type NamedColumn, sqlType } from './value-columns.ts';

/** One dimension, as it was read after a batch. */
export interface Held {
  /** Position of the feed in the group. */
  readonly feed: number;
  readonly step: number;
  readonly table: Table;
}

/** A dimension came back in a form that cannot be judged. The message is for the implementation's author. */
export class UnreadableDimension extends Error {
  override readonly name = 'UnreadableDimension';
}

/**
 * Makes `held_values`, one table for all steps. Steps whose dimension has the same columns and types are put together in Arrow first: a feed of ten batches
 * is then one insert, not ten.
 * @throws UnreadableDimension where a column is missing, or a cell is not of its type
 */
export async function loadHeld(db: Database, contract: Contract, held: readonly Held[]): Promise<void> {
  const { columns } = contract;
  const named = heldColumns(contract);
  const flag = (column: Column | null) => (column === null ? null : { column, type: 'VARCHAR' });
  const roles: Record<string, { column: Column; type: string } | null> = {
    is_current: flag(columns.isCurrent),
    is_deleted: flag(columns.isDeleted),
    hash: flag(columns.hash),
    surrogate: flag(columns.surrogateKey),
    in_history: flag(columns.inHistory),
  };
  await db.run(`CREATE TABLE held_values (feed INTEGER, step INTEGER, row BIGINT,
    ${named.map(({ column, alias }) => `${alias} ${sqlType(column)},`).join(' ')}
    from_us BIGINT, to_us BIGINT,
    is_current VARCHAR, is_deleted VARCHAR, hash VARCHAR, surrogate VARCHAR, in_history VARCHAR)`);
  await db.run('CREATE TABLE step (feed INTEGER, step INTEGER)');
  if (held.length > 0) {
    await db.run(`INSERT INTO step VALUES ${held.map(({ feed, step }) => `(${feed}, ${step})`).join(', ')}`);
  }
  const raws: string[] = [];
  for (const tables of bySchema(held.map((item) => oneSpelling(item, contract)))) {
    const own = tables[0]!.table.schema.fields.map(({ name }) => name);
    const nested = nestedNames(contract, own);
    const names = [...own, ...nested];
    const raw = `held_raw_${raws.length}`;
    const from = hasVersions(contract) ? columns.validFrom : null;
    const needed = [from, columns.inHistory].filter((column) => column !== null);
    const wanted = [...named.map(({ column }) => column), ...needed];
    const missing = wanted.filter(({ name }) => !names.includes(name));
    if (missing.length > 0 && tables.every(({ table }) => table.numRows === 0)) continue;
    // A column that was there and vanished is `schema-kept`'s, and reads as NULL; one that never was there cannot be judged.
    const never = missing.find(
      ({ name }) =>
        needed.some((column) => column.name === name) ||
        !tables.every(({ feed }) => everHad(held, feed, name)),
    );
    if (never !== undefined) {
      throw new UnreadableDimension(
        `The dimension has no column \`${never.name}\`; it has ${names.map((name) => `\`${name}\``).join(', ') || 'none'}. ` +
          'Declare which columns it has (key, tracked, untracked, validFrom, …), or return that column.',
      );
    }
    const present = named.filter(({ column }) => names.includes(column.name));
    await db.createTable(raw, stack(tables));
    for (const name of nested) await takeOut(db, raw, name);
    raws.push(raw);
    const cast = ({ column, alias }: (typeof named)[number]) =>
      `${names.includes(column.name) ? `TRY_CAST(${quoteIdentifier(column.name)} AS ${sqlType(column)})` : 'NULL'} AS ${alias}`;
    const role = (name: string) => {
      const entry = roles[name];
      return entry && names.includes(entry.column.name)
        ? `CAST(${quoteIdentifier(entry.column.name)} AS VARCHAR)`
        : 'NULL';
    };
    const isZoneless = (name: string) => {
      const type = tables[0]!.table.schema.fields.find((field) => field.name === name)?.type;
      return DataType.isDate(type) || (DataType.isTimestamp(type) && type.timezone == null);
    };
    const to = columns.validTo !== null && names.includes(columns.validTo.name) ? columns.validTo.name : null;
    const bounds = [from?.name, to].map((name) => (name == null ? 'NULL' : micros(name, isZoneless(name))));
    await refuseUnreadable(db, raw, present, [from?.name ?? null, to]);
    await db.run(`INSERT INTO held_values SELECT "scd2check:feed", "scd2check:step", "scd2check:row",
      ${named.map(cast).join(', ')},
      ${bounds.join(', ')},
      ${role('is_current')}, ${role('is_deleted')}, ${role('hash')}, ${role('surrogate')}, ${role('in_history')} FROM ${raw}`);
  }
  if (columns.inHistory !== null) await refuseUnplaced(db, columns.inHistory.name);
  // The dimension under its own column names, for a join that the user supplies.
  const underOwnNames = raws.map((raw) => `SELECT * FROM ${raw}`).join(' UNION ALL BY NAME ');
  await db.run(`CREATE VIEW held_named AS ${underOwnNames || 'SELECT 1 AS "scd2check:row" WHERE false'}`);
}

/** An instant column of any type as microseconds; text may carry a zone. Infinite ends are the largest number there is. */
function micros(name: string, zoneless: boolean): string {
  // A cast to TIMESTAMPTZ asks the calendar of a time zone for each row, and the session's is UTC.
  const type = zoneless ? 'TIMESTAMP' : 'TIMESTAMPTZ';
  const stamp = `TRY_CAST(${quoteIdentifier(name)} AS ${type})`;
  const infinite = `CASE WHEN ${stamp} > ${type} 'epoch' THEN ${FOREVER} ELSE -${FOREVER} END`;
  return `CASE WHEN ${stamp} IS NULL THEN NULL WHEN isfinite(${stamp}) THEN epoch_us(${stamp}) ELSE ${infinite} END`;
}

async function refuseUnreadable(
  db: Database,
  raw: string,
  named: readonly NamedColumn[],
  bounds: readonly (string | null)[],
): Promise<void> {
  const targets = [
    ...named.map(({ column }) => ({ name: column.name, type: sqlType(column) })),
    ...bounds.flatMap((name) => (name === null ? [] : [{ name, type: 'TIMESTAMPTZ' }])),
  ];
  const bad = targets.map(({ name, type }, index) => {
    const column = quoteIdentifier(name);
    return `any_value(CAST(${column} AS VARCHAR)) FILTER (WHERE ${column} IS NOT NULL AND TRY_CAST(${column} AS ${type}) IS NULL) AS c${index}`;
  });
  const [row] = await db.rows<Record<string, string | null>>(`SELECT ${bad.join(', ')} FROM ${raw}`);
  const index = targets.findIndex((_, at) => row?.[`c${at}`] != null);
  if (index < 0) return;
  const { name, type } = targets[index]!;
  const wanted =
    type === 'TIMESTAMPTZ' ? 'an instant (ISO text, a date or a timestamp)' : `a value of type ${type}`;
  throw new UnreadableDimension(
    `The dimension's column \`${name}\` holds \`${row![`c${index}`]}\`, which is not ${wanted}. ` +
      'Return it in that form, or declare the type that the column has.',
  );
}

/** @throws UnreadableDimension where a row does not say whether it is in the history table */
async function refuseUnplaced(db: Database, flag: string): Promise<void> {
  const [row] = await db.rows<{ in_history: string | null }>(
    `SELECT in_history FROM held_values WHERE ${plainFlagValue('in_history')} IS NULL LIMIT 1`,
  );
  if (row === undefined) return;
  throw new UnreadableDimension(
    `The dimension's column \`${flag}\` holds ${row.in_history === null ? 'NULL' : `\`${row.in_history}\``}, which does not say in which table the row is. ` +
      'Return true for rows of the history table, and false for those of the current one.',
  );
}

function bySchema(held: readonly Held[]): Held[][] {
  const groups = new Map<string, Held[]>();
  for (const item of held) {
    const signature = item.table.schema.fields.map(({ name, type }) => `${name}:${type}`).join('|');
    groups.set(signature, [...(groups.get(signature) ?? []), item]);
  }
  return [...groups.values()];
}

/** One table of many, with the feed and the step of each row beside it, and a number for the row. */
function stack(items: readonly Held[]): Table {
  const batches: RecordBatch[] = [];
  let first = 0;
  for (const { feed, step, table } of items) {
    const marked = new Table({
      ...Object.fromEntries(table.schema.fields.map(({ name }, index) => [name, table.getChildAt(index)!])),
      [FEED]: numbers(table.numRows, () => feed),
      [STEP]: numbers(table.numRows, () => step),
      [ROW]: numbers(table.numRows, (row) => first + row),
    });
    batches.push(...marked.batches);
    first += table.numRows;
  }
  return new Table(batches);
}

// Names that no dimension has.
const FEED = 'scd2check:feed';
const STEP = 'scd2check:step';
const ROW = 'scd2check:row';

function numbers(length: number, at: (row: number) => number): Vector<Int32> {
  const data = Int32Array.from({ length }, (_, row) => at(row));
  return new Vector([makeData({ type: new Int32(), length, nullCount: 0, data })]);
}
