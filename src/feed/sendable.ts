import { type Column, firstStartColumn } from '../contract/columns.ts';
import { type Contract, grainMicros } from '../contract/contract.ts';
import { held } from './cells.ts';

/**
 * What a packed feed may hold under a contract: neither what the contract calls illegal (`never`), nor what gets a whole batch refused
 * (`reject`), which would take all the histories in it along. Every generator asks here, and only here.
 */
export interface Sendable {
  /**
   * How batches speak of keys:
   * - `snapshot`: all that is there at `asOf`; silence is absence.
   * - `row-time`: a snapshot whose rows carry the instant of their last change, and which arrives in the order of `asOf`.
   * - `delta`: what is to be said at `asOf`; silence says nothing.
   * - `events`: rows with instants of their own, maybe several of a key (`feed: changes`, or a delta stamped by row time).
   */
  readonly mode: 'snapshot' | 'row-time' | 'delta' | 'events';
  /** Two different instants lie at least this many microseconds apart, and all are multiples of it. */
  readonly unit: bigint;
  /** Instants before the latest that arrived. */
  readonly late: boolean;
  /** Another state for a key and instant that an earlier batch spoke of. */
  readonly conflicts: boolean;
  readonly duplicates: 'none' | 'equal' | 'differing';
  /** Keys that were there may go, by silence or by a row that says so. */
  readonly deletes: boolean;
  /** Keys with NULL in a part. */
  readonly nullKeys: boolean;
  /** The same batch once more: after others have come, or at once (never where each load has its own wall time). */
  readonly redelivery: 'later' | 'at-once' | 'none';
  /** `row-time` only: rows that did not change carry a new instant all the same, because their old one would be late. */
  readonly touched: boolean;
}

const DAY = grainMicros('day');

export function sendable(contract: Contract): Sendable {
  const known = rulesByContract.get(contract);
  if (known !== undefined) return known;
  const rules = rulesOf(contract);
  rulesByContract.set(contract, rules);
  return rules;
}

const rulesByContract = new WeakMap<Contract, Sendable>();

function rulesOf(contract: Contract): Sendable {
  const { late, lateScope, sameInstant, duplicates, columns } = contract;
  const mode = modeOf(contract);
  const mayBeLate = late === 'apply' || (late === 'ignore' && (mode !== 'row-time' || lateScope === 'key'));
  const dates = [columns.changedAt, columns.validFrom].some((column) => column?.type === 'date');
  return {
    mode,
    unit: dates ? DAY : grainMicros(contract.grain),
    late: mayBeLate && contract.clock !== 'wall',
    conflicts: ['last', 'first', 'any'].includes(sameInstant) && contract.clock !== 'wall',
    duplicates: duplicatesOf(duplicates),
    deletes: mayDelete(contract),
    nullKeys: contract.nullKey === 'value' && columns.key.some(({ nullable }) => nullable),
    redelivery: contract.clock === 'wall' ? 'none' : mayBeLate && mode !== 'row-time' ? 'later' : 'at-once',
    touched: mode === 'row-time' && !mayBeLate && lateScope === 'batch',
  };
}

function modeOf({ feed, stamp }: Contract): Sendable['mode'] {
  if (feed === 'snapshot') return stamp === 'row-time' ? 'row-time' : 'snapshot';
  return feed === 'delta' && stamp === 'as-of' ? 'delta' : 'events';
}

function duplicatesOf(option: Contract['duplicates']): Sendable['duplicates'] {
  if (option === 'never' || option === 'reject') return 'none';
  return option === 'equal' ? 'equal' : 'differing';
}

function mayDelete(contract: Contract): boolean {
  if (contract.deletes === 'never') return false;
  if (contract.feed !== 'snapshot') return operationCell('D', contract.columns.operation) !== undefined;
  return !isOwnPartition(contract);
}

/** Each key is a partition of its own: a snapshot without it does not name its partition, and says nothing of it. */
export function isOwnPartition({ columns }: Contract): boolean {
  return columns.key.every(({ name }) => name === columns.partition?.name);
}

/** Spellings of an operation; the first that the column can hold is sent. */
const OPERATIONS = {
  I: ['I', 'INSERT', 'i', 'insert', 'U', 'UPSERT', 'UPDATE', 'u', 'upsert', 'update'],
  U: ['U', 'UPDATE', 'UPSERT', 'u', 'update', 'upsert', 'I', 'INSERT', 'i', 'insert'],
  D: ['D', 'DELETE', 'd', 'delete'],
} as const;

/** The cell that says it, or undefined where there is no such column, or it cannot hold one. */
export function operationCell(
  operation: keyof typeof OPERATIONS,
  column: Column | null,
): string | null | undefined {
  if (column === null) return undefined;
  const spelling = OPERATIONS[operation].find((text) => held(text, column) !== undefined);
  return spelling ?? (operation !== 'D' && column.nullable ? null : undefined);
}

/** Names of columns whose cells follow from their role (the row's instant, its operation, …), attributes among them. */
export function roleNames({ columns, firstStart }: Contract): ReadonlySet<string> {
  const { changedAt, operation, sequence, partition } = columns;
  const names = [changedAt, operation, sequence, partition].flatMap((column) => column?.name ?? []);
  return new Set([...names, firstStartColumn(firstStart)].filter((name) => name !== null));
}
