import type { EngineSource } from '../calls.ts';
import { duckDb } from './duckdb.ts';
import type { Engine } from './engine.ts';

/**
 * The engine that was chosen. DuckDB, which most scripts run in, is loaded before anything is asked: a host may come up ahead of its script.
 * The others are loaded when they are needed.
 * @throws ImplementationFailure of kind `usage` where its driver is missing, or its server does not let us in
 */
export async function openEngine(source: EngineSource): Promise<Engine> {
  const engine = await load(source);
  // Whether the server gives a session its own database is known only when one is asked for.
  if (source.url !== null) await (await engine.open()).close();
  return engine;
}

async function load({ kind, url, prefix, spark, format }: EngineSource): Promise<Engine> {
  switch (kind) {
    case 'duckdb':
      return duckDb();
    case 'sqlite':
      return (await import('./sqlite.ts')).sqlite();
    case 'postgres':
      return (await import('./postgres.ts')).postgres(url, prefix);
    case 'mysql':
      return (await import('./mysql.ts')).mysql(url!, prefix);
    case 'spark':
      return (await import('./spark.ts')).spark(spark!, format!);
  }
}
