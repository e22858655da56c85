import { UsageError } from '../cli/usage-error.ts';
import type { Column, Columns, Role } from '../contract/columns.ts';
import { isInstantLiteral } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { DeclaredContract } from '../contract/declare.ts';
import { guessRoles } from '../contract/guess.ts';
import { suggestion } from '../contract/nearest.ts';
import type { Database } from '../duckdb/connection.ts';
import { quoteIdentifier } from '../duckdb/sql.ts';
import { type Dialect, DUCKDB } from './dialect.ts';
import type { AuditTable, TableColumn } from './table.ts';

/** A contract whose columns are those that the table has, and what had to be guessed for it. */
export interface Layout {
  readonly contract: Contract;
  /** Sentences on what was guessed. */
  readonly notes: readonly string[];
  /** Whether somebody wrote down which attributes are tracked; where not, every column is taken that could be. */
  readonly trackedDeclared: boolean;
}

/** Names of natural keys, most usual first. */
const KEYS = [
  /^(natural|business)_?key$/i,
  /^(nk|bk)$/i,
  /^id$/i,
  /_(id|key|code|no|nr|number)$/i,
  /(Id|Key|Code)$/,
];

/** Columns that a load keeps for itself: a change of them alone is no change of the entity. */
const BOOKKEEPING =
  /^(_.*|dbt_.*|__.*)$|(^|_)(loaded|inserted|updated|created|modified|ingested|processed|batch|etl|load|run|audit)(_|$)|version|checksum|surrogate|(^|_)sk$/i;

/**
 * Puts a contract on the columns of a table: those that were declared have to be there, the others are guessed by name.
 * @throws UsageError where a column is missing, or cannot play its role
 */
export function layOut(declared: DeclaredContract, table: AuditTable): Layout {
  const names = table.columns.map(({ name }) => name);
  for (const role of declared.declaredRoles)
    requirePresent(role, declared.contract.columns, names, table.name);
  const start = guessRoles(
    { ...declared.contract, columns: withoutAttributes(declared) },
    declared.declaredRoles,
    names,
  );
  const notes = [...declared.notes, ...start.notes];
  const roles = start.contract.columns;
  if (!names.includes(roles.validFrom.name)) {
    throw new UsageError(
      `\`${table.name}\` has no column that looks like the start of a version; it has ${list(names)}. ` +
        'Say which it is: --set validFrom=<column> (and --set validTo=<column>).',
    );
  }
  const free = withoutCurrent(declared, freeColumns(table, roles));
  const key = declared.declaredRoles.has('key')
    ? declared.contract.columns.key
    : [guessKey(declared.contract.columns.key, free, table.name, notes)];
  const rest = free.filter(({ name }) => !key.some((column) => column.name === name));
  const trackedDeclared = declared.declaredRoles.has('tracked');
  const untracked = declared.declaredRoles.has('untracked') ? declared.contract.columns.untracked : [];
  const tracked = trackedDeclared
    ? declared.contract.columns.tracked
    : rest
        .filter(({ name }) => !BOOKKEEPING.test(name) && !untracked.some((column) => column.name === name))
        .map(asText);
  if (!trackedDeclared)
    notes.push(
      `Taken for tracked attributes: ${tracked.length === 0 ? 'none' : list(tracked.map(({ name }) => name))}. Declare them with --tracked.`,
    );
  const columns = { ...roles, key, tracked, untracked, current: [] };
  return {
    contract: { ...declared.contract, columns: sameCase(typed(columns, table), names) },
    notes,
    trackedDeclared,
  };
}

function asText({ name }: TableColumn): Column {
  return { name, type: 'text', nullable: true };
}

/** Attributes of the default contract are not this table's, unless somebody said so. */
function withoutAttributes({ contract, declaredRoles }: DeclaredContract): Columns {
  const own = (role: 'key' | 'tracked' | 'untracked') =>
    declaredRoles.has(role) ? contract.columns[role] : [];
  return { ...contract.columns, key: own('key'), tracked: own('tracked'), untracked: own('untracked') };
}

