import type { Readable } from 'node:stream';
import { type Ending, type Program, RunningProgram } from './program.ts';

/** What a program did that was started for one input. */
export interface OneRun {
  /** How it ended, or why it was ended. */
  readonly ending:
    | Ending
    | { readonly how: 'timeout'; readonly limitMs: number }
    | { readonly how: 'too-much'; readonly limit: number };
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * Starts a program, gives it the input and closes it, and waits for its end. It is killed after `limitMs`, once it
 * has written more than `longest` bytes, or when `givenUp` says so.
 */
export async function runOnce(
  program: Program,
  input: string,
  limits: { readonly limitMs: number; readonly longest: number },
  givenUp?: AbortSignal,
): Promise<OneRun> {
  const running = new RunningProgram(program);
  let cut: OneRun['ending'] | null = null;
  const stop = (why: OneRun['ending'] | null) => {
    cut ??= why;
    running.kill();
  };
  const output = collect(running.stdout, limits.longest, () =>
    stop({ how: 'too-much', limit: limits.longest }),
  );
  const timer = setTimeout(() => stop({ how: 'timeout', limitMs: limits.limitMs }), limits.limitMs);
  const abandon = () => stop(null);
  givenUp?.addEventListener('abort', abandon, { once: true });
  if (givenUp?.aborted) abandon();
  running.stdin?.end(input);
  const ending = await running.ended;
  clearTimeout(timer);
  givenUp?.removeEventListener('abort', abandon);
  return { ending: cut ?? ending, stdout: Buffer.concat(output), stderr: running.stderr };
}

function collect(stream: Readable | null, longest: number, tooMuch: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (size > longest) return;
    size += chunk.length;
    chunks.push(chunk);
    if (size <= longest) return;
    // How it begins is enough for the message.
    chunks.length = 1;
    tooMuch();
  });
  return chunks;
}
