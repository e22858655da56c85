import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { Tail } from '../host/tail.ts';

/** What to start, and where. */
export interface Program {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
}

export type Ending =
  | { readonly how: 'exit'; readonly code: number }
  | { readonly how: 'signal'; readonly signal: string }
  | { readonly how: 'not-started'; readonly error: NodeJS.ErrnoException };

const STDERR_KEPT = 64 * 1024;

/**
 * How long a program that has ended may still have output in its pipes. Only what left its process group (a
 * daemon that keeps the pipe open) makes this wait run out.
 */
const DRAIN_MS = 500;

const running = new Set<RunningProgram>();
let watchingExit = false;

/**
 * Somebody's program, running. It leads a process group of its own, and the group ends with it: what a shell or an
 * interpreter started must not outlive the call that it was started for. The group is killed outright (SIGKILL), also
 * when the harness itself exits. Ctrl-C does not reach it: the runner closes what it opened.
 */
export class RunningProgram {
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  /** How it ended, once its output has been read to the end. Never rejects. */
  readonly ended: Promise<Ending>;
  /** Set as soon as it has ended. */
  ending: Ending | null = null;
  readonly #child: ChildProcess | null;
  readonly #stderr = new Tail(STDERR_KEPT);

  constructor(program: Program) {
    const child = start(program);
    this.#child = child instanceof Error ? null : child;
    this.stdin = this.#child?.stdin ?? null;
    this.stdout = this.#child?.stdout ?? null;
    this.ended = child instanceof Error ? this.#notStarted(child) : this.#watch(child);
  }

  /** The end of its error stream so far. */
  get stderr(): string {
    return this.#stderr.text();
  }

  /** Kills the whole process group. Safe to call at any time. */
  kill(): void {
    if (this.ending !== null) return;
    this.#killGroup();
  }

  /** Kills it, and waits until it is gone. */
  async end(): Promise<Ending> {
    this.kill();
    return this.ended;
  }

  #notStarted(error: NodeJS.ErrnoException): Promise<Ending> {
    this.ending = { how: 'not-started', error };
    return Promise.resolve(this.ending);
  }

  #watch(child: ChildProcess): Promise<Ending> {
    endWithHarness(this);
    volunteerForOutOfMemory(child.pid);
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    // A program that does not read its input, or has ended, breaks the pipe. Its ending or its silence tells the story.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => {});
    return new Promise((resolve) => {
      child.once('error', (error) => {
        if (child.pid !== undefined) return;
        running.delete(this);
        this.ending = { how: 'not-started', error };
        resolve(this.ending);
      });
      child.once('exit', (code, signal) => {
        this.#killGroup();
        running.delete(this);
        const ending: Ending = signal === null ? { how: 'exit', code: code ?? 0 } : { how: 'signal', signal };
        this.ending = ending;
        const drained = () => {
          clearTimeout(timer);
          child.stdout?.destroy();
          child.stderr?.destroy();
          resolve(ending);
        };
        const timer = setTimeout(drained, DRAIN_MS);
        child.once('close', drained);
      });
    });
  }

  #killGroup(): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // No such group: everything in it has ended, or (Windows) there are no groups.
      this.#child?.kill('SIGKILL');
    }
  }
}

/** How it ended, for a sentence: "it ended with exit code 3". */
export function describeEnding(ending: Ending): string {
  if (ending.how === 'exit') return `it ended with exit code ${ending.code}`;
  if (ending.how === 'signal') {
    const why = ending.signal === 'SIGKILL' ? ', as it does where memory runs out' : '';
    return `it was ended by signal ${ending.signal}${why}`;
  }
  return `it could not be started (${ending.error.code ?? ending.error.message})`;
}

function start(program: Program): ChildProcess | NodeJS.ErrnoException {
  const [command = '', ...args] = program.argv;
  try {
    return spawn(command, args, {
      ...(program.cwd === undefined ? {} : { cwd: program.cwd }),
      env: program.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** Where memory runs out on Linux, the kernel should end it (and what it starts) and not the harness. */
function volunteerForOutOfMemory(pid: number | undefined): void {
  try {
    if (process.platform === 'linux' && pid !== undefined)
      writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // It has ended already, or that is not allowed.
  }
}

function endWithHarness(program: RunningProgram): void {
  running.add(program);
  if (watchingExit) return;
  watchingExit = true;
  process.on('exit', () => {
    for (const each of running) each.kill();
  });
}
