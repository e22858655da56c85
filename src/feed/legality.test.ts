import { describe, expect, test } from 'vitest';
import { batchColumns, type Row } from '../contract/columns.ts';
import { type Contract, grainMicros } from '../contract/contract.ts';
import { parseInstant } from '../contract/instant.ts';
import { expectFeed } from '../oracle/typescript/index.ts';
import { foldCells, foldState } from '../oracle/typescript/values.ts';
import { held } from './cells.ts';
import { coveringFeed } from './covering.ts';
import type { Feed, FeedBatch } from './feed.ts';
import { illegalFeeds } from './illegal.ts';
import { batchFeeds, randomFeed } from './random.ts';
import { scopeFeeds } from './scope.ts';
import { NAMED, someContracts } from './testing.ts';

/*
 * A checker that shares nothing with the generators: it looks at all pairs of statements of a feed, and says which `never` they break.
 */

interface Statement {
  readonly batch: number;
  readonly key: string;
  readonly instant: bigint;
  /** Null is absent. */
  readonly state: string | null;
  readonly isRow: boolean;
}

function statementsOf(contract: Contract, { batches }: Feed): readonly Statement[] {
  const { columns, compare } = contract;
  const said: Statement[] = [];
  const state = (row: Row) =>
    foldState(
      columns.tracked.map(({ name }) => row[name] ?? null),
      columns.tracked,
      compare,
    );
  const isDelete = (row: Row) =>
    contract.feed !== 'snapshot' && columns.operation !== null && row[columns.operation.name] === 'D';
  const rowTimes = contract.feed === 'snapshot' && contract.stamp === 'row-time';
  const named = new Map<string, string>();
  const lastSaid = new Map<string, Statement>();
  const closed = new Map<string, bigint>();
  // Rows without a key are of no key, unless NULL is a value of it.
  const isKeyed = (row: Row) => contract.nullKey === 'value' || !hasNullKey(contract, row);
  const keyed = batches.map((batch) => ({ ...batch, rows: batch.rows.filter(isKeyed) }));
  for (const [batch, { asOf, rows }] of keyed.entries()) {
    for (const row of rows) {
      const key = keyOf(contract, row);
      const own = instantOf(contract, row, asOf);
      const close = closed.get(key);
      const instant = rowTimes && close !== undefined && own <= close ? close : own;
      said.push({ batch, key, instant, state: isDelete(row) ? null : state(row), isRow: true });
    }
    const here = new Set(rows.map((row) => keyOf(contract, row)));
    if (contract.feed === 'snapshot' && !(rows.length === 0 && contract.emptySnapshot !== 'close-all')) {
      const known = rowTimes ? named : everNamed(contract, keyed);
      for (const [key, partition] of known) {
        const isNamed =
          columns.partition === null || rows.some((row) => partitionOf(contract, row) === partition);
        if (here.has(key) || !isNamed) continue;
        if (rowTimes && lastSaid.get(key)?.state !== null) closed.set(key, asOf);
        said.push({ batch, key, instant: asOf, state: null, isRow: false });
      }
    }
    for (const one of said) if (one.batch === batch) lastSaid.set(one.key, one);
    for (const row of rows) {
      if (!named.has(keyOf(contract, row))) named.set(keyOf(contract, row), partitionOf(contract, row));
    }
  }
  return said;
}

function everNamed(contract: Contract, batches: readonly FeedBatch[]): ReadonlyMap<string, string> {
  const rows = batches.flatMap((batch) => batch.rows).reverse();
  return new Map(rows.map((row) => [keyOf(contract, row), partitionOf(contract, row)]));
}

function hasNullKey({ columns, keyCompare }: Contract, row: Row): boolean {
  const cells = columns.key.map(({ name }) => row[name] ?? null);
  return foldCells(cells, columns.key, keyCompare).includes(null);
}

function keyOf({ columns, keyCompare }: Contract, row: Row): string {
  return foldState(
    columns.key.map(({ name }) => row[name] ?? null),
    columns.key,
    keyCompare,
  );
}

function partitionOf({ columns: { partition } }: Contract, row: Row): string {
  return partition === null ? '' : String(row[partition.name]);
}

function instantOf({ columns, feed, stamp }: Contract, row: Row, asOf: bigint): bigint {
  const own = feed === 'changes' || stamp === 'row-time' ? (row[columns.changedAt!.name] ?? null) : null;
  return own === null ? asOf : parseInstant(String(own))!;
}

