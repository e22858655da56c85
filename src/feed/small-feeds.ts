import type { Row } from '../contract/columns.ts';
import { type Contract, grainMicros } from '../contract/contract.ts';
import { parseInstant, truncateInstant } from '../contract/instant.ts';
import { foldState } from '../oracle/typescript/values.ts';
import type { Dice } from './dice.ts';
import type { Feed, FeedBatch } from './feed.ts';
import { type Key, keyMaker } from './keys.ts';
import { type Cells, drawStates } from './palette.ts';
import { rowWriter } from './rows.ts';
import { sendable } from './sendable.ts';

/**
 * The batches of small feeds that show one situation each, over one or two keys. Whether a contract allows the situation, refuses the
 * batch or excludes it is for the caller to know: `batch-feeds.ts` asks for the first two, `illegal.ts` for the last.
 */
export interface SmallFeeds {
  /** Null where the columns cannot show it. */
  readonly emptyBetween: readonly FeedBatch[];
  readonly emptyFirst: readonly FeedBatch[];
  readonly oneRow: readonly FeedBatch[];
  /** The second batch is late; by its rows' own instants, where these decide. */
  readonly late: readonly FeedBatch[];
  /** The third batch says another thing for the instant of the first two. */
  readonly sameInstant: readonly FeedBatch[] | null;
  readonly equalDuplicates: readonly FeedBatch[];
  readonly differingDuplicates: readonly FeedBatch[] | null;
  /** The second batch has a row with NULL in a part of its key. */
  readonly nullKey: readonly FeedBatch[] | null;
  /** The second batch deletes the first key; the third brings it back. */
  readonly deleted: readonly FeedBatch[] | null;
}

export function smallFeeds(contract: Contract, dice: Dice): SmallFeeds {
  const { mode, unit } = sendable(contract);
  const gap = dice.chance(50) ? unit : grainMicros('day');
  const start = truncateInstant(parseInstant('2026-03-01T06:00:00Z')!, unit);
  const at = (place: number) => start + BigInt(place) * gap;
  const [one, two] = twoKeys(contract, dice);
  const { A, B, untracked } = twoStates(contract, dice);
  const write = rowWriter(contract);
  const row = (
    key: Key,
    tracked: Cells,
    place: number,
    more: { isDelete?: boolean; tie?: number; key?: Row } = {},
  ) =>
    write({
      key: more.key ?? key.spellings[0]!,
      tracked,
      untracked,
      instant: at(place),
      isDelete: more.isDelete ?? false,
      isFirst: place === 1,
      sequence: 2 * place + (more.tie ?? 0),
      partition: key.partition,
      firstStart: at(0),
    });
  // Both keys, the second only where there is one.
  const rows = (first: Cells, second: Cells, place: number) => [
    row(one, first, place),
    ...(two === null ? [] : [row(two, second, place)]),
  ];
  const batch = (place: number, ...of: Row[]): FeedBatch => ({ asOf: at(place), rows: of });
  const nullRow = nullKeyRow(contract, one);
  // Where loads come in order, only the instants of rows can be late.
  const lateAsOf = mode === 'row-time' || mode === 'events' ? 3 : 1;
  const other = B ?? A;
  const deletes = mode === 'delta' || mode === 'events' ? [row(one, A, 2, { isDelete: true })] : [];
  const stays = two === null ? [] : [row(two, A, 2)];
  return {
    emptyBetween: [batch(1, ...rows(A, A, 1)), batch(2), batch(3, ...rows(A, other, 3))],
    emptyFirst: [batch(1), batch(2, ...rows(A, A, 2)), batch(3, ...rows(other, A, 3))],
    oneRow: [batch(1, row(one, A, 1)), batch(2, row(one, other, 2)), batch(3, row(one, A, 3))],
    late: [
      batch(2, ...rows(A, A, 2)),
      batch(lateAsOf, ...rows(other, other, 1)),
      batch(4, ...rows(other, A, 4)),
    ],
    sameInstant:
      B === null
        ? null
        : [
            batch(1, ...rows(A, A, 1)),
            batch(1, ...rows(A, A, 1)),
            batch(1, ...rows(B, A, 1)),
            batch(2, ...rows(B, A, 2)),
          ],
    equalDuplicates: [
      batch(1, ...rows(A, A, 1)),
      batch(2, row(one, other, 2), ...rows(other, A, 2)),
      batch(3, ...rows(A, other, 3)),
    ],
    differingDuplicates:
      B === null
        ? null
        : [
            batch(1, ...rows(A, A, 1)),
            batch(2, row(one, A, 2, { tie: 1 }), ...rows(B, A, 2)),
            batch(3, ...rows(A, B, 3)),
          ],
    nullKey:
      nullRow === null
        ? null
        : [
            batch(1, ...rows(A, A, 1)),
            batch(2, ...rows(other, A, 2), row(one, A, 2, { key: nullRow })),
            batch(3, ...rows(A, other, 3)),
          ],
    deleted:
      deletes.length + stays.length === 0 || !canSayDeleted(contract)
        ? null
        : [batch(1, ...rows(A, A, 1)), batch(2, ...stays, ...deletes), batch(3, ...rows(A, other, 3))],
  };
}

export function smallFeed(id: string, batches: readonly FeedBatch[]): Feed {
  return { id, batches };
}

/** Two keys of one partition, or the one key that the columns can hold. */
function twoKeys(contract: Contract, dice: Dice): readonly [Key, Key | null] {
  // NULL in a key is a situation of its own.
  const maker = keyMaker({ ...contract, nullKey: 'never' }, { dice, ballast: false });
  const one = maker.next();
  if (one === null) throw new Error('The key columns of the contract can hold no value.');
  for (let other = maker.next(); other !== null; other = maker.next()) {
    if (other.partition === one.partition) return [one, other];
  }
  return [one, null];
}

/** Two states that differ under the contract; B is null where there is one only. */
function twoStates(contract: Contract, dice: Dice): { A: Cells; B: Cells | null; untracked: Cells } {
  const { tracked, untracked } = contract.columns;
  const fold = (cells: Cells) => foldState(cells, tracked, contract.compare);
  const [extra] = drawStates(contract, untracked, dice);
  let A: Cells = [];
  for (let tries = 0; tries < 20; tries++) {
    const [first, ...others] = drawStates(contract, tracked, dice);
    A = first!;
    const B = others.find((state) => fold(state) !== fold(A));
    if (B !== undefined) return { A, B, untracked: extra! };
  }
  return { A, B: null, untracked: extra! };
}

/** The key with NULL in its first part that can be. Under `nullKey: never` no part can, by the contract; then in its first part. */
function nullKeyRow(contract: Contract, key: Key): Row | null {
  const { columns, nullKey } = contract;
  const part = columns.key.find(({ name, nullable }) => nullable && name !== columns.partition?.name);
  const chosen = part ?? (nullKey === 'never' ? columns.key[0] : undefined);
  return chosen === undefined ? null : { ...key.spellings[0]!, [chosen.name]: null };
}

/** Whether the batches of the contract can say that a key is gone. */
function canSayDeleted(contract: Contract): boolean {
  return sendable({ ...contract, deletes: 'close' }).deletes;
}
