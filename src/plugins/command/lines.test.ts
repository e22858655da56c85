import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type Line, LineReader } from './lines.ts';

function reading(limit = 100) {
  const stream = new PassThrough();
  return { stream, reader: new LineReader(stream, limit) };
}

const textOf = (line: Line) => (line.kind === 'line' ? line.bytes.toString() : line.kind);

describe('lines of a stream', () => {
  test('come one at a time, however they were cut into chunks', async () => {
    const { stream, reader } = reading();
    for (const chunk of ['a', 'b\nc', 'd\n', '\n  \r\n', 'e\nf']) stream.write(chunk);
    stream.end();
    const lines = [];
    for (let i = 0; i < 6; i++) lines.push(textOf(await reader.next()));
    expect(lines).toEqual(['ab', 'cd', 'e', 'f', 'end', 'end']);
  });

  test('a line over the limit ends the reading, and says how it began', async () => {
    const { stream, reader } = reading(10);
    stream.write('0123456');
    stream.write('789abcdef');
    const line = await reader.next();
    expect(line).toMatchObject({ kind: 'too-long', limit: 10 });
    expect(line.kind === 'too-long' && line.head.toString()).toBe('0123456789abcdef');
    // Whoever writes is not cut off, which would be its last word; it has no effect any more.
    expect(stream.destroyed).toBe(false);
    expect((await reader.next()).kind).toBe('too-long');
  });

  test('whoever writes more than is asked for has to wait', async () => {
    const { stream, reader } = reading();
    stream.write('one\ntwo\n');
    await expect.poll(() => stream.isPaused()).toBe(true);
    expect(textOf(await reader.next())).toBe('one');
    expect(textOf(reader.peek()!)).toBe('two');
    expect(textOf(await reader.next())).toBe('two');
    expect(stream.isPaused()).toBe(false);
    expect(reader.peek()).toBeNull();
  });
});
