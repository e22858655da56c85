import { spawn } from 'node:child_process';
import { nodeArguments } from '../plugins/host/spawn.ts';
import type { Job, JobResult } from './job.ts';

/** How long a worker may need beyond the time limit of its submission: to load, and to judge what was sent last. */
const GRACE_MS = 60_000;

/**
 * Has workers examine jobs, some at a time, each in a process of its own.
 * @param onResult told in the order in which they are done
 */
export async function examineAll(
  jobs: readonly Job[],
  threads: number,
  signal: AbortSignal,
  onResult: (index: number, result: JobResult) => void,
): Promise<void> {
  const waiting = jobs.entries();
  const one = async () => {
    for (const [index, job] of waiting) {
      if (signal.aborted) return;
      const result = await examineIn(job, signal);
      if (!signal.aborted) onResult(index, result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, one));
}

function examineIn(job: Job, signal: AbortSignal): Promise<JobResult> {
  const child = spawn(process.execPath, nodeArguments('../../grade/worker'), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-KEPT);
    });
  return new Promise((resolve) => {
    let result: JobResult | null = null;
    const limit = setTimeout(() => child.kill('SIGKILL'), job.timeLimitMs + GRACE_MS);
    const stop = () => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 2000).unref();
    };
    signal.addEventListener('abort', stop);
    child.on('message', (message) => {
      result = message as JobResult;
    });
    child.on('error', (error) => {
      said += error.message;
    });
    child.once('close', (code, name) => {
      clearTimeout(limit);
      signal.removeEventListener('abort', stop);
      resolve(result ?? fault(name ?? `exit code ${code}`, said));
    });
    child.send(job, () => undefined);
  });
}

const KEPT = 4096;

function fault(how: string, said: string): JobResult {
  return {
    outcome: 'not-gradable',
    kind: 'fault',
    reason: `The process of scd2check that examined it ended (${how}) without an answer. Grade it again; if it happens again, please report it.`,
    stderr: said,
  };
}
