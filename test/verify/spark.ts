/** `npm run verify:spark`: every wrong solution of the two exercises, on a Spark Connect server of its own. Needs `npm run build`. */
import { join } from 'node:path';
import { checkIn, ROOT } from '../engines/engine.ts';
import { WRONG } from '../engines/spark/wrong.ts';
import { spark, startConnectServer } from '../engines/spark.ts';

const found = await spark();
const server = await startConnectServer(found);
const env = { ...found.env, SCD2CHECK_PYTHON: found.python };
let missed = 0;
try {
  for (const { name, flags, leads } of WRONG) {
    const path = join(ROOT, 'test', 'engines', 'spark', 'broken', `${name}.py`);
    const there = ['--spark-remote', server.url, '--spark-catalog', 'lake'];
    const { exitCode, report } = await checkIn(env, path, ...there, ...flags);
    const first = report.findings[0]?.check ?? 'nothing';
    const isRight = exitCode === 1 && first === leads;
    if (!isRight) missed++;
    console.log(`${isRight ? '✓' : '✗'} ${name}: led by ${first}${isRight ? '' : `, expected ${leads}`}`);
  }
} finally {
  await server.stop();
}
console.log(`${WRONG.length - missed} of ${WRONG.length} are led by the check that they should be.`);
process.exitCode = missed === 0 ? 0 : 1;