function requirePresent(role: Role, columns: Columns, names: readonly string[], table: string): void {
  const wanted = columns[role];
  if (wanted === null) return;
  for (const { name } of Array.isArray(wanted) ? wanted : [wanted as Column]) {
    if (names.some((known) => known.toLowerCase() === name.toLowerCase())) continue;
    throw new UsageError(
      `\`${table}\` has no column \`${name}\`, which was declared as \`${role}\`.${suggestion(name, names)}`,
    );
  }
}

function freeColumns(table: AuditTable, roles: Columns): readonly TableColumn[] {
  const used = [
    roles.validFrom,
    roles.validTo,
    roles.isCurrent,
    roles.isDeleted,
    roles.hash,
    roles.surrogateKey,
    ...roles.current,
  ].map((column) => column?.name.toLowerCase());
  return table.columns.filter(({ name }) => !used.includes(name.toLowerCase()));
}

/** Of type 6 without columns that were named: what is called the current value of another column is one. */
function withoutCurrent(
  { contract, declaredRoles }: DeclaredContract,
  free: readonly TableColumn[],
): readonly TableColumn[] {
  if (contract.columns.current.length === 0 || declaredRoles.has('current')) return free;
  const names = free.map(({ name }) => name.toLowerCase());
  return free.filter(({ name }) => {
    const [, whose] = /^curr(?:ent)?_(.+)$/.exec(name.toLowerCase()) ?? [];
    return whose === undefined || !names.some((other) => other === whose || other.endsWith(`_${whose}`));
  });
}

function guessKey(
  usual: readonly Column[],
  free: readonly TableColumn[],
  table: string,
  notes: string[],
): Column {
  const known = free.find(({ name }) => usual.some((column) => column.name === name));
  const candidates = free.filter(({ name, type }) => !BOOKKEEPING.test(name) && !isInstant(type));
  const found =
    known ?? KEYS.flatMap((pattern) => candidates.find(({ name }) => pattern.test(name)) ?? [])[0];
  if (found === undefined) {
    throw new UsageError(
      `\`${table}\` has no column that looks like a natural key; it has ${list(free.map(({ name }) => name))}. Say which it is: --key <column>`,
    );
  }
  notes.push(`Column \`${found.name}\` is taken for the key. If it is not, declare another: --key <column>.`);
  return asText(found);
}

/** The type that each column really has, as far as a contract tells types apart. */
function typed(columns: Columns, table: AuditTable): Columns {
  const retype = (column: Column): Column => {
    const type =
      table.columns.find(({ name }) => name.toLowerCase() === column.name.toLowerCase())?.type ?? '';
    return {
      ...column,
      type: /^(FLOAT|DOUBLE|REAL)/.test(type) ? 'double' : isText(type) ? 'text' : 'bigint',
    };
  };
  const flag = columns.isCurrent;
  const isBoolean = table.columns.some(
    ({ name, type }) => name === flag?.name && (type === 'BOOLEAN' || type === 'BOOL'),
  );
  return {
    ...columns,
    key: columns.key.map(retype),
    tracked: columns.tracked.map(retype),
    isCurrent: flag === null ? null : { ...flag, type: isBoolean ? 'boolean' : 'text' },
  };
}

/** Columns are spelled as the table spells them: other engines care. */
export function sameCase(columns: Columns, names: readonly string[]): Columns {
  const respell = (column: Column): Column => ({
    ...column,
    name: names.find((name) => name.toLowerCase() === column.name.toLowerCase()) ?? column.name,
  });
  const one = (column: Column | null) => (column === null ? null : respell(column));
  return {
    ...columns,
    key: columns.key.map(respell),
    tracked: columns.tracked.map(respell),
    untracked: columns.untracked.map(respell),
    validFrom: respell(columns.validFrom),
    validTo: one(columns.validTo),
    isCurrent: one(columns.isCurrent),
    isDeleted: one(columns.isDeleted),
    hash: one(columns.hash),
    surrogateKey: one(columns.surrogateKey),
  };
}

/**
 * The table with instants as its bounds. JSON knows no other instants than text, so ISO text is read there.
 * @throws UsageError where a start or an end is text elsewhere, or only one of them has a time zone
 */
