import { afterEach, describe, expect, test } from 'vitest';
import { failureOf, fixture, LIMITS } from '../../../test/fixtures/command/setup.ts';
import { openCommand } from '../command.ts';
import type { OpenedImplementation } from '../opened.ts';

let opened: OpenedImplementation | null = null;

async function open(argv: string[], limits = LIMITS): Promise<OpenedImplementation> {
  opened = await openCommand(argv, limits);
  return opened;
}

const zoo = (flaw: string, limits = LIMITS) => open(['node', fixture('zoo.mjs'), flaw], limits);

afterEach(async () => {
  await opened?.close();
  opened = null;
});

describe('which form a command has is found out by trying', () => {
  test('one that answers hello speaks the protocol, and says what it is', async () => {
    const found = await open(['node', fixture('good-protocol.mjs')]);
    expect(found).toMatchObject({ name: 'good-protocol', kind: 'command', anyColumns: true });
    expect(found.declared.map(({ name, value }) => [name, value])).toEqual([
      ['deletes', 'close'],
      ['key', 'customer_id TEXT'],
    ]);
  });

  test('one that prints a state for an empty batch is plain', async () => {
    const found = await open(['node', fixture('good-plain.mjs')]);
    expect(found).toMatchObject({ kind: 'command', anyColumns: false, declared: [] });
  });

  test('so is one in Python, which waits for the end of its input', async () => {
    expect((await open(['python3', fixture('good-plain.py')])).name).toContain('good-plain.py');
  });

  test('a slow start is waited for', async () => {
    expect((await zoo('slow-start')).kind).toBe('command');
  });
});

describe('a command that answers in neither form is told both stories', () => {
  test.each([
    ['exit-0', [/before it answered it ended with exit code 0/, /exit code 0 and printed nothing/]],
    ['exit-3', [/ended with exit code 3/, /no module named warehouse/]],
    ['rubbish', [/answered `Loading configuration\.\.\.`, which is not JSON/, /standard error/]],
    ['not-utf8', [/not UTF-8, from byte 12/, /caf\\xe9/]],
    ['wrong-id', [/with the id "x1" instead of/, /printed nothing/]],
    ['no-id', [/with no id instead of/]],
    ['number-id', [/with the id 7 instead of/]],
    ['array', [/answered `\[\]`\. An answer is a JSON object/]],
    ['protocol-2', [/`protocol` is 2, and this harness speaks 1/]],
  ])('%s', async (flaw, stories) => {
    const failure = await failureOf(zoo(flaw));
    expect(failure.kind).toBe('start');
    expect(failure.message).toMatch(/As a process that stays up.*\n.*As a process started for each batch/);
    for (const story of stories) expect(failure.message).toMatch(story);
  });

  test('an endless loop ends with the time for hello', async () => {
    const began = performance.now();
    const failure = await failureOf(zoo('loop', { startMs: 800, callMs: 800 }));
    expect(performance.now() - began).toBeLessThan(5000);
    expect(failure.message).toMatch(/no answer within 800 ms/);
    expect(failure.message).toMatch(/had not ended after 800 ms/);
  });

  test('200 MB on one line are not taken in', async () => {
    const before = process.memoryUsage().rss;
    const failure = await failureOf(zoo('long-line'));
    expect(failure.message).toMatch(/more than 64 MiB on one line, beginning `xxx/);
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
  });
});

describe('a command that cannot be started says so at once', () => {
  test.each([
    [['no-such-program'], /no program `no-such-program` on the PATH/],
    [['./no-such-file'], /no program `\.\/no-such-file` in/],
    [[fixture('good-plain.py')], /not executable.*chmod \+x/],
    [[fixture('.')], /is a folder/],
    [[], /no command to test/],
  ])('%j', async (argv, story) => {
    const failure = await failureOf(open(argv));
    expect(failure.kind).toBe('start');
    expect(failure.message).toMatch(story);
  });

  test('so does one whose folder is missing', async () => {
    const failure = await failureOf(openCommand(['node'], LIMITS, { cwd: '/no/such/folder' }));
    expect(failure.message).toMatch(/folder `\/no\/such\/folder`.*does not exist/);
  });
});
