import { parseInstant } from '../contract/instant.ts';

/**
 * What differs between engines where the table checks are written down: how a name is quoted, how an instant becomes microseconds, and how
 * a value becomes text that is equal exactly where the value is. Everything else in the checks is SQL that all of them read.
 */
export interface Dialect {
  readonly id: string;
  quote(name: string): string;
  /**
   * An instant column as microseconds since the epoch; BIGINT. Without a zone it counts as UTC, whatever the session's zone is. NULL,
   * or an error of the engine, where the column holds something else.
   */
  micros(expression: string): string;
  /** Whether an instant is neither `infinity` nor `-infinity`; null where the engine has neither. */
  readonly isFinite: ((expression: string) => string) | null;
  /** The type that text is cast to. */
  readonly textType: string;
  /** A value as text, compared by bytes. */
  text(expression: string): string;
  /** Characters or bytes of a text; only that it is the same each time matters. */
  length(text: string): string;
  concat(parts: readonly string[]): string;
  /** An ISO literal as the engine's timestamp. */
  timestamp(iso: string): string;
  /** Whether an instant column, which is not NULL, is that of an ISO literal. */
  isAt(expression: string, iso: string): string;
  /** A text as a literal. */
  string(text: string): string;
  /** The type of a value, as text; null where the engine has no function that tells. */
  readonly typeOf: ((expression: string) => string) | null;
  /** Types of instants with a zone, as the engine spells them in upper case. */
  readonly zoned: RegExp;
  /** For an engine whose own client prints neither CSV nor JSON; null where clients do. */
  readonly json: JsonRows | null;
}

/** Queries that return one JSON object a row, in a single column. */
export interface JsonRows {
  rows(sql: string): string;
  /** One object `{row, type}`: a row of the table, and the type `struct<name:type,…>` of its rows. */
  shape(table: string): string;
  /** Several queries as one, each row an object `{q, row}` with the number of its query. */
  all(queries: readonly string[]): string;
}

const doubleQuoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const backQuoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;
const piped = (parts: readonly string[]) => parts.join(' || ');
const called = (parts: readonly string[]) => `concat(${parts.join(', ')})`;
const cast = (type: string) => (expression: string) => `CAST(${expression} AS ${type})`;
const literal = (iso: string) => `TIMESTAMP '${iso.replace('T', ' ').replace(/Z$/, '')}'`;
const length = (text: string) => `length(${text})`;
const doubled = (text: string) => `'${text.replaceAll("'", "''")}'`;
/** Where a backslash begins an escape. */
const escaped = (text: string) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;

/** A literal means UTC, and numbers are compared without the zone of a session. */
const byMicros = (micros: Dialect['micros']) => (expression: string, iso: string) =>
  `${micros(expression)} = ${parseInstant(iso)}`;

const duckdb: Dialect = {
  id: 'duckdb',
  quote: doubleQuoted,
  micros: (expression) => `epoch_us(CAST(${expression} AS TIMESTAMP))`,
  isFinite: (expression) => `isfinite(${expression})`,
  textType: 'VARCHAR',
  text: cast('VARCHAR'),
  length,
  concat: piped,
  timestamp: literal,
  // The sessions here are in UTC, and the column is compared as it is stored.
  isAt: (expression, iso) => `${expression} = ${literal(iso)}`,
  string: doubled,
  typeOf: (expression) => `typeof(${expression})`,
  zoned: /WITH TIME ZONE/,
  json: null,
};

// Numeric keeps every microsecond.
const postgresMicros = (expression: string) => `CAST(EXTRACT(EPOCH FROM ${expression}) * 1000000 AS BIGINT)`;

const postgres: Dialect = {
  ...duckdb,
  id: 'postgres',
  micros: postgresMicros,
  textType: 'TEXT',
  text: (expression) => `(CAST(${expression} AS TEXT) COLLATE "C")`,
  isAt: (expression, iso) => `(isfinite(${expression}) AND ${byMicros(postgresMicros)(expression, iso)})`,
  typeOf: (expression) => `CAST(pg_typeof(${expression}) AS TEXT)`,
};

const mysqlMicros = (expression: string) =>
  `TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', ${expression})`;

const mysql: Dialect = {
  id: 'mysql',
  quote: backQuoted,
  micros: mysqlMicros,
  isFinite: null,
  textType: 'CHAR',
  // The usual collations take `a` and `A`, and `a` and `a `, for the same.
  text: (expression) => `CAST(CAST(${expression} AS CHAR) AS BINARY)`,
  length,
  concat: called,
  timestamp: literal,
  isAt: byMicros(mysqlMicros),
  string: escaped,
  typeOf: null,
  zoned: /^TIMESTAMP/,
  json: null,
};

/** Instants are ISO text there, in UTC; its own functions stop at milliseconds, and take a number for a day of the Julian calendar. */
function sqliteMicros(expression: string): string {
  const rest = `substr(${expression}, 20)`;
  const isIso = `typeof(${expression}) = 'text' AND rtrim(rtrim(${rest}, 'Z'), '0123456789') IN ('', '.')`;
  const seconds = `CAST(strftime('%s', substr(${expression}, 1, 19)) AS INTEGER) * 1000000`;
  const fraction = `CASE WHEN instr(${rest}, '.') > 0 THEN CAST(substr(replace(substr(${rest}, 2), 'Z', '') || '000000', 1, 6) AS INTEGER) ELSE 0 END`;
  return `CASE WHEN ${isIso} THEN ${seconds} + ${fraction} END`;
}