export async function requireInstants(
  db: Database,
  table: AuditTable,
  { columns }: Contract,
): Promise<AuditTable> {
  const types: string[] = [];
  const casts: string[] = [];
  for (const column of [columns.validFrom, columns.validTo]) {
    if (column === null) continue;
    const name = quoteIdentifier(column.name);
    const { type } = table.columns.find((one) => one.name === column.name)!;
    const read = isInstant(type) ? type : await typeOfText(db, table, column.name, type);
    if (read === null) throw await notInstant(db, table, column.name, type);
    if (read !== type) casts.push(`CAST(${name} AS ${read === NOTHING ? 'TIMESTAMP' : read}) AS ${name}`);
    if (read !== NOTHING) types.push(read);
  }
  if (types.length === 2) refuseZoneMix(table, columns, types, DUCKDB.zoned);
  if (casts.length === 0) return table;
  return { ...table, from: `(SELECT * REPLACE (${casts.join(', ')}) FROM ${table.from})` };
}

/**
 * The same of an engine's own types, where it tells them.
 * @throws UsageError where a bound is of a type that holds no instants, or only one of them has a time zone
 */
export function requireInstantTypes(table: AuditTable, { columns }: Contract, dialect: Dialect): void {
  const types: string[] = [];
  for (const column of [columns.validFrom, columns.validTo]) {
    const type = table.columns.find(({ name }) => name === column?.name)?.type ?? '';
    if (type !== '' && !/^(DATE|DATETIME|TIMESTAMP)/.test(type))
      throw new UsageError(
        `The column \`${column!.name}\` of \`${table.name}\` is ${type}; a version's bounds have to be of a date or timestamp type. ` +
          'Text hides formats and time zones: audit a view that casts it.',
      );
    if (type !== '') types.push(type);
  }
  if (types.length === 2) refuseZoneMix(table, columns, types as [string, string], dialect.zoned);
}

function refuseZoneMix(table: AuditTable, columns: Columns, types: readonly string[], zoned: RegExp): void {
  const [from, to] = types.map((type) => zoned.test(type));
  if (from === to || types.includes('DATE')) return;
  throw new UsageError(
    `\`${table.name}\` mixes time zones: \`${columns.validFrom.name}\` is ${types[0]}, \`${columns.validTo!.name}\` is ${types[1]}. ` +
      'Which instant the one without a zone means cannot be known. Give both the same type.',
  );
}

const ZONED = 'TIMESTAMP WITH TIME ZONE';
/** The type of a column that holds NULL alone. */
const NOTHING = 'NULL';
const ISO = String.raw`\d{4,6}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?)?`;
const ZONE = String.raw`(Z|[+-]\d\d(:?\d\d)?)`;

/** What a column holds that is of no type for instants: nothing, or (in JSON) ISO text. Null where it is neither. */
async function typeOfText(
  db: Database,
  table: AuditTable,
  name: string,
  type: string,
): Promise<string | null> {
  const column = `CAST(${quoteIdentifier(name)} AS VARCHAR)`;
  const [row] = await db.rows<{ all: bigint; plain: bigint; zoned: bigint }>(
    `SELECT count(${column}) AS "all", count_if(regexp_full_match(${column}, '${ISO}')) AS plain,
       count_if(regexp_full_match(${column}, '${ISO}${ZONE}')) AS zoned FROM ${table.from}`,
  );
  if (Number(row!.all) === 0) return NOTHING;
  if (!table.from.startsWith('read_json') || type !== 'VARCHAR') return null;
  if (row!.plain === row!.all) return 'TIMESTAMP';
  return row!.zoned === row!.all ? ZONED : null;
}

async function notInstant(db: Database, table: AuditTable, name: string, type: string): Promise<UsageError> {
  const column = quoteIdentifier(name);
  const values = await db.rows<{ value: string }>(
    `SELECT CAST(${column} AS VARCHAR) AS value FROM ${table.from} WHERE ${column} IS NOT NULL LIMIT 1`,
  );
  const value = values[0] === undefined ? 'nothing' : `\`${values[0].value.slice(0, 80)}\``;
  return new UsageError(
    `The column \`${name}\` of \`${table.name}\` is ${type} and holds ${value}; a version's bounds have to be of type DATE or TIMESTAMP. ` +
      'Text hides formats and time zones: convert it where the table is written, or audit a view that casts it.',
  );
}

