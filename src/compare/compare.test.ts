import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layOut } from '../audit/layout.ts';
import type { AuditTable } from '../audit/table.ts';
import { declareContract } from '../contract/declare.ts';
import { Database } from '../duckdb/connection.ts';
import { align } from './align.ts';
import { compareTables } from './compare.ts';

let db: Database;
beforeAll(async () => {
  db = await Database.open();
});
afterAll(() => db.close());

interface Version {
  readonly id: number;
  readonly segment: string | null;
  readonly from: number;
  readonly to: number | null;
}

const day = (at: number) => `TIMESTAMP '2026-01-01' + INTERVAL ${at} DAY`;
const select = (versions: readonly Version[], rest = '') =>
  `SELECT * ${rest} FROM (VALUES ${[{ id: 0, segment: null, from: 0, to: 0 }, ...versions]
    .map(
      ({ id, segment, from, to }) =>
        `(${id}, ${segment === null ? 'NULL' : `'${segment}'`}, ${day(from)}, ${to === null ? 'NULL::TIMESTAMP' : day(to)})`,
    )
    .join(', ')}) t (id, segment, valid_from, valid_to)`;

async function side(sql: string, name: string) {
  const from = `(${sql})`;
  const columns = await db.rows<{ column_name: string; column_type: string }>(
    `DESCRIBE SELECT * FROM ${from}`,
  );
  const table: AuditTable = {
    name,
    from,
    columns: columns.map(({ column_name, column_type }) => ({ name: column_name, type: column_type })),
  };
  const layout = layOut(declareContract([]), table);
  return { table, layout, contract: layout.contract };
}

async function compared(old: string, next: string) {
  const aligned = align(await side(old, 'old'), await side(next, 'new'));
  for (const name of ['history_0', 'history_1', 'suspect', 'difference'])
    await db.run(`DROP TABLE IF EXISTS ${name}`);
  return compareTables(db, aligned, { examples: 100, version: 'test' });
}

const A_THEN_B: Version[] = [
  { id: 1, segment: 'A', from: 0, to: 10 },
  { id: 1, segment: 'B', from: 10, to: null },
];

describe('two tables as histories', () => {
  it('are the same however rows are cut, ordered and numbered', async () => {
    const cut = [
      { id: 1, segment: 'B', from: 10, to: null },
      { id: 1, segment: 'A', from: 4, to: 10 },
      { id: 1, segment: 'A', from: 0, to: 4 },
    ];
    const report = await compared(select(A_THEN_B, ', 1 AS surrogate_key'), select(cut));
    expect(report.verdict).toBe('same');
    expect(report.keys).toEqual({ same: 1, different: 0, onlyOld: 0, onlyNew: 0 });
  });

  it('differ where a boundary moved, for as long as it did', async () => {
    const moved = [
      { id: 1, segment: 'A', from: 0, to: 12 },
      { id: 1, segment: 'B', from: 12, to: null },
    ];
    const { differences } = await compared(select(A_THEN_B), select(moved));
    expect(differences).toEqual([
      {
        kind: 'value',
        key: { id: '1' },
        from: '2026-01-11T00:00:00.000000Z',
        to: '2026-01-13T00:00:00.000000Z',
        old: [{ segment: 'B' }],
        new: [{ segment: 'A' }],
      },
    ]);
  });

  it('differ by a gap, an extra version, a NULL and a key that one of them lacks', async () => {
    const other: Version[] = [
      { id: 1, segment: 'A', from: 0, to: 9 },
      { id: 1, segment: null, from: 10, to: null },
      { id: 1, segment: 'A', from: 20, to: 21 },
      { id: 2, segment: 'A', from: 0, to: null },
    ];
    const report = await compared(select(A_THEN_B), select(other));
    expect(report.keys).toEqual({ same: 0, different: 1, onlyOld: 0, onlyNew: 1 });
    expect(report.differences.map(({ kind, to }) => [kind, to])).toEqual([
      ['gone', '2026-01-11T00:00:00.000000Z'],
      ['value', '2026-01-21T00:00:00.000000Z'],
      ['several', '2026-01-22T00:00:00.000000Z'],
      ['value', null],
      ['added', null],
    ]);
  });

  it('are compared by value where their types differ', async () => {
    const typed = (type: string) =>
      `SELECT id::${type} AS id, segment, valid_from, valid_to FROM (${select(A_THEN_B)})`;
    expect((await compared(typed('INTEGER'), typed('DECIMAL(10, 2)'))).verdict).toBe('same');
    expect((await compared(typed('BIGINT'), typed('DOUBLE'))).verdict).toBe('same');
  });

  it('say which attributes only one of them has, and compare the others', async () => {
    const report = await compared(select(A_THEN_B, ", 'x' AS region"), select(A_THEN_B));
    expect(report.verdict).toBe('same');
    expect(report.notes.join(' ')).toContain('`region` of `old`');
  });

  it('say what has to be declared where the key is missing', async () => {
    const renamed = `SELECT id AS customer_id, segment, valid_from, valid_to FROM (${select(A_THEN_B)})`;
    await expect(compared(select(A_THEN_B), renamed)).rejects.toThrow('`new` has no column `id`');
  });

  it('differ in just the instants in which another version holds', async () => {
    const bound = fc.integer({ min: 0, max: 6 });
    const version = fc
      .record({
        id: fc.constantFrom(1, 2),
        segment: fc.constantFrom('A', 'B', null),
        from: bound,
        to: fc.option(bound),
      })
      .filter(({ from, to }) => to === null || from < to);
    const table = fc.array(version, { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, table, async (old, next) => {
        const { differences, verdict } = await compared(select(old), select(next));
        const text = (versions: readonly Version[], id: number, at: number) =>
          JSON.stringify(
            versions
              .filter((one) => one.id === id && one.from <= at && (one.to === null || at < one.to))
              .map(({ segment }) => String(segment))
              .sort(),
          );
        const wrong = [1, 2].flatMap((id) =>
          [0, 1, 2, 3, 4, 5, 6, 7]
            .filter((at) => text(old, id, at) !== text(next, id, at))
            .map((at) => `${id}@${at}`),
        );
        const told = differences.flatMap(({ key, from, to }) =>
          [0, 1, 2, 3, 4, 5, 6, 7]
            .filter((at) => {
              const instant = `2026-01-0${at + 1}T00:00:00.000000Z`;
              return from! <= instant && (to === null || instant < to);
            })
            .map((at) => `${key['id']}@${at}`),
        );
        expect(told.sort()).toEqual(wrong.sort());
        expect(verdict).toBe(wrong.length === 0 ? 'same' : 'different');
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});
