import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchColumns, type Row } from '../contract/columns.ts';
import { declareContract } from '../contract/declare.ts';
import { rowsFromTable, tableFromRows } from '../duckdb/rows.ts';
import { openFunction, openFunctionIn } from './function.ts';
import { functionCalls } from './host/function.ts';
import { DEFAULT_LIMITS, type Session, type Setup } from './implementation.ts';
import { hostInThisProcess } from './in-process.ts';
import type { OpenedImplementation } from './opened.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scd2check-function-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** These modules behave. `host/client.test.ts` has those that do not. */
const hostHere = () => hostInThisProcess(functionCalls());

async function open(source: string, name = 'impl.mjs'): Promise<OpenedImplementation> {
  await writeFile(join(folder, name), source);
  return openFunctionIn(hostHere, join(folder, name), DEFAULT_LIMITS);
}

function setup(...decisions: [string, unknown][]): Setup {
  const { contract } = declareContract([decisions.map(([name, value]) => ({ name, value, where: 'test' }))]);
  return {
    contract,
    batchColumns: batchColumns(contract.columns, contract.firstStart),
    dimension: null,
    feedId: 'test',
  };
}

const { batchColumns: COLUMNS } = setup();
const HOUR = 3_600_000_000n;

function apply(session: Session, index: number, ...keys: string[]) {
  const rows = keys.map((customer_id) => ({ customer_id, customer_segment: 'A', street: 'Bahnhofstr. 1' }));
  return session.apply({ index, asOf: BigInt(index) * HOUR, rows: tableFromRows(COLUMNS, rows) });
}

async function read(session: Session): Promise<Row[]> {
  return rowsFromTable(await session.read());
}

/** The dimension after one batch with key C1, by a function that returns this. */
async function dimensionOf(result: string, name = 'impl.mjs'): Promise<Row[]> {
  const start = name.endsWith('.cjs') ? 'module.exports =' : 'export default';
  const session = await (
    await open(`${start} (state, rows, { asOf, contract }) => (${result});`, name)
  ).start(setup());
  await apply(session, 0, 'C1');
  return read(session);
}

const VERSION =
  "customer_id: 'C1', customer_segment: 'A', street: 'S', valid_from: asOf, valid_to: null, is_current: true";

describe('a module with an apply function', () => {
  it('gets the rows, the instant and the contract, and its own state back unchanged', async () => {
    const session = await (
      await open(`
        export default async function apply(state, rows, { asOf, contract }) {
          if (state === null && contract.columns.key[0] !== 'customer_id') throw new Error('no contract');
          const log = [...(state?.[0].log ?? []), [asOf, ...rows.map((row) => row.customer_id)].join(' ')];
          return rows.map((row) => ({ ...row, valid_from: asOf, valid_to: null, log, count: log.length }));
        }`)
    ).start(setup());
    expect(await read(session)).toEqual([]);
    expect(await apply(session, 0, 'C1')).toEqual({ status: 'applied' });
    expect(await apply(session, 1, 'C2')).toEqual({ status: 'applied' });
    expect(await read(session)).toEqual([
      {
        customer_id: 'C2',
        customer_segment: 'A',
        street: 'Bahnhofstr. 1',
        valid_from: '1970-01-01T01:00:00.000000Z',
        valid_to: null,
        log: '["1970-01-01T00:00:00.000000Z C1","1970-01-01T01:00:00.000000Z C2"]',
        count: 2n,
      },
    ]);
  });

  it('gets dates at day grain', async () => {
    const session = await (
      await open(`export default (state, rows, { asOf }) => [{ customer_id: asOf, valid_from: asOf }];`)
    ).start(setup(['grain', 'day']));
    await apply(session, 30, 'C1');
    expect(await read(session)).toMatchObject([{ customer_id: '1970-01-02', valid_from: '1970-01-02' }]);
  });

  it('may return Date objects and integers of any kind', async () => {
    const rows = await dimensionOf(
      `[{ ${VERSION}, valid_to: new Date(Date.UTC(2026, 0, 2)), big: 12345678901234567890n, half: 0.5, loaded: new Date(0) }]`,
    );
    expect(rows).toMatchObject([
      {
        valid_to: '2026-01-02T00:00:00.000000Z',
        big: '12345678901234567890',
        half: 0.5,
        loaded: '1970-01-01T00:00:00.000000Z',
      },
    ]);
  });

  it('may return an Arrow table of its own copy of apache-arrow, or IPC bytes', async () => {
    const arrow = createRequire(import.meta.url).resolve('apache-arrow');
    const source = (end: string) => `
      import arrow from '${arrow}';
      export const rows = 'arrow';
      export default (state, rows, { asOf }) => {
        const ids = [...(state === null ? [] : ['again']), ...rows.getChild('customer_id')];
        const table = arrow.tableFromArrays({ customer_id: ids, valid_from: ids.map(() => asOf) });
        return ${end};
      };`;
    for (const end of ['table', "arrow.tableToIPC(table, 'stream')"]) {
      const session = await (await open(source(end))).start(setup());
      await apply(session, 0, 'C1');
      await apply(session, 1, 'C1', 'C2');
      expect((await read(session)).map((row) => row['customer_id'])).toEqual(['again', 'C1', 'C2']);
    }
  });

  it('begins with the dimension of the setup', async () => {
    const implementation = await open(`export default (state) => state;`);
    const dimension = tableFromArrays({ customer_id: ['C9'], valid_from: ['2026-01-01'] });
    const session = await implementation.start({ ...setup(), dimension });
    await apply(session, 0, 'C1');
    expect(await read(session)).toMatchObject([
      { customer_id: 'C9', valid_from: '2026-01-01T00:00:00.000000Z' },
    ]);
  });

  it('says what it threw, and where', async () => {
    const session = await (
      await open(`export default (state, rows, { asOf }) => {
        if (asOf.includes('T02')) throw new TypeError('third\\nbatch');
        return [];
      };`)
    ).start(setup());
    expect(await apply(session, 0)).toEqual({ status: 'applied' });
    expect(await apply(session, 1)).toEqual({ status: 'applied' });
    expect(await apply(session, 2)).toEqual({ status: 'errored', reason: 'TypeError: third batch (line 2)' });
    expect(await read(session)).toEqual([]);
  });

  it.each([
    ["class Rejected extends Error {}; throw new Rejected('late')"],
    ["throw Object.assign(new Error('late'), { name: 'Rejected' })"],
    ["throw Object.assign(new Error('late'), { rejected: true })"],
  ])('refuses a batch by %s', async (code) => {
    const session = await (await open(`export default () => { ${code}; };`)).start(setup());
    expect(await apply(session, 0)).toMatchObject({
      status: 'rejected',
      reason: expect.stringContaining('late'),
    });
  });

  it('does no harm by mutating its rows and its contract', async () => {
    const implementation = await open(`
      export default (state, rows, { asOf, contract }) => {
        try { contract.deletes = 'ignore'; contract.columns.key.push('x'); } catch {}
        const before = [contract.deletes, contract.columns.key.join(), rows.length].join();
        for (const row of rows) row.customer_id = before;
        rows.push({});
        return [{ ${VERSION}, customer_id: rows[0].customer_id }];
      };`);
    const session = await implementation.start(setup());
    const batch = { index: 0, asOf: 0n, rows: tableFromRows(COLUMNS, [{ customer_id: 'C1' }]) };
    for (let i = 0; i < 2; i++) {
      await session.apply(batch);
      expect(await read(session)).toMatchObject([{ customer_id: 'close,customer_id,1' }]);
    }
    expect(rowsFromTable(batch.rows)).toMatchObject([{ customer_id: 'C1' }]);
  });
});

