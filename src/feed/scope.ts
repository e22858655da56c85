import type { Contract } from '../contract/contract.ts';
import { ballast, earliest } from './ballast.ts';
import type { Feed } from './feed.ts';
import { type Key, keyMaker } from './keys.ts';
import { sequences } from './orders.ts';
import { plainStates } from './palette.ts';
import { isPresentToTheEnd, type Plan, type ScopeSymbol, scopePlans } from './scope-plans.ts';
import { historyWriter } from './scope-rows.ts';
import { sendable } from './sendable.ts';

/*
 * The small scope: not a sample, all of it. The histories are all sequences of a few symbols, one for each of n instants. Each has a key
 * of its own, so all of them are one feed for each order of arrival. Histories shorter than n are in there too, because the
 * dimension is judged after each batch: every order of fewer batches is the beginning of one of n.
 *
 * Where the key columns cannot hold so many keys, the histories are spread over several feeds.
 */

export interface ScopeOptions {
  /** `in-order`: only the order of time, for a larger n. Default: every order that the contract allows. */
  readonly orders?: 'every' | 'in-order';
}

export interface Scope {
  /** What is complete when all its feeds were judged. */
  readonly words: string;
  readonly batches: number;
  /** What may be said at each instant, by the names that the words use. */
  readonly palette: readonly string[];
  /** Different histories. Each is sent in each order. */
  readonly histories: number;
  readonly orders: number;
  /** Feeds of the first part: every history in every order. */
  readonly feeds: number;
  /** Feeds of the second part: every history, with one batch delivered again. */
  readonly redeliveries: number;
  /** Feeds of one history each: snapshots without rows, late batches that are refused. */
  readonly singles: number;
}

/** All feeds of the scope of `n` batches, the plain ones first. They are made one at a time. */
export function* scopeFeeds(contract: Contract, n: number, options: ScopeOptions = {}): Generator<Feed> {
  if (n < 1) return;
  const { orders, redeliveries, singles } = scopePlans(contract, n, options.orders ?? 'every');
  const packs = packsOf(contract, n);
  let turn = 0;
  for (const plan of repeated(contract, orders)) {
    for (const pack of packs) yield feedOf(contract, plan, pack, turn);
    turn++;
  }
  for (const plan of redeliveries) {
    for (const pack of packs) yield feedOf(contract, plan, pack, turn);
    turn++;
  }
  const room = roomFor(contract, 1);
  for (const { plan, histories, hasBallast } of singles) {
    for (const [at, history] of histories.entries()) {
      const pack = { ...room, part: null, histories: [history], hasBallast: hasBallast && room.hasBallast };
      yield feedOf(contract, { ...plan, id: `${plan.id}/${at + 1}` }, pack, 0);
    }
  }
}

/** What the scope holds, counted without making it. */
export function describeScope(contract: Contract, n: number, options: ScopeOptions = {}): Scope {
  const which = options.orders ?? 'every';
  const { orders, redeliveries, singles } = scopePlans(contract, n, which);
  const packs = packsOf(contract, n).length;
  const symbols = symbolsOf(contract).map((symbol) => wordFor(symbol, contract));
  return {
    words: `${wordsFor(contract, n, which, symbols)}${redeliveries.length > 0 ? againWords(contract) : ''}`,
    batches: n,
    palette: symbols,
    histories: historiesOf(contract, n).length,
    orders: orders.length,
    feeds: repeated(contract, orders).length * packs,
    redeliveries: redeliveries.length * packs,
    singles: singles.reduce((sum, { histories }) => sum + histories.length, 0),
  };
}

// Histories

function symbolsOf(contract: Contract): readonly ScopeSymbol[] {
  const { mode, deletes } = sendable(contract);
  const states = plainStates(contract, 0);
  const isSaid = mode === 'delta' || mode === 'events';
  return [
    'none',
    ...(isSaid && deletes ? (['deleted'] as const) : []),
    ...(states.NULL === null ? [] : (['NULL'] as const)),
    'A',
    ...(states.B === null ? [] : (['B'] as const)),
  ];
}

