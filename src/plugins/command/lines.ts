import type { Readable } from 'node:stream';

export type Line =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** A line longer than `limit`. What follows is thrown away; `head` is how it begins. */
  | { readonly kind: 'too-long'; readonly head: Buffer; readonly limit: number }
  | { readonly kind: 'end' };

const HEAD = 4096;

/**
 * Lines of a stream of bytes, one at a time, in bounded memory: at most one line (up to `limit` bytes) and one chunk
 * behind it. While a line waits to be asked for, the stream is paused, and whoever writes it has to wait.
 * Lines of blanks are passed over. A last line without its newline counts.
 */
export class LineReader {
  /** The longest line that is accepted from now on, in bytes. */
  limit: number;
  readonly #stream: Readable;
  readonly #ready: Line[] = [];
  #asked: ((line: Line) => void) | null = null;
  #parts: Buffer[] = [];
  #size = 0;
  #over = false;

  constructor(stream: Readable, limit: number) {
    this.limit = limit;
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.once('end', () => this.#finish());
    stream.once('close', () => this.#finish());
  }

  /** A line that has arrived already, without waiting. */
  peek(): Line | null {
    return this.#ready[0] ?? null;
  }

  /** The next line. After the end it is `end`, for ever. */
  next(): Promise<Line> {
    const line = this.#ready[0];
    if (line !== undefined) {
      if (line.kind === 'line') this.#ready.shift();
      if (this.#ready.length === 0) this.#stream.resume();
      return Promise.resolve(line);
    }
    return new Promise((resolve) => {
      this.#asked = resolve;
    });
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    while (!this.#over) {
      const newline = rest.indexOf(10);
      const part = newline === -1 ? rest : rest.subarray(0, newline);
      this.#size += part.length;
      if (this.#size > this.limit) {
        this.#tooLong(part);
        return;
      }
      if (part.length > 0) this.#parts.push(part);
      if (newline === -1) return;
      this.#lineComplete();
      rest = rest.subarray(newline + 1);
    }
  }

  #lineComplete(): void {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    if (!isBlank(bytes)) this.#give({ kind: 'line', bytes });
  }

  #tooLong(part: Buffer): void {
    const head = Buffer.concat([...this.#parts.slice(0, 8), part.subarray(0, HEAD)]).subarray(0, HEAD);
    this.#parts = [];
    this.#over = true;
    this.#give({ kind: 'too-long', head: Buffer.from(head), limit: this.limit });
  }

  #finish(): void {
    if (this.#over) return;
    if (this.#size > 0) this.#lineComplete();
    this.#over = true;
    this.#give({ kind: 'end' });
  }

  #give(line: Line): void {
    const asked = this.#asked;
    this.#asked = null;
    if (asked === null) {
      this.#ready.push(line);
      this.#stream.pause();
      return;
    }
    if (line.kind !== 'line') this.#ready.push(line);
    asked(line);
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length < 1024 && bytes.toString('latin1').trim() === '';
}