function isInstant(type: string): boolean {
  return type === 'DATE' || type.startsWith('TIMESTAMP');
}

/** A column whose type the engine does not tell counts as text: only then is it folded as the contract says. */
function isText(type: string): boolean {
  return (
    type === '' ||
    /^(N?(VAR)?CHAR|CHARACTER|BPCHAR|CITEXT|(TINY|MEDIUM|LONG)?TEXT|STRING|ENUM)\b[^[]*$/.test(type)
  );
}

/** How many rows are looked at for what the ends say of themselves. */
const LOOK = 200_000;

/**
 * What the ends of a table say of decisions that nobody declared: a far date for "open", and ends that are the last instant of a version
 * rather than the first after it.
 */
export async function guessEnds(
  db: Database,
  table: AuditTable,
  layout: Layout,
  decided: ReadonlySet<string>,
): Promise<Layout> {
  const { contract } = layout;
  const to = contract.columns.validTo;
  if (to === null) return layout;
  const notes = [...layout.notes];
  let guessed = contract;
  if (!decided.has('openMarker')) {
    const marker = await farEnd(db, table, to.name);
    if (marker !== null) {
      guessed = { ...guessed, openMarker: marker };
      notes.push(
        `No end is NULL, and many are ${marker}: it is taken for the open marker. Declare it: --set openMarker=${marker}`,
      );
    }
  }
  if (!decided.has('end')) {
    const unit = await inclusiveUnit(db, table, guessed);
    if (unit !== null) {
      guessed = { ...guessed, end: 'inclusive', grain: unit };
      notes.push(
        `Versions end one ${unit} before the next begins: ends are taken as inclusive. Declare it: --set end=inclusive --set grain=${unit}`,
      );
    }
  }
  return { ...layout, contract: guessed, notes };
}

async function farEnd(db: Database, table: AuditTable, name: string): Promise<string | null> {
  const to = quoteIdentifier(name);
  const [row] = await db.rows<{ nulls: number; far: string | null; open: number }>(
    `WITH seen AS (SELECT ${to} AS e FROM ${table.from} LIMIT ${LOOK})
     SELECT count_if(e IS NULL)::INTEGER AS nulls, CAST(max(e)::DATE AS VARCHAR) AS far, count_if(e = (SELECT max(e) FROM seen))::INTEGER AS open
     FROM seen WHERE e IS NULL OR isfinite(e)`,
  );
  if (row === undefined || row.nulls > 0 || row.far === null || row.open < 2) return null;
  return row.far >= '2200' && isInstantLiteral(row.far) ? row.far : null;
}

const UNITS = ['day', 'second', 'millisecond', 'microsecond'] as const;

async function inclusiveUnit(
  db: Database,
  table: AuditTable,
  { columns, openMarker }: Contract,
): Promise<(typeof UNITS)[number] | null> {
  const keys = columns.key.map(({ name }) => quoteIdentifier(name)).join(', ');
  const [from, to] = [columns.validFrom.name, columns.validTo!.name].map(quoteIdentifier);
  const marker = openMarker === 'null' ? '' : `AND e <> TIMESTAMP '${openMarker.replace(/Z$/, '')}'`;
  const [row] = await db.rows<Record<string, number>>(
    `WITH seen AS (SELECT ${keys}, ${from}::TIMESTAMP AS s, ${to}::TIMESTAMP AS e FROM ${table.from} LIMIT ${LOOK}),
     pair AS (SELECT e, lead(s) OVER (PARTITION BY ${keys} ORDER BY s) AS next FROM seen)
     SELECT count_if(next = e)::INTEGER AS exact, count(*)::INTEGER AS pairs,
       ${UNITS.map((unit) => `count_if(next = e + INTERVAL 1 ${unit})::INTEGER AS ${unit}`).join(', ')}
     FROM pair WHERE next IS NOT NULL AND e IS NOT NULL AND isfinite(e) ${marker}`,
  );
  if (row === undefined || row['exact']! > 0 || row['pairs']! < 20) return null;
  return UNITS.find((unit) => row[unit]! >= 0.9 * row['pairs']!) ?? null;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', ');
}
