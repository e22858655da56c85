/**
 * What differs between engines where the table checks are written down: how a name is quoted, how an instant becomes microseconds, and how
 * a value becomes text that is equal exactly where the value is. Everything else in the checks is SQL that all of them read.
 */
export interface Dialect {
  readonly id: string;
  quote(name: string): string;
  /** An instant column as microseconds since the epoch; BIGINT. */
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
}

const doubleQuoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const backQuoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;
const piped = (parts: readonly string[]) => parts.join(' || ');
const called = (parts: readonly string[]) => `concat(${parts.join(', ')})`;
const cast = (type: string) => (expression: string) => `CAST(${expression} AS ${type})`;
const literal = (iso: string) => `TIMESTAMP '${iso.replace('T', ' ').replace(/Z$/, '')}'`;
const length = (text: string) => `length(${text})`;

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
};

const postgres: Dialect = {
  ...duckdb,
  id: 'postgres',
  // `timestamp` and `date` have no zone and count as UTC; numeric keeps every microsecond.
  micros: (expression) => `CAST(EXTRACT(EPOCH FROM ${expression}) * 1000000 AS BIGINT)`,
  textType: 'TEXT',
  text: (expression) => `(CAST(${expression} AS TEXT) COLLATE "C")`,
};

const mysql: Dialect = {
  id: 'mysql',
  quote: backQuoted,
  micros: (expression) => `TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', ${expression})`,
  isFinite: null,
  textType: 'CHAR',
  // The usual collations take `a` and `A`, and `a` and `a `, for the same.
  text: (expression) => `CAST(CAST(${expression} AS CHAR) AS BINARY)`,
  length,
  concat: called,
  timestamp: literal,
};

const sqlite: Dialect = {
  id: 'sqlite',
  quote: doubleQuoted,
  // Instants are ISO text there; its own functions stop at milliseconds.
  micros: (expression) =>
    `(CAST(strftime('%s', substr(${expression}, 1, 19)) AS INTEGER) * 1000000 + CASE WHEN instr(${expression}, '.') > 0 THEN CAST(substr(replace(substr(${expression}, instr(${expression}, '.') + 1), 'Z', '') || '000000', 1, 6) AS INTEGER) ELSE 0 END)`,
  isFinite: null,
  textType: 'TEXT',
  text: cast('TEXT'),
  length,
  concat: piped,
  timestamp: (iso) => `'${iso.replace(/Z$/, '')}'`,
};

const spark: Dialect = {
  id: 'spark',
  quote: backQuoted,
  micros: (expression) => `unix_micros(CAST(${expression} AS TIMESTAMP))`,
  isFinite: null,
  textType: 'STRING',
  text: cast('STRING'),
  length,
  concat: called,
  timestamp: literal,
};

const trino: Dialect = {
  id: 'trino',
  quote: doubleQuoted,
  micros: (expression) =>
    `(date_diff('second', TIMESTAMP '1970-01-01 00:00:00', date_trunc('second', CAST(${expression} AS TIMESTAMP(6)))) * 1000000 + CAST(date_format(CAST(${expression} AS TIMESTAMP(6)), '%f') AS BIGINT))`,
  isFinite: null,
  textType: 'VARCHAR',
  text: cast('VARCHAR'),
  length,
  concat: piped,
  timestamp: literal,
};

const snowflake: Dialect = {
  id: 'snowflake',
  quote: doubleQuoted,
  micros: (expression) => `DATE_PART(EPOCH_MICROSECOND, CAST(${expression} AS TIMESTAMP_NTZ))`,
  isFinite: null,
  textType: 'VARCHAR',
  text: cast('VARCHAR'),
  length,
  concat: piped,
  timestamp: literal,
};

const bigquery: Dialect = {
  id: 'bigquery',
  quote: (name) => `\`${name.replaceAll('`', '\\`')}\``,
  micros: (expression) => `UNIX_MICROS(TIMESTAMP(${expression}))`,
  isFinite: null,
  textType: 'STRING',
  text: cast('STRING'),
  length,
  concat: called,
  timestamp: literal,
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
