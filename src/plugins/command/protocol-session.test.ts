import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import {
  batchOf,
  failureOf,
  fixture,
  IMPATIENT,
  LIMITS,
  setupOf,
} from '../../../test/fixtures/command/setup.ts';
import { rowsFromTable } from '../../duckdb/rows.ts';
import { openCommand } from '../command.ts';
import type { Session } from '../implementation.ts';
import type { OpenedImplementation } from '../opened.ts';

const setup = setupOf();
const customer = { customer_id: 'C1', customer_segment: 'A', street: 'Bahnhofstr. 1' };
let opened: OpenedImplementation | null = null;

async function start(flaw: string, limits = LIMITS): Promise<Session> {
  opened = await openCommand(['node', fixture('zoo.mjs'), flaw], limits);
  return opened.start(setup);
}

const load = (session: Session, index = 0) => session.apply(batchOf(setup, index, [customer]));

afterEach(async () => {
  await opened?.close();
  opened = null;
});

describe('a program that keeps to the protocol', () => {
  test('applies batches and gives its rows back', async () => {
    opened = await openCommand(['node', fixture('good-protocol.mjs')], LIMITS);
    const session = await opened.start(setup);
    expect((await session.read()).numRows).toBe(0);
    expect(await load(session)).toEqual({ status: 'applied' });
    expect(await session.apply(batchOf(setup, 1, [{ ...customer, customer_segment: 'B' }]))).toEqual({
      status: 'applied',
    });
    expect(rowsFromTable(await session.read())).toMatchObject([
      {
        ...customer,
        valid_from: '2026-03-01T06:00:00.000000Z',
        valid_to: '2026-03-02T06:00:00.000000Z',
        is_current: false,
      },
      { customer_segment: 'B', valid_to: null, is_current: true, loaded_by: '{"tool":"fixture"}' },
    ]);
  });

  test('serves session after session, each from an empty dimension, and two at a time', async () => {
    opened = await openCommand(['node', fixture('good-protocol.mjs')], LIMITS);
    const first = await opened.start(setup);
    await load(first);
    const second = await opened.start(setup);
    expect((await second.read()).numRows).toBe(0);
    expect((await first.read()).numRows).toBe(1);
    await first.close();
    await second.close();
    const third = await opened.start(setup);
    expect((await third.read()).numRows).toBe(0);
  });

  test('begins with the rows that it is given', async () => {
    opened = await openCommand(['node', fixture('good-protocol.mjs')], LIMITS);
    const before = await opened.start(setup);
    await load(before);
    const dimension = await before.read();
    const session = await opened.start({ ...setup, dimension });
    expect(rowsFromTable(await session.read())).toEqual(rowsFromTable(dimension));
  });

  test('refuses a batch, or reports an error, with its reason', async () => {
    const rejecting = await start('rejecting');
    expect(await load(rejecting)).toEqual({ status: 'rejected', reason: 'this extract is late' });
    await opened?.close();
    const failing = await start('error-in-third');
    expect(await load(failing, 0)).toEqual({ status: 'applied' });
    expect(await load(failing, 1)).toEqual({ status: 'applied' });
    expect(await load(failing, 2)).toEqual({ status: 'errored', reason: 'ValueError: segment is unknown' });
  });

  test('may bring its rows along with apply', async () => {
    const session = await start('rows-in-apply');
    await load(session);
    expect(rowsFromTable(await session.read())).toMatchObject([{ customer_id: 'from apply' }]);
  });

  test('may call its times by other usual names', async () => {
    const session = await start('tech-names');
    expect(rowsFromTable(await session.read())).toMatchObject([
      { _tech_valid_from: '2026-03-01T06:00:00.000000Z', _tech_valid_to: null },
    ]);
  });
});

describe('a program that does not', () => {
  test.each([
    ['hang-in-apply', 'timeout', /sent `apply`.*no answer within 700 ms/],
    ['exit-in-apply', 'crash', /before it answered it ended with exit code 0/],
    ['die-in-apply', 'crash', /ended by signal SIGSEGV/],
    ['wrong-status', 'protocol', /with the status "ok"/],
    ['no-status', 'protocol', /with no status/],
    [
      'prints-in-apply',
      'protocol',
      /answered `applied one batch`, which is not JSON.*Send prints and logs to standard error/,
    ],
    ['nan', 'protocol', /JSON has no NaN/],
  ])('fails in apply: %s', async (flaw, kind, story) => {
    const session = await start(flaw, IMPATIENT);
    const failure = await failureOf(load(session));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(story);
    // Nothing that is asked later is answered by another process.
    expect(await failureOf(session.read())).toBe(failure);
    await session.close();
    await expect(opened!.start(setup)).resolves.toBeDefined();
  });

  test.each([
    ['no-rows', 'protocol', /answered `read` with no rows/],
    ['tomorrow', 'output', /row 1, column "valid_from": "tomorrow"/],
    ['no-key', 'output', /row 0 .*no column "customer_id"/],
    ['no-start', 'output', /row 0 .*no column "valid_from"/],
    ['row-is-text', 'output', /row 0 .*"C1"/],
  ])('fails in read: %s', async (flaw, kind, story) => {
    const session = await start(flaw);
    await load(session);
    const failure = await failureOf(session.read());
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(story);
  });

  test('fails to start', async () => {
    const failure = await failureOf(start('not-ok'));
    expect(failure.kind).toBe('start');
    expect(failure.message).toMatch(/did not start a session: no warehouse/);
  });

  test('answers twice, and is not believed again', async () => {
    opened = await openCommand(['node', fixture('zoo.mjs'), 'twice'], LIMITS);
    const failure = await failureOf(opened.start(setup));
    expect(failure.message).toMatch(/before it was asked for anything more|instead of/i);
  });

  test('is ended together with what it started', async () => {
    const session = await start('child-in-apply', IMPATIENT);
    const failure = await failureOf(load(session));
    const child = Number(/child (\d+)/.exec(failure.stderr)![1]);
    await expect.poll(() => isRunning(child)).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Killed, and not yet collected by whoever adopted it.
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
