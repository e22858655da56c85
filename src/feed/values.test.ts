import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Column, ColumnType } from '../contract/columns.ts';
import { parseInstant } from '../contract/instant.ts';
import { plainCell, valueGroups } from './values.ts';

const decimals = fc
  .tuple(fc.integer({ min: 1, max: 38 }), fc.integer({ min: 0, max: 38 }))
  .map(([precision, scale]): ColumnType => `decimal(${precision},${Math.min(scale, precision)})`);
const types = fc.oneof(
  fc.constantFrom<ColumnType>('text', 'integer', 'bigint', 'double', 'boolean', 'date', 'timestamp'),
  decimals,
);
const columns = fc
  .record({
    type: types,
    nullable: fc.boolean(),
    maxLength: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  })
  .map(
    ({ type, nullable, maxLength }): Column => ({
      name: 'c',
      type,
      nullable,
      ...(type === 'text' && maxLength !== undefined ? { maxLength } : {}),
    }),
  );

/** Written from the table of canonical cells in contract/columns.ts. */
function canHold({ type, nullable, maxLength }: Column, cell: unknown): boolean {
  if (cell === null) return nullable;
  switch (type) {
    case 'text':
      return typeof cell === 'string' && [...cell].length <= (maxLength ?? 1000);
    case 'integer':
      return Number.isInteger(cell) && Math.abs((cell as number) + 0.5) < 2 ** 31;
    case 'bigint':
      return typeof cell === 'bigint' && BigInt.asIntN(64, cell) === cell;
    case 'double':
      return typeof cell === 'number';
    case 'boolean':
      return typeof cell === 'boolean';
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(String(cell)) && parseInstant(String(cell)) !== null;
    case 'timestamp':
      return (
        /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/.test(String(cell)) &&
        parseInstant(String(cell)) !== null
      );
    default: {
      const [precision, scale] = type.match(/\d+/g)!.map(Number);
      const [whole, fraction = ''] = String(cell)
        .replace(/^-?0?(?=\d)/, '')
        .replace('-', '')
        .split('.');
      return fraction.length === scale && whole!.replace(/^0$/, '').length <= precision! - scale!;
    }
  }
}

test('no value is one that its column cannot hold', () => {
  fc.assert(
    fc.property(columns, (column) => {
      const cells = [...valueGroups(column).flat(), plainCell(column, 0), plainCell(column, 3)];
      for (const cell of cells) {
        if (cell !== undefined) expect([column, cell, canHold(column, cell)]).toEqual([column, cell, true]);
      }
    }),
    { numRuns: 300 },
  );
});

test('a group has at least two values, all different', () => {
  fc.assert(
    fc.property(columns, (column) => {
      for (const group of valueGroups(column)) {
        expect(group.length).toBeGreaterThan(1);
        expect(group.every((cell, at) => group.findIndex((other) => Object.is(other, cell)) === at)).toBe(
          true,
        );
      }
    }),
    { numRuns: 300 },
  );
});

test('an enumeration has its own values and no others', () => {
  const column: Column = { name: 'c', type: 'text', nullable: false, values: ['new', 'old', null] };
  expect(valueGroups(column)).toEqual([['new', 'old']]);
  expect([0, 1, 2].map((n) => plainCell(column, n))).toEqual(['new', 'old', undefined]);
});

test('the values that are most often got wrong are among them', () => {
  const has = (type: ColumnType) => valueGroups({ name: 'c', type, nullable: true }).flat();
  expect(has('text')).toEqual(
    expect.arrayContaining([null, '', ' ', 'a', 'A', 'NULL', 'A|B', 'caf\u00e9', 'cafe\u0301']),
  );
  expect(has('bigint')).toEqual(
    expect.arrayContaining([9_007_199_254_740_993n, -9_223_372_036_854_775_808n]),
  );
  expect(has('double').some((cell) => Object.is(cell, -0))).toBe(true);
  expect(has('double').some(Number.isNaN)).toBe(true);
  expect(has('decimal(18,9)')).toEqual(
    expect.arrayContaining(['1.000000001', '1.000000002', '999999999.999999999']),
  );
  expect(has('date')).toEqual(expect.arrayContaining(['2024-02-29', '0001-01-01', '9999-12-31']));
  expect(has('timestamp')).toContain('9999-12-31T23:59:59.999999Z');
});
