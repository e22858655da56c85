import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux shows shared memory and named semaphores as files. */
const SHARED_MEMORY = '/dev/shm';

/** What libfaketime makes for each program: a counter and its lock, named after the process. */
const NAME = /^(?:sem\.faketime_sem_|faketime_shm_)(\d+)$/;

/**
 * libfaketime takes these away when its program ends, but not when that is killed. A later program that is given the number of a dead one then
 * finds a lock that is there already, and libfaketime shows it the real time without a word; a counter that is there ends it. So what belongs to
 * no living process goes before a program starts.
 */
export function removeLeftovers(folder = SHARED_MEMORY): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return; // Not Linux: the names are no files there.
  }
  for (const name of names) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { force: true });
    } catch {
      // Another user's: it stays, as it would without us.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be asked, and is alive.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