describe('a module that keeps its state', () => {
  const STATE = 'export const versions = [];';
  const SOURCE = (helper: string) => `
    import { versions } from '${helper}';
    export const contract = 'strict';
    let feed;
    export default {
      start({ feedId, columns }) { feed = columns[0].name + feedId; },
      apply(rows, { asOf }) { versions.push(...rows.map((row) => ({ ...row, valid_from: asOf, feed }))); },
      async read() { return versions; },
    };`;

  it.each(['ts', 'mjs', 'js'])(
    'keeps it between batches, but not between sessions (.%s)',
    async (extension) => {
      await writeFile(join(folder, `state.${extension}`), STATE);
      const implementation = await open(SOURCE(`./state.${extension}`), `impl.${extension}`);
      const first = await implementation.start(setup());
      await apply(first, 0, 'C1');
      await apply(first, 1, 'C2');
      const second = await implementation.start(setup());
      await apply(second, 0, 'C3');
      const keys = async (session: Session) => (await read(session)).map((row) => row['customer_id']);
      expect(await keys(first)).toEqual(['C1', 'C2']);
      expect(await keys(second)).toEqual(['C3']);
      expect(await read(second)).toMatchObject([{ feed: 'customer_idtest' }]);
    },
  );

  it('says what start and read threw', async () => {
    const failing = await open(`export default { start() { throw 'no'; }, apply() {}, read() {} };`);
    await expect(failing.start(setup())).rejects.toThrow('start of impl.mjs threw: "no" was thrown');
    const session = await (await open(`export default { apply() {}, read() { null.x; } };`)).start(setup());
    await expect(session.read()).rejects.toMatchObject({ kind: 'unreadable' });
  });
});

describe('a state that is none', () => {
  it.each([
    ['undefined', 'apply returned undefined, but the state is an array of row objects or an Arrow table'],
    ['Promise.resolve({ rows })', 'apply returned the object'],
    ['[1]', 'row 0 of the state is 1, but a row is an object'],
    [`[{ ${VERSION} }, []]`, 'row 1 of the state is an array of 0'],
    [
      '[{ id: 1, valid_from: asOf }]',
      'row 0 of the state has no column "customer_id" (it has "id", "valid_from")',
    ],
    ["[{ customer_id: 'C1' }]", 'row 0 of the state has no column "valid_from"'],
    [
      `[{ ${VERSION}, valid_to: 'tomorrow' }]`,
      'row 0, column "valid_to": "tomorrow" (string) is not a value of type timestamp',
    ],
    [`[{ ${VERSION}, valid_to: new Date(NaN) }]`, 'column "valid_to": Invalid Date'],
    [
      `[{ ${VERSION}, street: 5 }]`,
      'row 0, column "street": 5 (number) is not a value of type text. Expected a string',
    ],
    ['new Uint8Array(9).fill(65)', 'no Arrow IPC stream'],
  ])('%s is explained', async (result, message) => {
    await expect(dimensionOf(result)).rejects.toMatchObject({
      kind: 'output',
      message: expect.stringMatching(/^impl\.mjs, batch 1: /),
    });
    await expect(dimensionOf(result)).rejects.toThrow(message);
  });
});

