import { deserialize, serialize } from 'node:v8';

/**
 * Messages between the harness and a host, over one socket of their own (file descriptor 3 in the host).
 *
 * A frame is a secret of 16 bytes, the length of the payload (32 bits), and the payload in V8's structured-clone
 * format. The harness makes the secret and sends it once, before the first frame. Node's own IPC channel is not
 * used because user code can reach it: `process.send` would put its messages among ours, and bytes written to the
 * channel's descriptor throw inside the parent where nothing can catch them. Here they are a `FrameError`.
 */
export const SECRET_BYTES = 16;
const HEADER_BYTES = SECRET_BYTES + 4;

export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Header and payload, to be written one after the other. */
export function encodeFrame(secret: Uint8Array, message: unknown): [header: Buffer, payload: Buffer] {
  const payload = serialize(message);
  const header = Buffer.alloc(HEADER_BYTES);
  header.set(secret);
  header.writeUInt32BE(payload.length, SECRET_BYTES);
  return [header, payload];
}

/** Puts chunks of a stream together again into messages. */
export class FrameReader {
  #secret: Uint8Array | null;
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #payloadBytes: number | null = null;

  /** With `secret` null, the stream begins with it. */
  constructor(secret: Uint8Array | null, maxBytes: number) {
    this.#secret = secret;
    this.#maxBytes = maxBytes;
  }

  get secret(): Uint8Array {
    if (this.#secret === null) throw new FrameError('no secret has arrived yet');
    return this.#secret;
  }

  /** Messages that are complete with this chunk. Throws `FrameError` where the stream is not ours. */
  push(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    const messages: unknown[] = [];
    for (;;) {
      if (this.#secret === null) {
        if (this.#buffered < SECRET_BYTES) return messages;
        this.#secret = this.#take(SECRET_BYTES);
      }
      this.#payloadBytes ??= this.#readHeader();
      if (this.#payloadBytes === null || this.#buffered < this.#payloadBytes) return messages;
      messages.push(decode(this.#take(this.#payloadBytes)));
      this.#payloadBytes = null;
    }
  }

  #readHeader(): number | null {
    if (this.#buffered < HEADER_BYTES) return null;
    const header = this.#take(HEADER_BYTES);
    if (!header.subarray(0, SECRET_BYTES).equals(this.secret))
      throw new FrameError('bytes of another origin');
    const length = header.readUInt32BE(SECRET_BYTES);
    if (length > this.#maxBytes) throw new FrameError(`a message of ${length} bytes, over ${this.#maxBytes}`);
    return length;
  }

  #take(bytes: number): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#buffered);
    this.#chunks = all.length === bytes ? [] : [all.subarray(bytes)];
    this.#buffered -= bytes;
    return all.subarray(0, bytes);
  }
}

function decode(payload: Buffer): unknown {
  try {
    return deserialize(payload);
  } catch (error) {
    throw new FrameError(`a message that cannot be decoded: ${(error as Error).message}`);
  }
}
