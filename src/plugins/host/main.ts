/**
 * Entry of a host process: `node main.js <kind>`. Answers calls that arrive on file descriptor 3, one after the
 * other. stdout and stderr belong to the user's code. See `client.ts` for the other side.
 */
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { ImplementationFailure } from '../implementation.ts';
import { type Calls, MAX_MESSAGE_BYTES, memoryLimit, type Reply, type Request } from './calls.ts';
import { encodeFrame, FrameReader } from './frame.ts';

const socket = new Socket({ fd: 3, readable: true, writable: true });
const reader = new FrameReader(null, MAX_MESSAGE_BYTES);
const calls = loadCalls(process.argv[2]);
const turns = new Map<number, Promise<void>>();

endInTime();
waitForReaders();
volunteerForOutOfMemory();
socket.on('data', (chunk: Buffer) => {
  for (const message of reader.push(chunk)) {
    const request = message as Request;
    const lane = laneOf(request);
    turns.set(
      lane,
      (turns.get(lane) ?? Promise.resolve()).then(() => answer(request)),
    );
    if (request.name === 'close') turns.delete(lane);
  }
});

/** Sessions of a SQL script are databases of their own, and run at once; user code takes turns. */
function laneOf({ argument }: Request): number {
  return process.argv[2] === 'sql' ? ((argument as { session?: number } | null)?.session ?? 0) : 0;
}

async function loadCalls(kind: string | undefined): Promise<Calls> {
  if (kind === 'function') return (await import('./function.ts')).functionCalls();
  if (kind === 'sql') return (await import('./sql.ts')).sqlCalls();
  throw new Error(`There is no host of the kind "${kind}".`);
}

async function answer({ id, name, argument }: Request): Promise<void> {
  let reply: Reply;
  try {
    const call = (await calls)[name];
    if (call === undefined)
      throw new ImplementationFailure('protocol', `A host has no call named "${name}".`);
    reply = { id, value: await call(argument) };
  } catch (error) {
    const kind = error instanceof ImplementationFailure ? error.kind : 'unreadable';
    reply = { id, failure: { kind, message: error instanceof Error ? error.message : String(error) } };
  }
  for (const part of encodeFrame(reader.secret, reply)) socket.write(part);
}

/** Nobody waits for an answer any more once the parent is gone, or wants one for all the memory there is. */
function endInTime(): void {
  for (const event of ['end', 'close', 'error']) socket.on(event, endGroup);
  // User code that never returns keeps this thread from seeing anything. Another thread watches.
  const watch = `
    const over = () => process.ppid !== ${process.ppid} || process.memoryUsage.rss() > ${memoryLimit()};
    const end = () => { try { process.kill(${groupId()}, 'SIGKILL'); } catch { process.kill(${process.pid}, 'SIGKILL'); } };
    setInterval(() => { if (over()) end(); }, 100);`;
  new Worker(watch, { eval: true }).unref();
}

function endGroup(): void {
  try {
    process.kill(groupId(), 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}

/** This process leads a group, so that what user code started ends with it. Where it is confined, it leads none: all ends with its process space. */
function groupId(): number {
  return process.platform === 'win32' ? process.pid : -process.pid;
}

/** What user code prints leaves before the next line of it runs: nothing piles up here, and no last words are lost. */
function waitForReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    (stream as unknown as { _handle?: { setBlocking?(on: boolean): void } })._handle?.setBlocking?.(true);
  }
}

/** Where memory runs out on Linux, the kernel should end this process and not the harness. */
function volunteerForOutOfMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed.
  }
}
