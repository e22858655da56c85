import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  batchOf,
  failureOf,
  fixture,
  IMPATIENT,
  LIMITS,
  setupOf,
} from '../../test/fixtures/command/setup.ts';
import { rowsFromTable } from '../duckdb/rows.ts';
import { PYTHON_KIT } from './command/package.ts';
import type { OpenedImplementation } from './opened.ts';
import { openPython } from './python.ts';

const setup = setupOf();
const customer = { customer_id: 'C1', customer_segment: 'A', street: 'Bahnhofstr. 1' };
const folder = mkdtempSync(join(tmpdir(), 'scd2check-python-'));
let opened: OpenedImplementation | null = null;

async function open(source: string, limits = LIMITS, name = 'impl.py'): Promise<OpenedImplementation> {
  const path = join(folder, name);
  writeFileSync(path, source);
  opened = await openPython(path, limits);
  return opened;
}

async function start(source: string, limits = LIMITS) {
  return (await open(source, limits)).start(setup);
}

const load = batchOf(setup, 0, [customer]);
const valid = '"valid_from": as_of, "valid_to": None';

afterEach(async () => {
  await opened?.close();
  opened = null;
  vi.unstubAllEnvs();
});

process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

describe('a Python file that knows nothing of the harness', () => {
  test('is served by its function, with its prints kept from the protocol', async () => {
    opened = await openPython(fixture('seed.py'), LIMITS);
    const session = await opened.start(setup);
    await session.apply(load);
    await session.apply(batchOf(setup, 1, []));
    expect(rowsFromTable(await session.read())).toMatchObject([
      {
        ...customer,
        _tech_valid_from: '2026-03-01T06:00:00.000000Z',
        _tech_valid_to: '2026-03-02T06:00:00.000000Z',
      },
    ]);
    expect(opened.name).toBe('seed.py');
  });

  test.each([
    [
      'a function of another name',
      `def upsert(dim, extract, as_of):\n  return [*(dim or []), *({**row, ${valid}} for row in extract)]`,
    ],
    [
      'a generator',
      `def apply_scd2(state, rows, keys, *, as_of):\n  for row in rows:\n    yield {**row, ${valid}}`,
    ],
    [
      'a class that is told the keys',
      `class Dim:\n  def __init__(self, keys):\n    self.rows = []\n    assert keys == ['customer_id']\n  def apply(self, rows, as_of):\n    self.rows += [{**row, ${valid}} for row in rows]\n  def read(self):\n    return self.rows`,
    ],
    [
      'a module with start, apply and read',
      `def start():\n  global all\n  all = []\ndef apply(rows, as_of):\n  all.extend({**row, ${valid}} for row in rows)\ndef read():\n  return all`,
    ],
    [
      'named tuples',
      `from collections import namedtuple\nRow = namedtuple('Row', 'customer_id customer_segment valid_from')\ndef apply_scd2(state, rows, keys, as_of):\n  return [Row(r['customer_id'], r['customer_segment'], as_of) for r in rows]`,
    ],
    [
      'its own call of serve',
      `from scd2check import serve\ndef f(state, rows, keys, as_of):\n  return [{**row, ${valid}} for row in rows]\nif __name__ == '__main__':\n  serve(f, name='mine')`,
    ],
  ])('%s', async (_, source) => {
    const session = await start(source);
    expect(await session.apply(load)).toEqual({ status: 'applied' });
    expect(rowsFromTable(await session.read())).toMatchObject([{ customer_id: 'C1', customer_segment: 'A' }]);
  });

  test('raises an error in a batch, which is told with its type', async () => {
    const session = await start(
      'def apply_scd2(state, rows, keys, as_of):\n  if as_of.day == 3: raise KeyError("street")\n  return state or []',
    );
    expect(await session.apply(batchOf(setup, 0, []))).toEqual({ status: 'applied' });
    expect(await session.apply(batchOf(setup, 1, []))).toEqual({ status: 'applied' });
    expect(await session.apply(batchOf(setup, 2, []))).toEqual({
      status: 'errored',
      reason: "KeyError: 'street'",
    });
  });

  test('refuses a batch with an exception of its own, named Rejected', async () => {
    const session = await start(
      'class Rejected(ValueError): pass\ndef apply_scd2(state, rows, keys, as_of):\n  raise Rejected("late extract")',
    );
    expect(await session.apply(load)).toEqual({ status: 'rejected', reason: 'late extract' });
  });

  test('returns something that is no state', async () => {
    const none = await start('def apply_scd2(state, rows, keys, as_of):\n  pass');
    expect(await none.apply(load)).toMatchObject({
      status: 'errored',
      reason: expect.stringMatching(/returned None/),
    });
    await opened?.close();
    const text = await start('def apply_scd2(state, rows, keys, as_of):\n  return ["C1"]');
    await text.apply(load);
    const failure = await failureOf(text.read());
    expect(failure.message).toMatch(/row 0 of the state is str 'C1'; a row is a dict/);
  });

  test('ends itself, or never ends', async () => {
    const exits = await start(
      'import os\ndef apply_scd2(state, rows, keys, as_of):\n  print("bye"); os._exit(0)',
    );
    const crash = await failureOf(exits.apply(load));
    expect(crash.kind).toBe('crash');
    expect(crash.stderr).toMatch(/bye/);
    await opened?.close();
    const loops = await start('def apply_scd2(state, rows, keys, as_of):\n  while True: pass', IMPATIENT);
    expect((await failureOf(loops.apply(load))).kind).toBe('timeout');
  });
});

