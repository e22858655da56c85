/**
 * Entry of a worker: the process that examines one submission. It is the harness's own, not the submission's: that runs in processes which the
 * worker starts. A fault here costs one grade and not a class.
 */
import type { Job, JobResult } from './job.ts';

const stopping = new AbortController();

// Ctrl-C reaches the whole group; the parent decides what it means.
for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined);
for (const name of ['SIGTERM', 'disconnect'] as const) {
  process.on(name, () => {
    stopping.abort();
    process.exit(130);
  });
}
process.once('message', async (job: Job) => {
  let result: JobResult;
  try {
    const { examine } = await import('./examine.ts');
    result = await examine(job, stopping.signal);
  } catch (error) {
    const { message, stack } = error as Error;
    result = {
      outcome: 'not-gradable',
      kind: (error as Error).name === 'UsageError' ? 'usage' : 'fault',
      reason: message,
      stderr: process.env['SCD2CHECK_DEBUG'] ? (stack ?? '') : '',
    };
  }
  process.send?.(result, () => process.exit(0));
});
