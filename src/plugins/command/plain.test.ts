import { describe, expect, test } from 'vitest';
import { batchOf, failureOf, IMPATIENT, LIMITS, setupOf } from '../../../test/fixtures/command/setup.ts';
import { rowsFromTable } from '../../duckdb/rows.ts';
import { openCommand } from '../command.ts';
import { PlainSession } from './plain.ts';

const setup = setupOf();
const customer = { customer_id: 'C1', customer_segment: 'A', street: 'Bahnhofstr. 1' };
/** A plain program in one expression: `task` is what it reads, and what it prints is up to it. */
function plain(body: string, limits = LIMITS): PlainSession {
  const code = `const task = JSON.parse(require('fs').readFileSync(0, 'utf8')); ${body}`;
  const program = { argv: ['node', '-e', code], env: process.env };
  return new PlainSession(program, 'inline', setup, limits, new AbortController().signal);
}

const load = batchOf(setup, 0, [customer]);

describe('a plain program', () => {
  test('is told the batch, its own last state, and the contract', async () => {
    const session = plain(
      `const { state, ...rest } = task; console.log(JSON.stringify([{ customer_id: 'C1', valid_from: task.asOf, told: rest, before: state }]))`,
    );
    await session.apply(load);
    await session.apply(batchOf(setup, 1, []));
    const [row] = rowsFromTable(await session.read());
    const told = JSON.parse(row!['told'] as string);
    expect(told).toMatchObject({
      asOf: '2026-03-02T06:00:00.000000Z',
      batch: 1,
      rows: [],
      key: ['customer_id'],
    });
    expect(told.columns[0]).toMatchObject({ name: 'customer_id', type: 'text' });
    expect(told.contract).toMatchObject({
      feed: 'snapshot',
      columns: { key: ['customer_id'] },
      types: { customer_id: 'text' },
    });
    expect(JSON.parse(row!['before'] as string)).toMatchObject([
      { before: null, told: { batch: 0, rows: [customer] } },
    ]);
  });

  test('that exits with another code than 0 raised an error, and its state stays', async () => {
    const session = plain(
      `if (task.batch === 1) { console.error('KeyError: street'); process.exit(2) } console.log(JSON.stringify([{ customer_id: 'C1', valid_from: task.asOf }]))`,
    );
    await session.apply(load);
    expect(await session.apply(batchOf(setup, 1, [customer]))).toEqual({
      status: 'errored',
      reason: 'KeyError: street',
    });
    expect((await session.read()).numRows).toBe(1);
  });

  test.each([
    ['for (;;);', 'timeout', /had not ended after 700 ms/],
    ['process.kill(process.pid, "SIGABRT")', 'crash', /signal SIGABRT/],
    ['console.log("done")', 'protocol', /printed `done\\n`, which is not JSON/],
    ['console.log("{}")', 'protocol', /printed \{\}\..*JSON array of row objects/],
    ['', 'protocol', /printed nothing/],
  ])('that gives no state fails: %s', async (body, kind, story) => {
    const session = plain(body, IMPATIENT);
    const failure = await failureOf(session.apply(load));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(story);
  });

  test('whose row has no key fails when it is read', async () => {
    const session = plain('console.log(JSON.stringify([{ valid_from: task.asOf }]))');
    await session.apply(load);
    const failure = await failureOf(session.read());
    expect(failure.message).toMatch(/What `inline` printed: row 0 .*no column "customer_id"/);
  });

  test('can be a shell pipeline of anything', async () => {
    const opened = await openCommand(['sh', '-c', 'cat > /dev/null; echo "[]"'], LIMITS);
    expect((await (await opened.start(setup)).read()).numRows).toBe(0);
  });
});
