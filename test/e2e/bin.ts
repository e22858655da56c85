import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The built command line, as people run it: a process in a folder. */
export const BIN = join(import.meta.dirname, '..', '..', 'bin', 'scd2check.js');

if (!existsSync(join(import.meta.dirname, '..', '..', 'dist', 'src', 'cli', 'main.js'))) {
  throw new Error('These tests run what was built, and there is no dist/. Run `npm run build` first.');
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts it in a folder. */
export function start(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  return startProgram([process.execPath, BIN, ...args], folder, env);
}

/** As `scd2check`, with a terminal for its output. */
export function onTerminal(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const pty = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
  return startProgram(['python3', '-c', pty, process.execPath, BIN, ...args], folder, env).ended;
}

function startProgram(
  [program, ...args]: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Started {
  const began = performance.now();
  const child = spawn(program!, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) =>
      resolve({ code, signal, stdout: stdout(), stderr: stderr(), ms: performance.now() - began }),
    );
  });
  return { child, ended };
}

/** Runs it in a folder, to its end. */
export function scd2check(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return start(folder, args, env).ended;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Without the line breaks of a narrow page, so that sentences can be found. */
export function unwrapped(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Processes that work in a folder, or have it in their command line. Only Linux tells. */
export function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const isThere = command.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      // What has ended and was not waited for yet has no command line.
      return isThere && command !== '' ? [`${pid} ${command}`] : [];
    } catch {
      return [];
    }
  });
}

/** What is still there after a moment: a process that was killed takes one to go. */
export async function leftOvers(folder: string): Promise<string[]> {
  for (let tries = 0; tries < 20 && processesIn(folder).length > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return processesIn(folder);
}
