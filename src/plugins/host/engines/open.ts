import type { EngineSource } from '../calls.ts';
import type { Engine } from './engine.ts';

/**
 * The engine that was chosen, each loaded when it is needed.
 * @throws ImplementationFailure of kind `usage` where its driver is missing, or its server does not let us in
 */
export async function openEngine(source: EngineSource): Promise<Engine> {
  const engine = await load(source);
  // Whether the server gives a session its own database is known only when one is asked for.
  if (source.url !== null) await (await engine.open()).close();
  return engine;
}

let duckdb: Promise<typeof import('./duckdb.ts')> | null = null;

/** DuckDB, loaded once however often it is asked for: whoever asks while it loads waits for the same. */
export function loadDuckDb(): Promise<typeof import('./duckdb.ts')> {
  duckdb ??= import('./duckdb.ts');
  return duckdb;
}

async function load({ kind, url, prefix }: EngineSource): Promise<Engine> {
  switch (kind) {
    case 'duckdb':
      return (await loadDuckDb()).duckDb();
    case 'sqlite':
      return (await import('./sqlite.ts')).sqlite();
    case 'postgres':
      return (await import('./postgres.ts')).postgres(url, prefix);
    case 'mysql':
      return (await import('./mysql.ts')).mysql(url!, prefix);
  }
}
