import { randomUUID } from 'node:crypto';
import { type FailureKind, ImplementationFailure } from '../implementation.ts';
import { printJson, tryParseJson } from './json.ts';
import { type Line, LineReader } from './lines.ts';
import { describeEnding, type Program, RunningProgram } from './program.ts';
import { lastLine, quote, quoteJson } from './quote.ts';
import { aroundInvalidUtf8, decodeUtf8 } from './utf8.ts';
import { mebibytes, notJson, OWN_STDOUT, SILENCE, STUCK, seconds } from './words.ts';

/**
 * The client of line protocol 1, for one running program.
 *
 * A request is one JSON object on a line of the program's standard input; its answer is one JSON object on a line of
 * its standard output, with the same `id`. One request is in flight at a time. Ids cannot be guessed, so an answer with
 * the right one was made after the request was read. Whatever is not such an answer (other text, bytes that are not
 * UTF-8, a line without end, an ending, silence) fails the request, kills the program's process group, and fails
 * every later request alike: after one wrong line nothing that follows can be matched to what was asked.
 *
 * It does not repeat requests. It bounds memory by the longest line, and trusts nothing else in an answer than that
 * it is an object: what must be in it is for the caller to say, through `refuse`.
 */
export class ProtocolClient {
  readonly #program: RunningProgram;
  readonly #reader: LineReader | null;
  #subject = 'It';
  #inFlight = false;
  #failure: ImplementationFailure | null = null;

  constructor(program: Program) {
    this.#program = new RunningProgram(program);
    const { stdout } = this.#program;
    this.#reader = stdout === null ? null : new LineReader(stdout, LONGEST_BEFORE_HELLO);
  }

  get stderr(): string {
    return this.#program.stderr;
  }

  /** Whether it can take another request. */
  get usable(): boolean {
    return this.#failure === null && this.#program.ending === null && !this.#inFlight;
  }

