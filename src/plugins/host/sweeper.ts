import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { EngineSource } from './calls.ts';
import { nodeArguments } from './spawn.ts';

/** Takes away what a run leaves on a server. */
export interface Sweeper {
  /** Waits until all is gone. */
  end(): Promise<void>;
}

/** How long a server may take to drop a few databases before nobody waits any longer; the sweeper itself goes on. */
const PATIENCE_MS = 10_000;

/**
 * Starts a process that waits until this one ends, in whatever way, and then drops the run's databases. A host cannot do that: it is killed
 * where a script never returns, and the statement goes on in the server. What it must know, a password perhaps, goes through its standard
 * input and not through its arguments, which everybody can read.
 */
export function startSweeper(source: EngineSource): Sweeper {
  const child = spawn(process.execPath, nodeArguments('sweeper-main'), {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  const input = child.stdin as NonNullable<ChildProcess['stdin']> & { unref(): void };
  input.on('error', () => {});
  input.write(`${JSON.stringify(source)}\n`);
  input.unref();
  const ended = once(child, 'exit').catch(() => undefined);
  return {
    async end() {
      input.end();
      child.ref();
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS);
      });
      await Promise.race([ended, patience]);
      clearTimeout(timer);
      child.unref();
    },
  };
}
