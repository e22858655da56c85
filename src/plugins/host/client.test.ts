import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchColumns } from '../../contract/columns.ts';
import { declareContract } from '../../contract/declare.ts';
import { tableFromRows } from '../../duckdb/rows.ts';
import { openFunction } from '../function.ts';
import { DEFAULT_LIMITS, type ImplementationFailure, type Setup } from '../implementation.ts';
import { encodeFrame, FrameReader } from './frame.ts';
import { Tail } from './tail.ts';

const { contract } = declareContract([]);
const COLUMNS = batchColumns(contract.columns, contract.firstStart);
const SETUP: Setup = { contract, batchColumns: COLUMNS, dimension: null, feedId: 'test' };
const BATCH = { index: 2, asOf: 0n, rows: tableFromRows(COLUMNS, [{ customer_id: 'C1' }]) };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scd2check-host-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function open(source: string, limits = DEFAULT_LIMITS) {
  await writeFile(join(folder, 'impl.mjs'), source);
  return openFunction(join(folder, 'impl.mjs'), limits);
}

/** What happens to a batch whose apply is this code. */
async function applyOf(code: string, callMs = 60_000): Promise<unknown> {
  const implementation = await open(
    `import fs from 'node:fs'; export default (state, rows, { asOf }) => { ${code} };`,
    {
      startMs: 60_000,
      callMs,
    },
  );
  try {
    const session = await implementation.start(SETUP);
    return await session.apply(BATCH);
  } catch (failure) {
    return failure;
  } finally {
    await implementation.close();
  }
}

describe('user code that does not behave', () => {
  it('is stopped where it never returns, and a fresh session works', async () => {
    const implementation = await open(
      `export default (state, rows) => { if (rows.length > 0) for (;;); return []; };`,
      { startMs: 60_000, callMs: 1000 },
    );
    const session = await implementation.start(SETUP);
    await expect(session.apply(BATCH)).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/^impl\.mjs did not finish apply of batch 3 within 1 s/),
    });
    await expect(session.read()).rejects.toMatchObject({ kind: 'timeout' });
    const next = await implementation.start(SETUP);
    expect(await next.apply({ ...BATCH, rows: tableFromRows(COLUMNS, []) })).toEqual({ status: 'applied' });
    await implementation.close();
    await expect(implementation.start(SETUP)).rejects.toThrow('impl.mjs was closed');
  });

  it('is reported where it ends the process', async () => {
    expect(await applyOf(`console.error('last words'); process.exit(0);`)).toMatchObject({
      kind: 'crash',
      message: expect.stringMatching(/ended with code 0 in the middle of apply of batch 3, .*process\.exit/),
      stderr: 'last words\n',
    });
    expect(await applyOf(`process.kill(process.pid, 'SIGSEGV');`)).toMatchObject({
      kind: 'crash',
      message: expect.stringContaining('was ended by SIGSEGV'),
    });
    expect(
      await applyOf(`return new Promise(() => { setTimeout(() => { throw new Error('later'); }); });`),
    ).toMatchObject({
      kind: 'crash',
      stderr: expect.stringContaining('later'),
    });
  });

  it('is reported where it ends the process while it is loaded', async () => {
    await expect(open('process.exit(3);')).rejects.toThrow('ended with code 3 in the middle of loading');
  });

  it('may print 50 MB, of which the end is kept', async () => {
    const failure = (await applyOf(`
      for (let i = 0; i < 50; i++) console.log('x'.repeat(1024 * 1024));
      console.log('the end');
      console.error('an error');
      process.exit(1);`)) as ImplementationFailure;
    // Not the text itself, which a failure would print.
    expect(/^an error\n\[printed\]\n…x+\nthe end\n$/.test(failure.stderr)).toBe(true);
    expect(failure.stderr.length).toBeLessThan(70_000);
  });

  it('has no channel to the harness but its result', async () => {
    expect(await applyOf(`process.send({ id: 1, value: { status: 'rejected' } }); return [];`)).toMatchObject(
      {
        status: 'errored',
        reason: expect.stringContaining('process.send is not a function'),
      },
    );
    expect(await applyOf(`fs.writeSync(3, 'x'.repeat(100)); return [];`)).toMatchObject({
      kind: 'protocol',
      message: expect.stringContaining('wrote to file descriptor 3'),
    });
  });

  it('takes what it started along when it ends', async () => {
    const pidFile = join(folder, 'pid');
    await applyOf(
      `return import('node:child_process').then(({ spawn }) => {
         const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
         fs.writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
         return [];
       });`,
    );
    await expectDead(Number(await readFile(pidFile, 'utf8')));
  });
});

describe('a host whose harness is killed', () => {
  it('ends, though its user code loops', async () => {
    const pidFile = join(folder, 'orphan');
    const source = `import fs from 'node:fs'; fs.writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); for (;;);`;
    await writeFile(join(folder, 'loop.mjs'), source);
    const client = fileURLToPath(new URL('./client.ts', import.meta.url));
    const program = `
      import { HostProcess } from ${JSON.stringify(client)};
      new HostProcess('function', 'loop').call('open', { path: ${JSON.stringify(join(folder, 'loop.mjs'))} }, { doing: '', limitMs: 60000 });`;
    await writeFile(join(folder, 'harness.ts'), program);
    const jiti = fileURLToPath(new URL('../../../node_modules/jiti/lib/jiti-register.mjs', import.meta.url));
    const harness = spawn(process.execPath, ['--import', jiti, join(folder, 'harness.ts')], {
      stdio: 'ignore',
    });
    let pid = '';
    while (pid === '') {
      await sleep(50);
      pid = await readFile(pidFile, 'utf8').catch(() => '');
    }
    await sleep(200);
    harness.kill('SIGKILL');
    await once(harness, 'exit');
    await expectDead(Number(pid));
  });
});

async function expectDead(pid: number): Promise<void> {
  for (let tries = 0; tries < 100 && isAlive(pid); tries++) await sleep(50);
  expect(isAlive(pid)).toBe(false);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('frames', () => {
  const secret = Buffer.alloc(16, 7);

  it('are put together from chunks of any size', () => {
    const stream = Buffer.concat([
      secret,
      ...encodeFrame(secret, { a: 1n }),
      ...encodeFrame(secret, ['b', null]),
    ]);
    for (const size of [1, 7, 1000]) {
      const reader = new FrameReader(null, 1000);
      const messages: unknown[] = [];
      for (let at = 0; at < stream.length; at += size)
        messages.push(...reader.push(stream.subarray(at, at + size)));
      expect(messages).toEqual([{ a: 1n }, ['b', null]]);
    }
  });

  it('are refused where they are foreign, broken or too large', () => {
    expect(() => new FrameReader(secret, 100).push(Buffer.alloc(40))).toThrow('bytes of another origin');
    expect(() => new FrameReader(secret, 5).push(encodeFrame(secret, 'a long text')[0])).toThrow('over 5');
    const header = Buffer.concat([secret, Buffer.from([0, 0, 0, 2])]);
    expect(() => new FrameReader(secret, 100).push(Buffer.concat([header, Buffer.from([1, 2])]))).toThrow(
      'cannot be decoded',
    );
  });
});

it('a tail keeps the end of what was written', () => {
  const tail = new Tail(8);
  tail.push(Buffer.from('short'));
  expect(tail.text()).toBe('short');
  for (let i = 0; i < 100; i++) tail.push(Buffer.from(`${i} `));
  expect(tail.text()).toBe('…7 98 99 ');
});