  /** Sends one message and gives its answer. `limitMs` counts from now to the answer's last byte. */
  async request(op: string, fields: object, limitMs: number): Promise<Answer> {
    if (this.#failure !== null) throw this.#failure;
    if (this.#inFlight) throw new Error(`scd2check sent ${op} while another request was in flight`);
    this.#inFlight = true;
    try {
      return await this.#exchange(op, fields, limitMs);
    } finally {
      this.#inFlight = false;
    }
  }

  /** What messages call the program, at the front of a sentence. */
  get subject(): string {
    return this.#subject;
  }

  /** The program has shown that it speaks the protocol: longer lines are believable, and messages call it by its name. */
  helloDone(name: string): void {
    this.#subject = `\`${name}\``;
    if (this.#reader !== null) this.#reader.limit = LONGEST_AFTER_HELLO;
  }

  /** For an answer that is an object with the right id, but does not say what it has to. Never returns. */
  async refuse(kind: FailureKind, message: string): Promise<never> {
    return this.#fail(kind, message);
  }

  /** Ends it without a word. */
  async kill(): Promise<void> {
    await this.#program.end();
  }

  /** Says `bye`, gives it a moment to end by itself, and ends it. */
  async bye(): Promise<void> {
    if (this.usable) {
      this.#program.stdin?.end(`${JSON.stringify({ op: 'bye', id: randomUUID() })}\n`);
      await Promise.race([this.#program.ended, delay(BYE_MS)]);
    }
    await this.kill();
  }

  async #exchange(op: string, fields: object, limitMs: number): Promise<Answer> {
    const id = randomUUID();
    const stray = this.#reader?.peek();
    if (stray?.kind === 'line') {
      return this.#fail(
        'protocol',
        `${this.#subject}, before it was asked for anything more (\`${op}\` was next), ${wrote(stray)}. ${OWN_STDOUT}`,
      );
    }
    const request = printJson({ op, id, ...fields });
    this.#program.stdin?.write(`${request}\n`);
    const line = await this.#nextLine(limitMs);
    const sent = `${this.#subject} was sent \`${op}\` (${quote(request, 120)})`;
    if (line === 'timeout') {
      const todo = op === 'hello' ? SILENCE : STUCK;
      return this.#fail('timeout', `${sent} and gave no answer within ${seconds(limitMs)}. ${todo}`);
    }
    if (line.kind === 'end') return this.#failAtEnd(sent);
    if (line.kind === 'too-long') {
      return this.#fail(
        'protocol',
        `${sent} and wrote more than ${mebibytes(line.limit)} on one line, beginning ${quote(line.head.subarray(0, 60))}… An answer is one JSON object on one line; end it with a newline, and send logs to standard error.`,
      );
    }
    return this.#answer(line.bytes, id, op, sent);
  }

  async #answer(bytes: Buffer, id: string, op: string, sent: string): Promise<Answer> {
    const text = decodeUtf8(bytes);
    if (text === null) {
      const { at, near } = aroundInvalidUtf8(bytes);
      return this.#fail(
        'protocol',
        `${sent} and answered with bytes that are not UTF-8, from byte ${at} of the line: ${quote(near)}. Write UTF-8, whatever the locale says.`,
      );
    }
    const answered = `${sent} and answered ${quote(text)}`;
    const json = tryParseJson(text);
    if ('error' in json) {
      return this.#fail(
        'protocol',
        `${answered}, which is not JSON (${json.error}). ${notJson(text, OWN_STDOUT)}`,
      );
    }
    const { value } = json;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.#fail(
        'protocol',
        `${answered}. An answer is a JSON object, such as {"id": "…"}, on one line.`,
      );
    }
    const answer = value as Answer;
    if (answer['id'] !== id) {
      const story = 'id' in answer ? `the id ${quoteJson(answer['id'])}` : 'no id';
      return this.#fail(
        'protocol',
        `${answered}, with ${story} instead of "${id}". Give the request's id back unchanged, and answer each request once: without it no answer to \`${op}\` can be told from an older one.`,
      );
    }
    return answer;
  }

  async #nextLine(limitMs: number): Promise<Line | 'timeout'> {
    if (this.#reader === null) return { kind: 'end' };
    const reader = this.#reader;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<'timeout'>((resolve) => {
      timer = setTimeout(() => resolve('timeout'), limitMs);
    });
    // Where something that escaped the process group holds the pipe open, the end of the program is the end of output.
    const over = this.#program.ended.then((): Line => reader.peek() ?? { kind: 'end' });
    try {
      return await Promise.race([reader.next(), over, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #failAtEnd(sent: string): Promise<never> {
    await Promise.race([this.#program.ended, delay(ENDING_MS)]);
    const { ending } = this.#program;
    if (ending?.how === 'not-started') return this.#fail('start', describeEnding(ending));
    if (ending === null) {
      return this.#fail(
        'protocol',
        `${sent} and closed its standard output without an answer. Keep it open until \`bye\`.`,
      );
    }
    const last = lastLine(this.stderr);
    const said =
      last === null ? 'Its error stream is empty' : `Its error stream ends with ${quote(last, 300)}`;
    return this.#fail(
      'crash',
      `${sent}, and before it answered ${describeEnding(ending)}. ${said}. A process that speaks the protocol stays up until it is sent \`bye\`, and answers \`"status": "errored"\` where a batch cannot be applied.`,
    );
  }

  async #fail(kind: FailureKind, message: string): Promise<never> {
    await this.kill();
    this.#failure = new ImplementationFailure(kind, message, this.stderr);
    throw this.#failure;
  }
}

export type Answer = Readonly<Record<string, unknown>>;

/** No greeting is this long, and a program that is not the implementation at all is stopped early. */
const LONGEST_BEFORE_HELLO = 64 * 1024 * 1024;
/** Some millions of rows. Node cannot hold a text of more than 512 MiB. */
const LONGEST_AFTER_HELLO = 256 * 1024 * 1024;

const BYE_MS = 1000;
/** Between the end of its output and the end of the process itself. */
const ENDING_MS = 500;

function wrote(line: Line): string {
  return line.kind === 'line' ? `wrote ${quote(line.bytes)}` : 'wrote';
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
