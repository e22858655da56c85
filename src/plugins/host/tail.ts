/** The end of a stream of text: whatever is written, no more than twice `maxBytes` are held. */
export class Tail {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #dropped = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > 2 * this.#maxBytes) this.#trim();
  }

  /** At most `maxBytes`, beginning with `…` where something was dropped. */
  text(): string {
    this.#trim();
    const text = Buffer.concat(this.#chunks).toString('utf8');
    return this.#dropped ? `…${text.replace(/^\uFFFD+/, '')}` : text;
  }

  #trim(): void {
    if (this.#bytes <= this.#maxBytes) return;
    // A copy, so that the large buffer behind the last chunk can be freed.
    const kept = Buffer.from(Buffer.concat(this.#chunks).subarray(-this.#maxBytes));
    this.#chunks = [kept];
    this.#bytes = kept.length;
    this.#dropped = true;
  }
}
