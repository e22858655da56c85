import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Program } from '../command/program.ts';
import type { Isolation } from '../isolation/isolation.ts';

export type HostKind = 'function' | 'sql';

/** `Math.random` gives the same numbers in every run: grades repeat. */
const REPEATABLE = ['--random-seed=1'];

const warm = new Map<HostKind, ChildProcess>();

/** Starts a process for which there will be use in a moment, so that it loads its libraries while its parent loads its own. */
export function warmHost(kind: HostKind): ChildProcess {
  const ahead = warm.get(kind) ?? start(kind);
  warm.set(kind, ahead);
  return ahead;
}

/**
 * A process that runs code of others: the one that was started ahead, or a new one. It keeps nobody from ending.
 * @param isolation how it is confined, where it is the code of strangers; null where it is the user's own
 */
export function spawnHost(kind: HostKind, isolation: Isolation | null = null): ChildProcess {
  if (isolation !== null) return start(kind, isolation);
  const ahead = warm.get(kind);
  warm.delete(kind);
  if (ahead?.pid !== undefined && ahead.exitCode === null && ahead.signalCode === null) return ahead;
  return start(kind);
}

/** Kills a host and all that it started: it leads a process group of its own. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  if (groups.delete(pid) && groups.size === 0) process.removeListener('exit', killAll);
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function start(kind: HostKind, isolation: Isolation | null = null): ChildProcess {
  // Local time is UTC, as the instants are that user code is told: verdicts do not depend on the machine.
  const own: Program = {
    argv: [process.execPath, ...(isolation === null ? [] : REPEATABLE), ...nodeArguments('main'), kind],
    env: { ...process.env, TZ: 'UTC' },
  };
  const { argv, env, cwd } = isolation?.confine(own) ?? own;
  const child = spawn(argv[0]!, argv.slice(1), {
    detached: process.platform !== 'win32',
    env,
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  // Whoever takes the host listens for himself; until then an error must not end the harness.
  child.on('error', () => {});
  // A host that waits keeps nobody from ending; a call that runs does, by its timer.
  child.unref();
  for (const stream of child.stdio) (stream as Socket | null)?.unref();
  if (child.pid !== undefined) remember(child.pid);
  return child;
}

/** Node's arguments that run a file, named by its path from this folder without an ending: compiled, or its source through jiti. */
export function nodeArguments(name: string): string[] {
  const source = import.meta.url.endsWith('.ts');
  const main = fileURLToPath(new URL(`./${name}.${source ? 'ts' : 'js'}`, import.meta.url));
  return [...(source ? ['--import', jitiRegister()] : []), main];
}

function jitiRegister(): string {
  const manifest = createRequire(import.meta.url).resolve('jiti/package.json');
  return new URL('./lib/jiti-register.mjs', pathToFileURL(manifest)).href;
}

const groups = new Set<number>();

/** However the harness ends, short of being killed, its hosts end with it; if it is killed, they see their socket close. */
function remember(pid: number): void {
  if (groups.size === 0) process.once('exit', killAll);
  groups.add(pid);
}

function killAll(): void {
  for (const pid of [...groups]) killGroup(pid);
}