function historiesOf(contract: Contract, n: number): readonly (readonly ScopeSymbol[])[] {
  const { mode, deletes } = sendable(contract);
  const all = sequences(symbolsOf(contract), n);
  return deletes || mode === 'delta' || mode === 'events' ? all : all.filter(isPresentToTheEnd);
}

/** Keys of the feeds; the ballast has its own, unless the columns have room for one key only. */
interface Room {
  readonly keys: readonly Key[];
  readonly hasBallast: boolean;
}

interface Pack extends Room {
  /** Which part of the histories it holds; null for all. */
  readonly part: number | null;
  readonly histories: readonly (readonly ScopeSymbol[])[];
}

/** The histories, as many in a pack as there are keys. */
function packsOf(contract: Contract, n: number): readonly Pack[] {
  const histories = historiesOf(contract, n);
  const room = roomFor(contract, histories.length);
  const size = room.keys.length;
  const count = Math.ceil(histories.length / size);
  return Array.from({ length: count }, (_, at) => ({
    ...room,
    part: count === 1 ? null : at + 1,
    histories: histories.slice(at * size, (at + 1) * size),
  }));
}

function roomFor(contract: Contract, count: number): Room {
  for (const hasBallast of [true, false]) {
    const maker = keyMaker(contract, { dice: null, ballast: hasBallast });
    const keys: Key[] = [];
    for (let key = maker.next(); key !== null && keys.length < count; key = maker.next()) keys.push(key);
    if (keys.length > 0) return { keys, hasBallast };
  }
  throw new Error('The key columns of the contract can hold no value.');
}

/** At least one turn for each tracked column to be the one that changes. */
function repeated(contract: Contract, orders: readonly Plan[]): readonly Plan[] {
  const columns = contract.columns.tracked.length;
  if (orders.length >= columns) return orders;
  return contract.columns.tracked.flatMap(({ name }) =>
    orders.map((plan) => ({ ...plan, id: `${plan.id}/${name}` })),
  );
}

// Feeds

function feedOf(contract: Contract, plan: Plan, pack: Pack, turn: number): Feed {
  const write = historyWriter(contract, plan);
  const rows = pack.histories.map((history, at) => write(history, pack.keys[at]!, at, turn));
  const first = earliest(plan.batches);
  const constant = pack.hasBallast ? ballast(contract, first) : () => [];
  const said = (places: readonly number[]) =>
    rows.flatMap((ofHistory) => places.map((place) => ofHistory[place]!)).filter((row) => row !== null);
  return {
    id: pack.part === null ? plan.id : `${plan.id}/part-${pack.part}`,
    batches: plan.batches.map(({ asOf, places }) => ({ asOf, rows: [...constant(asOf), ...said(places)] })),
  };
}

// Words

function wordFor(symbol: ScopeSymbol, contract: Contract): string {
  if (symbol !== 'none') return symbol;
  const { mode } = sendable(contract);
  return mode === 'snapshot' || mode === 'row-time' ? 'absent' : 'unmentioned';
}

function wordsFor(
  contract: Contract,
  n: number,
  which: 'every' | 'in-order',
  symbols: readonly string[],
): string {
  const { mode, late, deletes } = sendable(contract);
  const every = late && which === 'every';
  const things = `${mode === 'events' ? 'event' : 'batch'}${n === 1 ? '' : mode === 'events' ? 's' : 'es'}`;
  const absent = symbols[0] === 'absent' && !deletes ? ', absent only before it first appears' : '';
  const order = {
    snapshot: every ? 'in every arrival order' : 'in order',
    delta: every ? 'in every arrival order' : 'in order',
    'row-time': every ? 'in order, with the row times in every order' : 'in order',
    events: `divided into batches in every way${every ? '' : ' that keeps their order'}`,
  }[mode];
  return `every history of up to ${n} ${things} over {${symbols.join(', ')}}${absent}, ${order}, beside other keys`;
}

function againWords(contract: Contract): string {
  return sendable(contract).redelivery === 'later'
    ? '; and in order, with each batch again at each later place'
    : '; and in order, with each batch twice in a row';
}
