import { readdirSync, readFileSync } from 'node:fs';
import type { IsolationLimits } from './isolation.ts';

/** What all descendants of this process take together. */
export interface Taken {
  readonly pids: readonly number[];
  /** Processes and threads. */
  readonly processes: number;
  /** Memory that is theirs alone. */
  readonly bytes: number;
}

const INTERVAL_MS = 100;

/**
 * Counts what the descendants of this process take, ten times a second, and ends them all where it is too much: limits of the system are for each
 * process, and fifty small ones are one large one. Linux only; elsewhere it does nothing.
 *
 * @param onExceeded told once for each time they were ended, with what was too much
 * @returns stops watching
 */
export function watchDescendants(
  limits: Pick<IsolationLimits, 'memoryBytes' | 'processes'>,
  onExceeded: (words: string) => void,
): () => void {
  if (process.platform !== 'linux') return () => undefined;
  const timer = setInterval(() => {
    const taken = takenByDescendants(process.pid);
    const words = tooMuch(taken, limits);
    if (words === null) return;
    for (const pid of taken.pids) end(pid);
    onExceeded(words);
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** A little over the limit for each process, which should be met first: its message is the better one. */
const SLACK = 1.25;

function tooMuch(
  { bytes, processes }: Taken,
  limits: Pick<IsolationLimits, 'memoryBytes' | 'processes'>,
): string | null {
  if (bytes > limits.memoryBytes * SLACK)
    return `its processes took more than ${limits.memoryBytes / 2 ** 20} MiB of memory together`;
  if (processes > limits.processes * SLACK)
    return `it had more than ${limits.processes} processes and threads at a time`;
  return null;
}

export function takenByDescendants(root: number): Taken {
  const pids: number[] = [];
  let processes = 0;
  let bytes = 0;
  const waiting = children(root);
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    pids.push(pid);
    processes += Math.max(1, tasks(pid).length);
    bytes += ownBytes(pid);
    waiting.push(...children(pid));
  }
  return { pids, processes, bytes };
}

function tasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has ended.
    return [];
  }
}

function children(pid: number): number[] {
  return tasks(pid).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
}

const PAGE_BYTES = 4096;

/** Resident, without what is shared with others. */
function ownBytes(pid: number): number {
  const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`).split(' ').map(Number);
  return Math.max(0, resident - shared) * PAGE_BYTES;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1').trim();
  } catch {
    return '';
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
