/** Entry of the process that `sweeper.ts` starts: reads what to sweep, waits for the end of its input, sweeps. */
import { text } from 'node:stream/consumers';
import type { EngineSource } from './calls.ts';

const { kind, url, prefix } = JSON.parse(await text(process.stdin)) as EngineSource;
if (kind === 'postgres') await (await import('./engines/postgres-server.ts')).dropPostgres(url!, prefix);
else await (await import('./engines/mysql.ts')).dropMysql(url!, prefix);