/** Fields whose `never` the feed breaks. */
function broken(contract: Contract, feed: Feed): readonly string[] {
  const found = new Set<string>();
  const { late, lateScope, sameInstant, duplicates, nullKey, deletes } = contract;
  const said = statementsOf(contract, feed);
  for (const { rows } of feed.batches) {
    if (nullKey === 'never' && rows.some((row) => hasNullKey(contract, row))) found.add('nullKey');
  }
  for (const [at, one] of said.entries()) {
    for (const other of said.slice(at + 1)) {
      const isKey = one.key === other.key;
      const isEarlier = one.batch < other.batch;
      if (late === 'never' && isEarlier && other.instant < one.instant && (isKey || lateScope === 'batch')) {
        // By key, what a snapshot said of a key before it was named decides nothing.
        if (
          lateScope === 'batch' ||
          said.some((row) => row.isRow && isKey && row.key === one.key && row.batch <= one.batch)
        ) {
          found.add('late');
        }
      }
      if (!isKey) continue;
      const isReopened = contract.stamp === 'row-time' && one.state === null && !one.isRow;
      if (
        sameInstant === 'never' &&
        isEarlier &&
        one.instant === other.instant &&
        one.state !== other.state &&
        !isReopened
      ) {
        found.add('sameInstant');
      }
      if (one.batch === other.batch && one.instant === other.instant && one.isRow && other.isRow) {
        if (duplicates === 'never' || (duplicates === 'equal' && one.state !== other.state))
          found.add('duplicates');
      }
      const [first, second] = one.instant < other.instant ? [one, other] : [other, one];
      if (
        deletes === 'never' &&
        first.instant < second.instant &&
        first.state !== null &&
        second.state === null
      ) {
        found.add('deletes');
      }
    }
    if (deletes === 'never' && one.isRow && one.state === null) found.add('deletes');
  }
  return [...found];
}

/** What a column cannot hold, or a row should not have. */
function unfit(contract: Contract, feed: Feed): readonly string[] {
  const columns = batchColumns(contract.columns, contract.firstStart);
  const names = columns
    .map(({ name }) => name)
    .sort()
    .join();
  const unit = grainMicros(contract.grain);
  return feed.batches.flatMap(({ asOf, rows, columns: order }) => [
    ...(asOf % unit === 0n ? [] : [`asOf ${asOf}`]),
    ...(order === undefined || [...order].sort().join() === names ? [] : [`order ${order.join()}`]),
    ...rows.flatMap((row) =>
      columns.flatMap((column) => {
        const cell = row[column.name];
        return cell !== undefined && Object.is(held(cell, column), cell)
          ? []
          : [`${column.name}: ${String(cell)}`];
      }),
    ),
    ...rows.flatMap((row) =>
      Object.keys(row).sort().join() === names ? [] : [`columns ${Object.keys(row).join()}`],
    ),
  ]);
}

/** The key of each row keeps its partition. */
function movedKeys(contract: Contract, { batches }: Feed): number {
  const of = new Map<string, Set<string>>();
  for (const row of batches.flatMap(({ rows }) => rows)) {
    const key = keyOf(contract, row);
    of.set(key, (of.get(key) ?? new Set()).add(partitionOf(contract, row)));
  }
  return [...of.values()].filter((partitions) => partitions.size > 1).length;
}

const CONTRACTS = [...Object.values(NAMED), ...someContracts(60, 7)];

describe.each(CONTRACTS.map((contract, at) => ({ contract, at })))('contract $at', ({ contract, at }) => {
  const packed = [
    coveringFeed(contract),
    ...[0, 1, 2].map((index) => randomFeed(contract, { seed: at, index, keys: 12 })),
    ...[...scopeFeeds(contract, 2)].filter(({ id }) => !id.includes('refused')).slice(0, 20),
  ];
  const small = [
    ...batchFeeds(contract, at),
    ...[...scopeFeeds(contract, 2)].filter(({ id }) => id.includes('refused')),
  ];

  test('nothing is sent that the contract excludes, or that a column cannot hold', () => {
    for (const feed of [...packed, ...small]) {
      expect({ id: feed.id, broken: broken(contract, feed) }).toEqual({ id: feed.id, broken: [] });
      expect(movedKeys(contract, feed)).toBe(0);
      if (!feed.id.endsWith('null-key')) expect(unfit(contract, feed)).toEqual([]);
    }
  });

  test('a packed feed is applied as a whole; no batch in it is refused', () => {
    for (const feed of packed) {
      const refused = expectFeed(contract, feed).filter(({ outcome }) => outcome === 'rejected');
      expect({ id: feed.id, refused }).toEqual({ id: feed.id, refused: [] });
    }
  });

  test('snapshots with row times come in order, and no row is from after its load', () => {
    if (contract.feed !== 'snapshot' || contract.stamp !== 'row-time') return;
    for (const { batches } of [...packed, ...small]) {
      for (const [index, { asOf, rows }] of batches.entries()) {
        expect(index === 0 || batches[index - 1]!.asOf <= asOf).toBe(true);
        expect(rows.every((row) => instantOf(contract, row, asOf) <= asOf)).toBe(true);
      }
    }
  });

  test('each illegal feed is what its name says, and nothing else', () => {
    for (const { feed, field } of illegalFeeds(contract, at)) {
      expect({ id: feed.id, broken: broken(contract, feed) }).toEqual({ id: feed.id, broken: [field] });
    }
  });
});
