import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/cli/version.ts';
import { batchColumns, type Column, type Row } from '../../src/contract/columns.ts';
import { declareContract } from '../../src/contract/declare.ts';
import { rowsFromTable, tableFromRows } from '../../src/duckdb/rows.ts';
import { coveringFeed } from '../../src/feed/covering.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { batchFeeds, randomFeed } from '../../src/feed/random.ts';
import { scopeFeeds } from '../../src/feed/scope.ts';
import { valueGroups } from '../../src/feed/values.ts';
import { sqlCalls } from '../../src/plugins/host/sql.ts';
import { type CallLimits, DEFAULT_LIMITS, type Session } from '../../src/plugins/implementation.ts';
import { hostInThisProcess } from '../../src/plugins/in-process.ts';
import type { OpenedImplementation } from '../../src/plugins/opened.ts';
import { openSql, openSqlIn } from '../../src/plugins/sql.ts';
import { runClock } from '../../src/repetition/clock.ts';
import { runRepetition } from '../../src/repetition/run.ts';
import { runPart } from '../../src/runner/packed-part.ts';

/** An engine under test, and how it writes what engines write differently. */
export interface EngineUnderTest {
  readonly name: string;
  /** What `--engine` says; null where the script's head is enough. */
  readonly engine: () => string | null;
  readonly head: string;
  /** Whether scripts run in this process, but for those that never end: some engines take seconds to come up. */
  readonly inThisProcess: boolean;
  readonly example: string;
  /** Text that the example has, the text that makes it wrong, and the check that leads then. */
  readonly mutants: readonly (readonly [title: string, from: string, to: string, leads: string])[];
  /** A statement that refuses the batch where it holds a key `no`. */
  readonly refuse: string;
  /** A statement that never ends where the batch holds a key `loop`. */
  readonly endless: string;
  /** A table with a statement of several parts: its name is `log`, and its rows are counted by a trigger or a routine. */
  readonly begin: string;
  /** What a mistake in the statement `SELECT nope FROM batch` is called. */
  readonly noColumn: RegExp;
  /** Whether doubles may be NaN and infinite. */
  readonly anyDoubles: boolean;
  /** Statements that say nothing of a connection but its zone: a script of another part of the world. */
  readonly zones: readonly string[];
  /** What the current time is called; null where the clock cannot be moved. */
  readonly now: string | null;
}

const hostHere = () => hostInThisProcess(sqlCalls());

