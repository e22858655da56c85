import { describe, expect, test } from 'vitest';
import type { Column, Columns, ColumnType } from '../src/contract/columns.ts';
import type { Contract } from '../src/contract/contract.ts';
import { STRICT } from '../src/contract/presets.ts';
import { CASES } from './index.ts';
import { mapCase } from './mapping.ts';

const column = (name: string, type: ColumnType = 'text', more: Partial<Column> = {}): Column => ({
  name,
  type,
  nullable: false,
  ...more,
});

const COLUMNS: Columns = {
  key: [column('id')],
  tracked: [column('name'), column('city', 'text', { nullable: true })],
  untracked: [],
  validFrom: column('valid_from', 'timestamp'),
  validTo: column('valid_to', 'timestamp', { nullable: true }),
  isCurrent: column('is_current', 'boolean'),
  isDeleted: null,
  hash: null,
  surrogateKey: null,
  previous: [],
  current: [],
  inHistory: null,
  changedAt: null,
  operation: null,
  sequence: null,
  partition: null,
};

function contract(decisions: Partial<Contract> = {}, columns: Partial<Columns> = {}): Contract {
  return { ...STRICT, ...decisions, columns: { ...COLUMNS, ...columns } };
}

function map(id: string, to: Contract) {
  return mapCase(CASES.find((one) => one.id === id)!, to);
}

function rows(id: string, to: Contract) {
  const mapped = map(id, to);
  if ('skip' in mapped) throw new Error(mapped.skip);
  return mapped.feed.batches.map((batch) => batch.rows);
}

function reason(id: string, to: Contract): string | null {
  const mapped = map(id, to);
  return 'skip' in mapped ? mapped.skip : null;
}

describe('what a case sends to an implementation', () => {
  test('its values go to the first columns that fit; the others get one value all through', () => {
    expect(rows('segment-change', contract())).toEqual([
      [{ id: 'C1', name: 'A', city: 'a' }],
      [{ id: 'C1', name: 'B', city: 'a' }],
    ]);
  });

  test('NULL goes to a column that can hold it', () => {
    expect(rows('null-to-value', contract())).toEqual([
      [{ id: 'C1', name: 'a', city: null }],
      [{ id: 'C1', name: 'a', city: 'A' }],
    ]);
  });

  test('where only it matters which values are equal, columns of other types and enumerations get stand-ins', () => {
    const to = contract(
      {},
      {
        key: [column('id', 'bigint')],
        tracked: [column('status', 'text', { values: ['new', 'won', 'lost'] })],
      },
    );
    expect(rows('keys-share-values', to)).toEqual([
      [
        { id: 0n, status: 'new' },
        { id: 1n, status: 'new' },
      ],
      [
        { id: 0n, status: 'new' },
        { id: 1n, status: 'won' },
      ],
    ]);
  });

  test('a street that does not matter is left out where nothing is untracked', () => {
    expect(reason('no-change', contract())).toBeNull();
    expect(reason('address-only', contract())).toBe('It needs an untracked column; this dimension has none.');
  });

  test('a feed of changes gets an instant, an operation and a sequence in each row', () => {
    const to = contract(
      { feed: 'changes' },
      {
        tracked: [column('name')],
        changedAt: column('at', 'timestamp'),
        operation: column('op', 'text', { values: ['UPSERT', 'DELETE'] }),
        sequence: column('seq', 'bigint'),
      },
    );
    expect(rows('one-key-changes', to)[1]).toEqual([
      { id: 'C1', name: 'A', at: '2026-03-02T06:00:00.000000Z', op: 'UPSERT', seq: 0n },
      { id: 'C2', name: 'C', at: '2026-03-02T06:00:00.000000Z', op: 'UPSERT', seq: 1n },
      { id: 'C3', name: 'C', at: '2026-03-02T06:00:00.000000Z', op: 'UPSERT', seq: 2n },
    ]);
    expect(rows('delete-row', to)[1]).toEqual([
      { id: 'C1', name: 'A', at: '2026-03-02T06:00:00.000000Z', op: 'DELETE', seq: 0n },
    ]);
  });

  test('a permuted load names all columns of the batch', () => {
    const to = contract({}, { untracked: [column('note')] });
    const mapped = map('columns-permuted', to);
    if ('skip' in mapped) throw new Error(mapped.skip);
    expect(mapped.feed.batches[1]!.columns).toEqual(['city', 'id', 'name', 'note']);
  });
});

describe('a case is skipped, with the reason,', () => {
  test.each([
    ['late-arrival', contract({ late: 'never' }), 'It needs `late: apply`; this contract has `never`.'],
    [
      'delete-row',
      contract({ feed: 'delta', deletes: 'never' }),
      'It needs `deletes: close` or `deletes: marker-row`; this contract has `never`.',
    ],
    [
      'key-case-and-blanks-folded',
      contract({ keyCompare: ['trim'] }),
      'It needs `keyCompare: case-insensitive trim`; this contract has `trim`.',
    ],
    ['value-case', contract({ compare: ['trim'] }), 'It needs `compare: sql`; this contract has `trim`.'],
    ['key-parts-shift', contract(), 'It needs a second key column; this dimension has one.'],
    [
      'value-moves-to-the-neighbour',
      contract({}, { tracked: [column('name', 'text', { maxLength: 1 }), column('city')] }),
      'It needs tracked columns of type text that can hold its values; this dimension has too few.',
    ],
    [
      'null-to-value',
      contract({}, { tracked: [column('name')] }),
      'It needs tracked columns that can hold NULL and its values; this dimension has too few.',
    ],
    [
      'three-changes',
      contract({}, { tracked: [column('active', 'boolean')] }),
      'It needs tracked columns that can hold its values; this dimension has too few.',
    ],
    [
      'twice-one-day',
      contract({ grain: 'day' }),
      'It needs 2026-03-01T06:00:00Z and 2026-03-01T18:00:00Z to be two instants; at this dimension’s grain they are one.',
    ],
    [
      'redelivered-at-once',
      contract({ clock: 'wall', late: 'never' }),
      'It loads one instant twice or an older one late; a clock that nobody can set allows neither.',
    ],
    [
      'loads-around-1970',
      contract({ clock: 'moved', late: 'never' }),
      'It loads before 1970, or as it begins; clocks that are moved begin after that (MariaDB takes 0 for its own time).',
    ],
    [
      'delete-row',
      contract({ feed: 'delta' }),
      'It needs an operation in each row; this contract names no such column.',
    ],
  ])('%s', (id, to, expected) => {
    expect(reason(id, to)).toBe(expected);
  });
});

test('a literal stands for any literal', () => {
  expect(reason('first-start-literal', contract({ firstStart: '1900-01-01' }))).toBeNull();
  expect(reason('open-marker-date', contract({ openMarker: '2999-12-31' }))).toBeNull();
});

test('decimals are written with as many digits as the column has', () => {
  const to = contract({}, { tracked: [column('price', 'decimal(6,3)')] });
  expect(rows('value-decimal-zeros', to)).toEqual([
    [{ id: 'C1', price: '1.100' }],
    [{ id: 'C1', price: '1.100' }],
  ]);
  expect(reason('value-large-decimal', to)).not.toBeNull();
});
