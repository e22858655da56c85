import type { Cell, Column, Row } from '../../contract/columns.ts';
import { grainMicros } from '../../contract/contract.ts';
import { formatDate, formatInstant, parseInstant, truncateInstant } from '../../contract/instant.ts';
import { tableFromRows } from '../../duckdb/rows.ts';
import type { Batch, Setup } from '../implementation.ts';

const DAYS = ['2026-03-01T06:00:00Z', '2026-03-02T06:00:00Z', '2026-03-03T06:00:00Z'] as const;

/** Three loads that no contract finds strange: two keys, then one of them changed, then nothing. */
export function sampleBatches(setup: Setup): { first: Batch; change: Batch; empty: Batch } {
  const batch = (index: 0 | 1 | 2, versions: readonly number[]): Batch => {
    const asOf = truncateInstant(parseInstant(DAYS[index])!, grainMicros(setup.contract.grain));
    const rows = versions.map((version, key) => sampleRow(setup, asOf, key, version, index));
    return { index, asOf, rows: tableFromRows(setup.batchColumns, rows) };
  };
  return { first: batch(0, [1, 1]), change: batch(1, [2, 1]), empty: batch(2, []) };
}

function sampleRow(setup: Setup, asOf: bigint, key: number, version: number, index: number): Row {
  const { columns } = setup.contract;
  const keys = new Set(columns.key.map(({ name }) => name));
  const cells = setup.batchColumns.map((column): [string, Cell] => {
    const { name } = column;
    if (keys.has(name)) return [name, sampleCell(column, key + 1)];
    if (name === columns.operation?.name) return [name, index === 0 ? 'I' : 'U'];
    if (name === columns.sequence?.name) return [name, sampleCell(column, index + 1)];
    if (name === columns.partition?.name) return [name, sampleCell(column, 1)];
    if (column.type === 'timestamp') return [name, formatInstant(asOf)];
    if (column.type === 'date') return [name, formatDate(asOf)];
    return [name, sampleCell(column, version)];
  });
  return Object.fromEntries(cells);
}

/** A small value that the column can hold; others for other numbers from 1 up. */
function sampleCell({ type, values, maxLength = 8 }: Column, number: number): Cell {
  if (values !== undefined && values.length > 0) return values[(number - 1) % values.length]!;
  switch (type) {
    case 'text':
      return `V${number}`.slice(-maxLength);
    case 'integer':
    case 'double':
      return number;
    case 'bigint':
      return BigInt(number);
    case 'boolean':
      return number % 2 === 1;
    case 'date':
      return formatDate(BigInt(number) * 86_400_000_000n);
    case 'timestamp':
      return formatInstant(BigInt(number) * 86_400_000_000n);
    default:
      return sampleDecimal(type, number);
  }
}

function sampleDecimal(type: string, number: number): string {
  const scale = Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0);
  const digits = String(number).padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