const sqlite: Dialect = {
  id: 'sqlite',
  quote: doubleQuoted,
  micros: sqliteMicros,
  isFinite: null,
  textType: 'TEXT',
  text: cast('TEXT'),
  length,
  concat: piped,
  timestamp: (iso) => `'${iso.replace(/Z$/, '')}'`,
  isAt: byMicros(sqliteMicros),
  string: doubled,
  // It tells how a value is stored, which says nothing of instants.
  typeOf: null,
  zoned: /(?!)/,
  json: null,
};

/** Only TIMESTAMP is an instant; dates and TIMESTAMP_NTZ would be read in the session's zone, whose clock skips and repeats hours. */
function sparkMicros(expression: string): string {
  const day = `unix_date(CAST(${expression} AS DATE)) * 86400000000L`;
  const clock = `hour(${expression}) * 3600000000L + minute(${expression}) * 60000000L + CAST(extract(SECOND FROM ${expression}) * 1000000 AS BIGINT)`;
  return `CASE typeof(${expression}) WHEN 'timestamp' THEN unix_micros(CAST(${expression} AS TIMESTAMP)) WHEN 'date' THEN ${day} ELSE ${day} + ${clock} END`;
}

const toJson = (struct: string) => `to_json(${struct}, map('ignoreNullFields', 'false'))`;

const spark: Dialect = {
  id: 'spark',
  quote: backQuoted,
  micros: sparkMicros,
  isFinite: null,
  textType: 'STRING',
  text: cast('STRING'),
  length,
  concat: called,
  timestamp: literal,
  isAt: byMicros(sparkMicros),
  string: escaped,
  typeOf: (expression) => `typeof(${expression})`,
  zoned: /^TIMESTAMP$/,
  json: {
    rows: (sql) => `SELECT ${toJson('struct(*)')} AS json FROM (\n${sql}\n) answer`,
    shape: (table) =>
      `SELECT ${toJson("named_struct('row', struct(*), 'type', typeof(struct(*)))")} AS json FROM ${table} LIMIT 1`,
    all: (queries) =>
      queries
        .map(
          (sql, q) =>
            `SELECT ${toJson(`named_struct('q', ${q}, 'row', struct(*))`)} AS json FROM (\n${sql}\n) answer`,
        )
        .join('\nUNION ALL\n'),
  },
};

/** Its functions for fractions stop at milliseconds, or go through a double; text keeps all six digits. */
function trinoMicros(expression: string): string {
  const zoned = `CAST(CAST(${expression} AS TIMESTAMP(6) WITH TIME ZONE) AT TIME ZONE 'UTC' AS TIMESTAMP(6))`;
  const utc = `CASE WHEN typeof(${expression}) LIKE '%with time zone' THEN ${zoned} ELSE CAST(${expression} AS TIMESTAMP(6)) END`;
  const fraction = `CAST(substr(CAST(${utc} AS VARCHAR), -6) AS BIGINT)`;
  return `(date_diff('second', TIMESTAMP '1970-01-01 00:00:00', date_trunc('second', ${utc})) * 1000000 + ${fraction})`;
}

const trino: Dialect = {
  id: 'trino',
  quote: doubleQuoted,
  micros: trinoMicros,
  isFinite: null,
  textType: 'VARCHAR',
  text: cast('VARCHAR'),
  length,
  concat: piped,
  timestamp: literal,
  isAt: byMicros(trinoMicros),
  string: doubled,
  typeOf: (expression) => `typeof(${expression})`,
  zoned: /WITH TIME ZONE/,
  json: null,
};

function snowflakeMicros(expression: string): string {
  const plain = `CAST(${expression} AS TIMESTAMP_NTZ)`;
  const zoned = `CAST(CONVERT_TIMEZONE('UTC', CAST(${expression} AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)`;
  return `DATE_PART(EPOCH_MICROSECOND, CASE WHEN SYSTEM$TYPEOF(${expression}) LIKE ANY ('TIMESTAMP_LTZ%', 'TIMESTAMP_TZ%') THEN ${zoned} ELSE ${plain} END)`;
}

const snowflake: Dialect = {
  id: 'snowflake',
  quote: doubleQuoted,
  micros: snowflakeMicros,
  isFinite: null,
  textType: 'VARCHAR',
  text: cast('VARCHAR'),
  length,
  concat: piped,
  timestamp: literal,
  isAt: byMicros(snowflakeMicros),
  string: escaped,
  typeOf: (expression) => `SYSTEM$TYPEOF(${expression})`,
  zoned: /^TIMESTAMP_(LTZ|TZ)/,
  json: null,
};

// Without a zone named, DATE and DATETIME are taken in UTC.
const bigqueryMicros = (expression: string) => `UNIX_MICROS(TIMESTAMP(${expression}))`;

const bigquery: Dialect = {
  id: 'bigquery',
  quote: (name) => `\`${name.replaceAll('`', '\\`')}\``,
  micros: bigqueryMicros,
  isFinite: null,
  textType: 'STRING',
  text: cast('STRING'),
  length,
  concat: called,
  timestamp: literal,
  isAt: byMicros(bigqueryMicros),
  string: escaped,
  typeOf: null,
  zoned: /^TIMESTAMP/,
  json: null,
};

export const DIALECTS: readonly Dialect[] = [
  duckdb,
  postgres,
  mysql,
  { ...mysql, id: 'mariadb' },
  sqlite,
  spark,
  { ...spark, id: 'databricks' },
  trino,
  snowflake,
  bigquery,
];

export const DUCKDB = duckdb;