/** What every engine must keep to, whatever runs it. */
export function engineSuite(under: EngineUnderTest): void {
  const { head } = under;
  let folder = '';
  const opened = new Set<OpenedImplementation>();
  const sessions = new Set<Session>();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'scd2check-engine-'));
  });
  afterEach(async () => {
    for (const session of sessions) await session.close();
    sessions.clear();
    for (const one of opened) await one.close();
    opened.clear();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(sql: string, limits: CallLimits = DEFAULT_LIMITS): Promise<OpenedImplementation> {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'load.sql');
    writeFileSync(path, sql.includes('scd2check:engine') ? sql : `${head}\n${sql}`);
    const options = { engine: under.engine() };
    const implementation =
      under.inThisProcess && limits === DEFAULT_LIMITS
        ? await openSqlIn(hostHere, path, limits, options)
        : await openSql(path, limits, options);
    opened.add(implementation);
    return implementation;
  }

  function contractOf(...lines: readonly (readonly [string, string])[]) {
    return declareContract([lines.map(([name, value]) => ({ name, value, where: 'test' }))]).contract;
  }

  async function start(sql: string, ...lines: readonly (readonly [string, string])[]): Promise<Session> {
    return startOn(await open(sql), ...lines);
  }

  async function startOn(
    implementation: OpenedImplementation,
    ...lines: readonly (readonly [string, string])[]
  ): Promise<Session> {
    const contract = contractOf(...lines);
    const columns = batchColumns(contract.columns, contract.firstStart);
    const session = await implementation.start({
      contract,
      batchColumns: columns,
      dimension: null,
      feedId: 'test',
    });
    sessions.add(session);
    return session;
  }

  function apply(session: Session, index: number, ...keys: string[]) {
    const contract = contractOf();
    const rows = keys.map((key): Row => ({ customer_id: key, customer_segment: 'A', street: null }));
    const columns = batchColumns(contract.columns, contract.firstStart);
    return session.apply({
      index,
      asOf: BigInt(index) * 3_600_000_000n + 1n,
      rows: tableFromRows(columns, rows),
    });
  }

  const read = async (session: Session) => rowsFromTable(await session.read());
  const keys = async (session: Session) => (await read(session)).map((row) => row['customer_id']);

  const INSERT =
    'INSERT INTO dimension (customer_id, customer_segment, valid_from) SELECT customer_id, customer_segment, :as_of FROM batch;';

  const example = () => readFileSync(join(packageRoot(), 'examples', under.example), 'utf8');

  async function judge(sql: string, feeds: (contract: ReturnType<typeof contractOf>) => Iterable<Feed>) {
    const implementation = await open(sql);
    const { contract } = declareContract([implementation.declared]);
    const part = await runPart(feeds(contract), {
      implementation,
      contract,
    });
    await implementation.close();
    if (part.failure !== null) throw part.failure.failure;
    return part;
  }

  describe('its example', () => {
    it('is right in every small history, in each situation and in random ones', async () => {
      const part = await judge(example(), function* feeds(contract) {
        yield* scopeFeeds(contract, 3);
        yield coveringFeed(contract);
        yield* batchFeeds(contract, 1);
        for (let index = 0; index < 3; index++) yield randomFeed(contract, { seed: 1, index, keys: 100 });
      });
      expect(part.failing).toEqual([]);
      expect(part.histories).toBeGreaterThan(700);
    });

    it('is right when loads are repeated, and broken off between two statements', async () => {
      const implementation = await open(example());
      const { contract } = declareContract([implementation.declared]);
      const outcome = await runRepetition({
        implementation,
        contract,
        checks: ['idempotent', 'order-independent', 'crash-safe'],
        seed: 1,
        deadline: Number.POSITIVE_INFINITY,
        shrinkMs: 1000,
        stop: () => false,
        progress: () => undefined,
        replay: () => '',
      });
      expect(outcome.failure).toBe(null);
      expect(outcome.findings).toEqual([]);
      for (const { id, exercised } of outcome.tallies) expect([id, exercised > 0]).toEqual([id, true]);
    });

    it.each(under.mutants)('is caught where %s', async (_title, from, to, leads) => {
      expect(example()).toContain(from);
      const part = await judge(example().replace(from, to), (contract) => scopeFeeds(contract, 3));
      const smallest = part.failing.toSorted(
        (a, b) => a.step - b.step || a.feed.batches.length - b.feed.batches.length,
      );
      expect(smallest[0]?.check).toBe(leads);
    });
  });

  it('keeps every value of every type', async () => {
    const types = [
      'text',
      'integer',
      'bigint',
      'decimal(38,9)',
      'double',
      'boolean',
      'date',
      'timestamp',
    ] as const;
    const columns = types.map((type, at): Column => ({ name: `c${at}`, type, nullable: true }));
    const lines = columns.map(({ name, type }) => ['tracked', `${name} ${type}`] as const);
    const groups = columns.map((column) =>
      [...new Set(valueGroups(column).flat())].filter(
        (cell) => under.anyDoubles || typeof cell !== 'number' || Number.isFinite(cell),
      ),
    );
    const most = Math.max(...groups.map((group) => group.length));
    const rows = Array.from(
      { length: most },
      (_, row): Row => ({
        id: row,
        ...Object.fromEntries(columns.map(({ name }, at) => [name, groups[at]![row % groups[at]!.length]!])),
      }),
    );
    const names = columns.map(({ name }) => name).join(', ');
    const implementation = await open(
      `INSERT INTO dimension (id, ${names}, valid_from, is_current) SELECT id, ${names}, :as_of, ${under.name === 'SQLite' ? '1' : 'true'} FROM batch`,
    );
    const contract = contractOf(['key', 'id INTEGER'], ...lines, ['feed', 'delta']);
    const part = await runPart([{ id: 'types', batches: [{ asOf: 1n, rows }] }], {
      implementation,
      contract,
    });
    expect(part.failure?.failure.message ?? null).toBe(null);
    expect(part.failing.map(({ check, key }) => ({ check, key }))).toEqual([]);
    expect(part.histories).toBe(most);
  });

  it('is sent no double that it cannot hold', async () => {
    const implementation = await open(INSERT);
    const { contract } = declareContract([
      implementation.declared,
      [{ name: 'tracked', value: 'd double', where: 'test' }],
    ]);
    const all = valueGroups(contract.columns.tracked[0]!).flat();
    expect(all.some((cell) => Number.isNaN(cell))).toBe(under.anyDoubles);
    expect(all).toContain(1.5);
  });

  it('has its sessions apart from each other, at once and one after the other', async () => {
    const implementation = await open(
      `-- scd2check:setup\nCREATE TABLE log (n INTEGER);\n-- scd2check:load\nINSERT INTO log VALUES (1); ${INSERT}`,
    );
    const [first, second] = [await startOn(implementation), await startOn(implementation)];
    await apply(first, 0, 'C1');
    await apply(second, 0, 'C2');
    await apply(first, 1, 'C3');
    expect(await keys(first)).toEqual(['C1', 'C3']);
    expect(await keys(second)).toEqual(['C2']);
    for (const session of [first, second]) {
      await session.close();
      sessions.delete(session);
    }
    expect(await read(await startOn(implementation))).toEqual([]);
  });

  it('gets the instant to the microsecond', async () => {
    const session = await start(INSERT);
    await apply(session, 1, 'C1');
    const [row] = await read(session);
    expect(String(row!['valid_from']).replace(' ', 'T').replace(/Z?$/, 'Z')).toBe(
      '1970-01-01T01:00:00.000001Z',
    );
  });

  it('says the line of an error, and what it found', async () => {
    const session = await start(`${INSERT}\n\n-- now the error\nSELECT nope FROM batch;`);
    const outcome = await apply(session, 0, 'C1');
    expect(outcome).toMatchObject({ status: 'errored', reason: expect.stringMatching(under.noColumn) });
    expect(outcome).toMatchObject({ reason: expect.stringContaining('(line 5)') });
    expect(await keys(session)).toEqual(['C1']);
  });

  it('rolls back what a failed or open transaction did, whoever holds it', async () => {
    const own = await start(`${under.begin}; ${INSERT} SELECT nope FROM batch; COMMIT;`);
    expect(await apply(own, 0, 'C1')).toMatchObject({ status: 'errored' });
    expect(await read(own)).toEqual([]);
    const left = await start(`${under.begin}; ${INSERT}`);
    expect(await apply(left, 0, 'C1')).toMatchObject({
      reason: expect.stringContaining('BEGIN without COMMIT'),
    });
    expect(await read(left)).toEqual([]);
    const callers = await start(`${INSERT} ${under.refuse}`, ['transaction', 'caller']);
    await apply(callers, 0, 'no');
    await apply(callers, 1, 'C1');
    expect(await keys(callers)).toEqual(['C1']);
  });

  it('can refuse a batch', async () => {
    const session = await start(`${under.refuse} ${INSERT}`);
    expect(await apply(session, 0, 'no')).toEqual({ status: 'rejected', reason: 'rejected: no' });
    expect(await apply(session, 1, 'C1')).toEqual({ status: 'applied' });
    expect(await keys(session)).toEqual(['C1']);
  });

  it('is told where a script is no SQL', async () => {
    const failure = async () => {
      const session = await start(`${INSERT}\n\nSELEC 1;`);
      await apply(session, 0, 'C1');
    };
    await expect(failure()).rejects.toThrow(/load.sql:4 is no SQL that .* understands/);
  });

  it('stops a statement that never ends, and goes on with a new session', async () => {
    const implementation = await open(`${INSERT} ${under.endless}`, { startMs: 60_000, callMs: 3000 });
    const session = await startOn(implementation);
    expect(await apply(session, 0, 'C1')).toEqual({ status: 'applied' });
    await expect(apply(session, 1, 'loop')).rejects.toMatchObject({ kind: 'timeout' });
    const next = await startOn(implementation);
    expect(await apply(next, 0, 'C2')).toEqual({ status: 'applied' });
    expect(await keys(next)).toEqual(['C2']);
    await implementation.close();
  });

  describe.skipIf(under.now === null)('its clock', () => {
    const stamped = (end: string, start: string) => `
      UPDATE dimension SET valid_to = ${end}, is_current = false
      WHERE is_current AND NOT EXISTS (
        SELECT 1 FROM batch AS b
        WHERE b.customer_id = dimension.customer_id
          AND (b.customer_segment = dimension.customer_segment
            OR (b.customer_segment IS NULL AND dimension.customer_segment IS NULL)));
      INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
      SELECT b.customer_id, b.customer_segment, b.street, ${start}, NULL, true
      FROM batch AS b
      WHERE NOT EXISTS (SELECT 1 FROM dimension AS d WHERE d.customer_id = b.customer_id AND d.is_current);`;
    const MOVED = [
      ['clock', 'moved'],
      ['late', 'never'],
      ['grain', 'second'],
      ['untracked', 'any'],
    ] as const;

    async function clock(sql: string, ...lines: readonly (readonly [string, string])[]) {
      const implementation = await open(sql);
      const contract = contractOf(...lines);
      const given = { implementation, contract, seed: 1, shrinkMs: 30_000 };
      const part = await runPart([...scopeFeeds(contract, 2)], {
        ...given,
        checks: ['content', 'clock-injected'],
        stop: () => false,
        progress: () => undefined,
      });
      expect(part.failing).toEqual([]);
      const { findings, whyNot } = await runClock({
        ...given,
        deadline: Number.POSITIVE_INFINITY,
        stop: () => false,
        replay: (feed) => feed,
      });
      expect(whyNot).toBe(null);
      return findings.map(({ message }) => message);
    }

    it('is moved, and a load that reads it twice is found once it ticks', async () => {
      const twice = await clock(stamped(under.now!, under.now!), ...MOVED);
      expect(twice).toEqual([expect.stringContaining('it read the clock twice')]);
    });

    it('may be read by one statement', async () => {
      const one = `CREATE TEMPORARY TABLE moment AS SELECT ${under.now} AS at; ${stamped('(SELECT at FROM moment)', '(SELECT at FROM moment)')} DROP TABLE moment;`;
      expect(await clock(one, ...MOVED)).toEqual([]);
    });

    it('is set to another time, so that a filter by it is found', async () => {
      const filter = stamped(':as_of', ':as_of').replace(/;\s*$/, ` AND :as_of <= ${under.now};`);
      expect(await clock(filter, ['late', 'never'])).toEqual([
        expect.stringContaining('depends on when it runs'),
      ]);
      expect(await clock(stamped(':as_of', ':as_of'), ['late', 'never'])).toEqual([]);
    });
  });

  it.each(under.zones)('reads the same instants where the script says %s', async (zone) => {
    const session = await start(`${zone}; ${INSERT}`);
    await apply(session, 1, 'C1');
    await apply(session, 2, 'C2');
    const instants = (await read(session)).map((row) => String(row['valid_from']).slice(11, 19));
    expect(instants).toEqual(['01:00:00', '02:00:00']);
  });
}
