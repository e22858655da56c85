import { type Column, isInstantLiteral } from '../../src/contract/columns.ts';
import { type Contract, grainMicros } from '../../src/contract/contract.ts';
import { declareContract } from '../../src/contract/declare.ts';
import { truncateInstant } from '../../src/contract/instant.ts';
import { type Entry, type Raw, readResult } from './entry.ts';
import { instantOf } from './feed.ts';
import type { Layout } from './layout.ts';

/*
 * From what a report says to a whole contract. A report names the feed and a few decisions; the others follow from its rows by rules
 * that know no entry: an instant in the rows is where versions start, a key that is NULL is a value, and so on. What the entry declares
 * always wins.
 */

export type Decisions = Readonly<Record<string, unknown>>;

/** The contract of an entry under decisions that its own declarations override. Throws where they contradict each other. */
export function contractOf(entry: Entry, layout: Layout, decisions: Decisions): Contract {
  const role = (name: string | null, type: string) => (name === null ? null : { name, type });
  const columns: Record<string, unknown> = {
    key: layout.key,
    tracked: layout.tracked,
    untracked: layout.untracked.length === 0 ? null : layout.untracked,
    changedAt: role(layout.changedAt, 'timestamp'),
    operation: role(layout.operation, 'text'),
    sequence: role(layout.sequence, 'bigint'),
    isCurrent: role(layout.isCurrent, 'text'),
    // Where nothing shows it, a contract with marker rows has one of its own.
    ...(layout.isDeleted === null ? {} : { isDeleted: role(layout.isDeleted, 'boolean') }),
    surrogateKey: role(layout.surrogateKey, 'text'),
    hash: role(layout.hash, 'text'),
    validFrom: 'valid_from',
    validTo: 'valid_to',
  };
  const layer = (values: Decisions) =>
    Object.entries(values).map(([name, value]) => ({ name, value, where: entry.id }));
  return declareContract([layer({ columns }), layer(decisions), layer(entry.contract)]).contract;
}

/** The decisions that follow from an entry's own rows and words. */
export function decisionsOf(entry: Entry, layout: Layout, grain: Contract['grain']): Decisions {
  const feed = String(entry.contract['feed'] ?? 'snapshot');
  const ownInstants =
    layout.changedAt !== null && (feed === 'changes' || entry.contract['stamp'] !== 'as-of');
  const rows = saidRows(entry, layout, ownInstants, grain);
  const decisions: Record<string, unknown> = {
    stamp: ownInstants && feed !== 'changes' ? 'row-time' : null,
    firstStart: layout.began,
    openMarker: openMarker(entry),
    deletes: deletes(entry, layout),
    duplicates: duplicates(entry, layout, rows),
    sameInstant: contradicts(
      rows,
      feed === 'snapshot' ? entry.batches.map(({ as_of }) => cut(as_of, grain)) : null,
    )
      ? 'last'
      : null,
    nullKey: rows.some(({ hasNullKey }) => hasNullKey) ? 'value' : null,
    keyCompare: collation(entry, 'key_collation'),
    compare: collation(entry, 'value_collation'),
  };
  return Object.fromEntries(Object.entries(decisions).filter(([, option]) => option !== null));
}

/** What a row says, in a form that can be compared. */
interface Said {
  readonly batch: number;
  readonly key: string;
  readonly hasNullKey: boolean;
  readonly instant: bigint;
  readonly state: string;
  readonly whole: string;
}

function cut(instant: unknown, grain: Contract['grain']): bigint {
  return truncateInstant(instantOf(instant), grainMicros(grain));
}

function saidRows(
  entry: Entry,
  layout: Layout,
  ownInstants: boolean,
  grain: Contract['grain'],
): readonly Said[] {
  const text = (row: Raw, columns: readonly Column[]) =>
    JSON.stringify(columns.map(({ name }) => String(row[name] ?? '\0')));
  return entry.batches.flatMap((batch, index) =>
    batch.rows.map((raw) => {
      const row = Object.fromEntries(
        Object.entries(raw).map(([name, value]) => [layout.nameOf(name), value]),
      );
      const own = ownInstants && layout.changedAt !== null ? row[layout.changedAt] : null;
      const isDelete = layout.operation !== null && /^d(elete)?$/i.test(String(row[layout.operation]));
      const state = isDelete ? 'absent' : text(row, layout.tracked);
      return {
        batch: index,
        key: text(row, layout.key),
        hasNullKey: layout.key.some(({ name }) => row[name] === null || row[name] === undefined),
        instant: cut(own ?? batch.as_of, grain),
        state,
        whole: isDelete ? state : state + text(row, layout.untracked),
      };
    }),
  );
}

/** The only order that a SQL table has is one in its columns, or one that the report speaks of. */
function duplicates(entry: Entry, layout: Layout, rows: readonly Said[]): string | null {
  const tied = pairs(rows).filter(
    ([a, b]) => a.batch === b.batch && a.key === b.key && a.instant === b.instant,
  );
  if (tied.length === 0) return null;
  if (layout.sequence !== null || entry.order !== undefined) return 'last';
  return tied.every(([a, b]) => a.whole === b.whole) ? 'equal' : 'any';
}

/** Whether two batches say different things of a key at one instant; of a snapshot, saying nothing says it is absent. */
function contradicts(rows: readonly Said[], snapshots: readonly bigint[] | null): boolean {
  const differ = pairs(rows).some(
    ([a, b]) => a.batch !== b.batch && a.key === b.key && a.instant === b.instant && a.state !== b.state,
  );
  if (differ || snapshots === null) return differ;
  return rows.some((row) =>
    snapshots.some(
      (instant, batch) =>
        batch !== row.batch &&
        instant === row.instant &&
        !rows.some((other) => other.batch === batch && other.key === row.key),
    ),
  );
}

function pairs<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b) => [a, b] as const));
}

function deletes(entry: Entry, layout: Layout): string | null {
  const told = String(entry.options?.['delete_mode'] ?? '');
  if (layout.isDeleted !== null || /marker|new.record/i.test(told)) return 'marker-row';
  return /ignore/i.test(told) ? 'ignore' : null;
}

/** The option, or the one far instant in which the right dimension's versions end where none is NULL. */
function openMarker(entry: Entry): string | null {
  const told = entry.options?.['open_marker'];
  if (typeof told === 'string' && isInstantLiteral(told)) return told;
  const right = readResult(entry.expected);
  if (right?.kind !== 'table') return null;
  const ends = right.rows.map(({ to }) => to);
  const far = ends.filter((to) => typeof to === 'string' && Number(to.slice(0, 4)) >= 2100);
  return far.length > 0 && !ends.includes(null) ? String(far[0]) : null;
}

function collation(entry: Entry, option: string): readonly string[] | null {
  const told = String(entry.options?.[option] ?? '');
  const foldings = [
    ...(/case.?insensitive/i.test(told) ? ['case-insensitive'] : []),
    ...(/blank|trim|pad/i.test(told) ? ['trim'] : []),
  ];
  return foldings.length > 0 ? foldings : null;
}
