import { UsageError } from '../../cli/usage-error.ts';
import { suggestion } from '../../contract/nearest.ts';
import type { TableFormat } from '../spark.ts';
import type { Dialect } from './tokens.ts';

/** The engine that a script runs in: one that is embedded, or a server under a URL. */
export interface EngineChoice {
  readonly kind: EngineKind;
  /** Null where the engine is embedded. */
  readonly url: string | null;
  /** On Spark, the kind of tables. */
  readonly format?: TableFormat;
}

export function dialectOf(kind: EngineKind): Dialect {
  return kind === 'mysql' || kind === 'spark' ? kind : 'standard';
}

export type EngineKind = 'duckdb' | 'sqlite' | 'postgres' | 'mysql' | 'spark';

const NAMES: Readonly<Record<string, EngineKind>> = {
  duckdb: 'duckdb',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
  postgres: 'postgres',
  postgresql: 'postgres',
  pglite: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  spark: 'spark',
  'spark-iceberg': 'spark',
  'spark-delta': 'spark',
};

/** Servers by the scheme of their URLs. */
export const SERVERS: Readonly<Record<string, 'postgres' | 'mysql'>> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
};

/**
 * An engine as people write it: `postgres`, `sqlite`, or the URL of a server. `${NAME}` stands for an environment variable, so that a
 * password need not be in a script.
 *
 * @param where where it was written, for messages
 * @throws UsageError which never quotes a password
 */
export function parseEngine(text: string, where: string): EngineChoice {
  const value = text.replace(/\$\{(\w+)\}/g, (_, name: string) => variable(name, where)).trim();
  if (!value.includes('://')) return embedded(value, where);
  const url = URL.canParse(value) ? new URL(value) : null;
  const kind = url === null ? undefined : SERVERS[url.protocol];
  if (kind !== undefined) return { kind, url: value };
  throw new UsageError(
    `${where}: \`${withoutPassword(value)}\` is not the URL of an engine. Write postgres://user@host:5432/database or mysql://user@host:3306/database.`,
  );
}

function embedded(value: string, where: string): EngineChoice {
  const kind = NAMES[value.toLowerCase()];
  if (kind === undefined) {
    throw new UsageError(
      `${where}: there is no engine \`${value}\`.${suggestion(value, Object.keys(NAMES))} A server is named by its URL: postgres://… or mysql://…`,
    );
  }
  if (kind === 'spark') return { kind, url: null, format: value.endsWith('-delta') ? 'delta' : 'iceberg' };
  if (kind !== 'mysql') return { kind, url: null };
  const url = process.env['SCD2CHECK_MYSQL_URL'];
  if (url !== undefined && url !== '') return parseEngine(url, 'SCD2CHECK_MYSQL_URL');
  throw new UsageError(
    `${where}: ${value} runs on a server. Name it with --engine mysql://user@host:3306/database, or in the environment variable SCD2CHECK_MYSQL_URL.`,
  );
}

function variable(name: string, where: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  throw new UsageError(`${where}: the environment variable ${name} is not set.`);
}

/** The text with the passwords of its URLs taken out. */
export function withoutPassword(text: string): string {
  return text
    .replace(/([a-z][\w+.-]*:\/\/[^\s:/@?#]*):[^\s/]*@/gi, '$1:***@')
    .replace(/([?&](?:password|passwd|pwd)=)[^&\s'"]*/gi, '$1***');
}
