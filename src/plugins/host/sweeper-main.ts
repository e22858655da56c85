/** Entry of the process that `sweeper.ts` starts: reads what to sweep, waits for the end of its input, sweeps. */
import { text } from 'node:stream/consumers';
import type { EngineSource } from './calls.ts';

const { kind, url, prefix, spark, format } = JSON.parse(await text(process.stdin)) as EngineSource;
if (kind === 'postgres') await (await import('./engines/postgres-server.ts')).dropPostgres(url!, prefix);
else if (kind === 'spark') await (await import('./engines/spark.ts')).sweepSpark(spark!, format!);
else await (await import('./engines/mysql.ts')).dropMysql(url!, prefix);
