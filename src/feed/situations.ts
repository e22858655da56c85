import type { Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { keyMaker, partitions } from './keys.ts';
import { canDiffer, canMove, canRespell, canTurnNull } from './palette.ts';
import { isOwnPartition, type Sendable, sendable } from './sendable.ts';

/**
 * What can happen to a key, or to a batch as a whole, and is worth counting: where implementations differ. A run that never reached a
 * situation which the contract allows says nothing about it, and is inconclusive.
 */
export const SITUATIONS = {
  // In order
  'no-op': 'a state that is delivered again, unchanged',
  change: 'another state',
  'untracked-only': 'a change of untracked attributes only',
  'null-to-value': 'a tracked attribute that was NULL and has a value',
  'value-to-null': 'a tracked attribute that had a value and is NULL',
  'a-b-a': 'a state that comes back after another one',
  'value-moves': 'a value that moves to another tracked column',
  'value-respelled': 'a state in another spelling that counts as equal',
  'key-respelled': 'a key in another spelling that counts as the same',
  delete: 'a key that was there and is gone',
  'reappear-same': 'a deleted key that is back in its last state',
  'reappear-changed': 'a deleted key that is back in another state',
  'marker-row': 'a delete that is kept as a marker row',
  'marker-row-ends': 'a marker row that ends because its key is back',
  'restored-instant': 'a deleted key that is back with the instant it had before',
  'row-time-only': 'a newer instant in the row, and nothing else new',

  // Late
  'late-before-all': 'a late state before all that is known of its key',
  'late-inside-closed': 'a late state inside a closed version',
  'late-inside-open': 'a late state inside the open version',
  'late-inside-gap': 'a late state in the time in which its key was deleted',
  'late-equal': 'a late state that changes nothing',
  'late-delete': 'a late delete',
  'late-new-key': 'a key that is first named by a late row',
  'lost-evidence': 'a late state before a repeat that changed nothing when it came',

  // Several statements about one key and instant
  'same-instant': 'another state for an instant that an earlier batch spoke of',
  'duplicates-equal': 'identical rows of one key and instant in a batch',
  'duplicates-differing': 'different rows of one key and instant in a batch',
  'several-states-in-a-batch': 'several instants of one key in a batch',
  'redelivery-at-once': 'the batch before, once more',
  'redelivery-later': 'an earlier batch, once more, after others',

  // Keys and partitions
  'null-key': 'a row with NULL in its key',
  'partition-absence': 'a key that is missing from its own partition',
  'partition-unnamed': 'a key whose partition the batch does not name',

  // Batches as a whole
  'first-load-empty': 'a first load without rows',
  'empty-batch': 'a later load without rows',
  'one-row-batch': 'a batch of one row',
  'reordered-columns': 'a batch whose columns come in another order',
  'rejected-late': 'a late batch, refused',
  'rejected-same-instant': 'a batch that contradicts an earlier one, refused',
  'rejected-duplicates': 'a batch with several rows of a key and instant, refused',
  'rejected-null-key': 'a batch with NULL in a key, refused',
  'rejected-empty': 'a snapshot without rows, refused',
} as const;

export type SituationId = keyof typeof SITUATIONS;

export interface Situation {
  readonly id: SituationId;
  readonly words: string;
  /** Whether feeds under this contract can be in it. */
  readonly allowed: boolean;
}

/** All situations, with those that the contract (and what its columns can hold) allows. */
export function situations(contract: Contract): readonly Situation[] {
  const allowed = allowedIn(contract, sendable(contract));
  return (Object.keys(SITUATIONS) as SituationId[]).map((id) => ({
    id,
    words: SITUATIONS[id],
    allowed: allowed[id],
  }));
}

function allowedIn(contract: Contract, rules: Sendable): Record<SituationId, boolean> {
  const { columns, deletes, emptySnapshot } = contract;
  const { mode, late, conflicts, duplicates } = rules;
  const isSnapshot = contract.feed === 'snapshot';
  const rowTime = mode === 'row-time';
  const ownInstants = rowTime || mode === 'events';
  const differs = canDiffer(contract, columns.tracked);
  // With `deletes: ignore` what is said to be gone stays, and so never comes back.
  const goes = rules.deletes && deletes !== 'ignore';
  const nullKey = contract.nullKey !== 'never' && columns.key.some(({ nullable }) => nullable);
  const emptied =
    isSnapshot && emptySnapshot === 'close-all' && deletes === 'never' && columns.partition === null;
  const partitioned = isSnapshot && columns.partition !== null && partitions(contract).length > 1;
  // An attribute that is also the row's instant (or its sequence) is new in every row: no state ever comes again.
  const repeats = !hasRolling(contract, columns.tracked);
  const stays = repeats && !hasRolling(contract, columns.untracked);
  return {
    'no-op': stays || rowTime,
    change: differs,
    'untracked-only': repeats && canDiffer(contract, columns.untracked),
    'null-to-value': canTurnNull(contract),
    'value-to-null': canTurnNull(contract),
    'a-b-a': repeats && differs,
    'value-moves': canMove(contract),
    'value-respelled': repeats && canRespell(contract),
    'key-respelled': canRespellKeys(contract),
    delete: rules.deletes,
    'reappear-same': goes && (repeats || (rowTime && !rules.touched)),
    'reappear-changed': goes && differs,
    'marker-row': goes && deletes === 'marker-row',
    'marker-row-ends': goes && deletes === 'marker-row',
    'restored-instant': goes && rowTime && !rules.touched,
    'row-time-only': ownInstants && stays,
    'late-before-all': late,
    'late-inside-closed': late && differs,
    'late-inside-open': late && differs && repeats,
    'late-inside-gap': late && goes && !rowTime,
    'late-equal': late && repeats,
    'late-delete': late && goes && !rowTime,
    // Without deletes, what a late snapshot holds was in the later ones that came before it.
    'late-new-key': late && (rules.deletes || mode !== 'snapshot'),
    // Where a newer row time is a change, a repeat leaves its mark in the dimension.
    'lost-evidence': contract.late === 'apply' && late && differs && repeats && contract.changeBy === 'value',
    'same-instant': conflicts && (differs || goes),
    'duplicates-equal': duplicates !== 'none',
    'duplicates-differing': duplicates === 'differing' && differs && (conflicts || !rowTime),
    'several-states-in-a-batch': mode === 'events',
    'redelivery-at-once': rules.redelivery !== 'none',
    'redelivery-later': rules.redelivery === 'later',
    'null-key': nullKey,
    'partition-absence': partitioned && rules.deletes && !isOwnPartition(contract),
    'partition-unnamed': partitioned,
    'first-load-empty': true,
    'empty-batch': !emptied,
    'one-row-batch': true,
    'reordered-columns': true,
    'rejected-late': contract.late === 'reject' && contract.clock !== 'wall',
    'rejected-same-instant': contract.sameInstant === 'reject' && differs && contract.clock !== 'wall',
    'rejected-duplicates': contract.duplicates === 'reject',
    'rejected-null-key': contract.nullKey === 'reject' && nullKey,
    'rejected-empty': isSnapshot && emptySnapshot === 'reject',
  };
}

/** Whether one of the columns is also the instant or the sequence of a row. */
function hasRolling({ columns: { changedAt, sequence } }: Contract, columns: readonly Column[]): boolean {
  return columns.some(({ name }) => name === changedAt?.name || name === sequence?.name);
}

/** Whether some key that feeds use has another spelling. */
function canRespellKeys(contract: Contract): boolean {
  if (contract.keyCompare.length === 0) return false;
  const maker = keyMaker(contract, { dice: null, ballast: true });
  return (maker.next()?.spellings.length ?? 0) > 1;
}