describe('a Python file that cannot be served says why', () => {
  test.each([
    ['nothing in it', 'import json', /defines nothing that can be tested[\s\S]*no function and no class/],
    [
      'other functions',
      'def load(a, b): pass\nclass Dim:\n  def apply(self): pass',
      /It defines:\s+- function `load\(a, b\)`\s+- class `Dim`, without `read`/,
    ],
    [
      'two classes',
      'class A:\n  def apply(self, rows, as_of): pass\n  def read(self): pass\nclass B:\n  def apply(self, rows, as_of): pass\n  def read(self): pass',
      /several classes.*`A`, `B`/,
    ],
    [
      'a parameter nobody knows',
      'def apply_scd2(spark, state, rows, keys, as_of, mode): pass',
      /takes a parameter `\w+`, and there is nothing to give it/,
    ],
    ['a syntax error', 'def apply_scd2(:\n  pass', /SyntaxError/],
    [
      'a missing library',
      'import no_such_library\n',
      /ModuleNotFoundError: No module named 'no_such_library'/,
    ],
    [
      'a contract that is no dict',
      'SCD2CHECK = "strict"\ndef apply_scd2(state, rows, keys, as_of): pass',
      /SCD2CHECK is 'strict'; it has to be a dict/,
    ],
  ])('%s', async (_, source, story) => {
    const failure = await failureOf(open(source));
    expect(failure.kind).toBe('start');
    expect(failure.message).toMatch(/impl\.py` cannot be tested yet/);
    expect(failure.message).toMatch(story);
  });

  test('no Python at all', async () => {
    vi.stubEnv('PATH', folder);
    expect((await failureOf(open('x = 1'))).message).toMatch(/neither `python3` nor `python`.*Install/);
    vi.stubEnv('SCD2CHECK_PYTHON', '/no/such/python');
    expect((await failureOf(open('x = 1'))).message).toMatch(/SCD2CHECK_PYTHON says `\/no\/such\/python`/);
  });

  test('no such file', async () => {
    expect((await failureOf(openPython('/no/such.py', LIMITS))).message).toMatch(/no file/);
  });
});

test("the kit's own tests pass", async () => {
  const run = promisify(execFile)('python3', ['-m', 'unittest', 'discover', '-s', 'tests'], {
    cwd: PYTHON_KIT,
  });
  await expect(run).resolves.toMatchObject({ stderr: expect.stringMatching(/\nOK/) });
});