describe('a state whose times have other usual names', () => {
  it('is read under its own names, as times', async () => {
    const [row] = await dimensionOf(
      "[{ customer_id: 'C1', dbt_valid_from: new Date(0), dbt_valid_to: null, active: 1, sk: 7 }]",
    );
    expect(row).toMatchObject({ dbt_valid_from: '1970-01-01T00:00:00.000000Z', active: true, sk: 7n });
    expect(row).not.toHaveProperty('valid_from');
    await expect(dimensionOf("[{ customer_id: 'C1', dbt_valid_from: 'soon' }]")).rejects.toThrow(
      'column "dbt_valid_from": "soon" (string) is not a value of type timestamp',
    );
  });

  it('may be an Arrow table, too', async () => {
    const arrow = createRequire(import.meta.url).resolve('apache-arrow');
    const [row] = await dimensionOf(
      `require(${JSON.stringify(arrow)}).tableFromArrays({ customer_id: ['C1'], _tech_valid_from: ['2026-03-01'] })`,
      'impl.cjs',
    );
    expect(row).toMatchObject({ customer_id: 'C1', _tech_valid_from: '2026-03-01' });
  });

  it('keeps a flag in whatever form it has', async () => {
    const [row] = await dimensionOf(`[{ ${VERSION}, is_current: 'Y' }]`);
    expect(row).toMatchObject({ is_current: 'Y' });
  });

  it('has no columns as long as it has no rows, since their names are not known yet', async () => {
    const session = await (await open('export default (state) => [];')).start(setup());
    expect((await session.read()).schema.fields).toEqual([]);
  });
});

describe('opening a module', () => {
  it('works the same in a process of its own', async () => {
    await writeFile(join(folder, 'own-state.mjs'), 'export const loads = { n: 0 };');
    await writeFile(
      join(folder, 'own.ts'),
      `import { loads } from './own-state.mjs';
       export default (state: null, rows: object[]) =>
         rows.map((row) => ({ ...row, valid_from: null, pid: process.pid, loads: ++loads.n }));`,
    );
    const implementation = await openFunction(join(folder, 'own.ts'), DEFAULT_LIMITS);
    for (let i = 0; i < 2; i++) {
      const session = await implementation.start(setup());
      expect(await apply(session, 0, 'C1')).toEqual({ status: 'applied' });
      const [row] = await read(session);
      expect(row).toMatchObject({ customer_id: 'C1', valid_from: null, loads: 1n });
      expect(row!['pid']).not.toBe(BigInt(process.pid));
      await session.close();
    }
    await implementation.close();
  });

  it('tells what it declares', async () => {
    const one = await open(`export const contract = { key: ['nk INTEGER'], deletes: 'ignore' };
      export const anyColumns = true; export default (state) => [];`);
    expect(one.declared).toEqual([
      { name: 'key', value: ['nk INTEGER'], where: 'export contract' },
      { name: 'deletes', value: 'ignore', where: 'export contract' },
    ]);
    expect(one).toMatchObject({ anyColumns: true, kind: 'function', name: 'impl.mjs' });
    const two = await open(`module.exports = () => []; module.exports.contract = 'daily-merge';`, 'impl.cjs');
    expect(two.declared).toEqual([{ name: 'contract', value: 'daily-merge', where: 'export contract' }]);
    expect(two.anyColumns).toBe(false);
  });

  it.each([
    ['export const x = ;', 'could not be loaded'],
    ["import './nowhere.js';", /could not be loaded: [^?]*$/],
    ["throw new Error('on load');", 'could not be loaded: on load'],
    ['export const apply_scd2 = () => [];', 'has no default export \\(only apply_scd2\\). Export as default'],
    ['', 'exports nothing, or an empty object. Export as default'],
    ['export default {};', 'exports nothing, or an empty object. Export as default'],
    ['export default { apply() {} };', 'has an object as its default export, with apply. Export as default'],
    ['export default 5;', 'has 5 as its default export'],
    [
      'export default () => []; export const contract = { key: () => 1 };',
      'exports a contract that is not plain data',
    ],
    ["export default () => []; export const rows = 'pandas';", `exports rows = "pandas"`],
  ])('says what is wrong with %s', async (source, message) => {
    await expect(open(source, 'wrong.ts')).rejects.toMatchObject({
      kind: 'start',
      message: expect.stringMatching(message),
    });
  });
});
