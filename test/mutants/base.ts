import { createHash } from 'node:crypto';
import type { Table } from 'apache-arrow';
import {
  type Cell,
  type Column,
  dimensionColumns,
  isInstantLiteral,
  type Row,
} from '../../src/contract/columns.ts';
import { type Contract, type Folding, grainMicros } from '../../src/contract/contract.ts';
import { formatDate, formatInstant, parseInstant, truncateInstant } from '../../src/contract/instant.ts';
import { columnCells } from '../../src/duckdb/cells.ts';
import { tableFromRows } from '../../src/duckdb/rows.ts';
import type { Batch, Outcome, Session, Setup } from '../../src/plugins/implementation.ts';
import type { OpenedImplementation } from '../../src/plugins/opened.ts';
import { currentValues, previousValues, rowsOfType } from './types.ts';

/*
 * The right implementation that the mutants are made from. It keeps what loads said and derives the versions anew after each, in small
 * rules of one decision each; a mutant is the same rules, one of them wrong. It runs in this process (data in, rows out), so that
 * thousands of histories take milliseconds.
 *
 * It knows nothing of the two oracles, and follows docs/semantics.md: every option of every field, no partitions. Under
 * `lateEvidence: dimension` it forgets all that its own table does not show.
 */

/** What a load says of a key at an instant. */
export interface Saying {
  readonly key: string;
  readonly at: bigint;
  /** Null: the key is gone. */
  readonly row: Row | null;
  /** The tracked attributes, as one text; equal where they count as equal. */
  readonly state: string;
  /** Which load said it, in the order of arrival. */
  readonly load: number;
  /** Order where instants tie, NULL lowest. */
  readonly sequence: Cell;
  /** It brings a key back that was gone, at the instant at which it had gone: a version of its own, whatever its state. */
  readonly isReopening?: true;
}

/** That the key is gone. */
function gone(key: string, at: bigint, load: number): Saying {
  return { key, at, row: null, state: '', load, sequence: null };
}

export interface Load {
  readonly index: number;
  readonly asOf: bigint;
  readonly rows: readonly Row[];
  readonly sayings: readonly Saying[];
  /** Keys that have a row in it, also one that is ignored. */
  readonly named: ReadonlySet<string>;
  /** What it does not name is gone. */
  readonly isWhole: boolean;
}

export interface Version {
  readonly key: string;
  readonly row: Row;
  readonly state: string;
  readonly from: bigint;
  readonly to: bigint | null;
  /** Where the untracked attributes come from. */
  readonly extra: Row;
  readonly isMarker: boolean;
  /** The key was gone before it, or was gone at its end. */
  readonly afterGone: boolean;
  readonly endsGone: boolean;
  /** The key was not there before it, if only for an instant. */
  readonly isAnew: boolean;
}

export interface Memory {
  readonly contract: Contract;
  readonly loads: Load[];
  /** By key: all that stayed of what loads said, in the order of arrival. */
  readonly said: Map<string, Saying[]>;
  latest: bigint | null;
  /** Keys that the first load that counted names; null before it. */
  firstLoad: ReadonlySet<string> | null;
  /** How many loads were applied. */
  applied: number;
  /** The table after the load before. */
  table: readonly Row[];
  readonly surrogates: Map<string, number>;
  /** For mutants that remember something. */
  readonly own: Map<string, unknown>;
}

export interface Rules {
  /** Whether nothing is kept but what the table shows. */
  forgets(contract: Contract): boolean;
  keyOf(row: Row, contract: Contract): string;
  stateOf(row: Row, contract: Contract): string;
  isDelete(row: Row, contract: Contract): boolean;
  instantOf(row: Row, asOf: bigint, contract: Contract): bigint;
  /** Rows that are not looked at. */
  isSkipped(row: Row, contract: Contract): boolean;
  /** Why the load is refused, or null. */
  refusal(load: Load, memory: Memory): string | null;
  /** The load as it is taken: without what is late and ignored. */
  take(load: Load, memory: Memory): Load;
  /** Of what a load says of one key, what stays: one saying for an instant. */
  settle(sayings: readonly Saying[], memory: Memory): readonly Saying[];
  /** All that is known of a key, in order of time, one saying for an instant. */
  observe(key: string, memory: Memory): readonly Saying[];
  /** Whether a saying begins a version; `held` is what began the open one. */
  opens(held: Saying | null, said: Saying, memory: Memory): boolean;
  fold(observed: readonly Saying[], memory: Memory): readonly Version[];
  /** What is left to do with the versions of a key: first starts, bridges, marker rows. */
  shape(versions: readonly Version[], observed: readonly Saying[], memory: Memory): readonly Version[];
  /** The saying that a version takes its untracked attributes from. */
  extraOf(version: Version, observed: readonly Saying[], memory: Memory): Row;
  write(version: Version, memory: Memory): Row;
  /** The rows of a key, by the type of the dimension. */
  rows(versions: readonly Version[], memory: Memory): readonly Row[];
  /** Beside the attributes of a row of type 3, and of all rows of type 6. */
  previousValues(versions: readonly Version[], memory: Memory): Row;
  currentValues(versions: readonly Version[], memory: Memory): Row;
  /** The table as a whole, last of all. */
  table(rows: readonly Row[], memory: Memory, load: Load): readonly Row[];
  /** Columns that the dimension has. */
  columns(contract: Contract, memory: Memory): readonly Column[];
}

export const RIGHT: Rules = {
  forgets: ({ lateEvidence }) => lateEvidence === 'dimension',
  keyOf: (row, { columns, keyCompare }) => identity(row, columns.key, keyCompare),
  stateOf: (row, { columns, compare }) => identity(row, columns.tracked, compare),
  isDelete: (row, { feed, columns }) =>
    feed !== 'snapshot' &&
    columns.operation !== null &&
    /^d(elete)?$/i.test(String(row[columns.operation.name])),
  instantOf: (row, asOf, { feed, stamp, columns, grain }) => {
    const isOwn = feed === 'changes' || stamp === 'row-time';
    const own = isOwn && columns.changedAt !== null ? row[columns.changedAt.name] : null;
    return own == null ? asOf : truncateInstant(parseInstant(String(own))!, grainMicros(grain));
  },
  isSkipped: (row, contract) => contract.nullKey === 'skip' && hasNullKey(row, contract),
  refusal,
  take,
  settle,
  observe,
  opens: (held, said, { contract }) =>
    held === null ||
    held.state !== said.state ||
    said.isReopening === true ||
    contract.changeBy === 'row-time',
  fold(observed, memory) {
    return foldWith(this, observed, memory);
  },
  shape(versions, observed, memory) {
    return shapeWith(this, versions, observed, memory);
  },
  extraOf,
  write,
  rows(versions, memory) {
    return rowsOfType(this, versions, memory);
  },
  previousValues,
  currentValues,
  table: (rows) => rows,
  columns: (contract) => dimensionColumns(contract),
};

/** An implementation of the rules; each session begins empty. */
export function implementationOf(name: string, rules: Rules): OpenedImplementation {
  return {
    name,
    kind: 'function',
    anyColumns: true,
    declared: [],
    start: async (setup) => session(rules, setup),
    close: async () => undefined,
  };
}

function session(rules: Rules, { contract }: Setup): Session {
  const memory: Memory = {
    contract,
    loads: [],
    said: new Map(),
    latest: null,
    firstLoad: null,
    applied: 0,
    table: [],
    surrogates: new Map(),
    own: new Map(),
  };
  return {
    apply: async (batch) => apply(rules, memory, batch),
    read: async () => tableFromRows(rules.columns(contract, memory), memory.table),
    close: async () => undefined,
  };
}

function apply(rules: Rules, memory: Memory, { index, asOf, rows: table }: Batch): Outcome {
  const { contract } = memory;
  const delivered = rowsOf(table);
  const rows = delivered.filter((row) => !rules.isSkipped(row, contract));
  const sayings = rows.map((row) => ({
    key: rules.keyOf(row, contract),
    at: rules.instantOf(row, asOf, contract),
    row: rules.isDelete(row, contract) ? null : row,
    state: rules.isDelete(row, contract) ? '' : rules.stateOf(row, contract),
    load: index,
    sequence: contract.columns.sequence === null ? null : (row[contract.columns.sequence.name] ?? null),
  }));
  const load: Load = {
    index,
    asOf,
    rows: delivered,
    sayings,
    named: new Set(sayings.map(({ key }) => key)),
    isWhole: contract.feed === 'snapshot' && contract.deletes !== 'ignore',
  };
  const reason = rules.refusal(load, memory);
  if (reason !== null) return { status: 'rejected', reason };
  remember(rules, memory, rules.take(load, memory));
  const ofKeys = [...memory.said.keys()].map((key) => {
    const observed = rules.observe(key, memory);
    return rules.shape(rules.fold(observed, memory), observed, memory);
  });
  const rowsOfKeys = ofKeys.flatMap((versions) => rules.rows(versions, memory));
  if (rules.forgets(contract)) forget(memory, ofKeys.flat());
  memory.applied++;
  memory.table = rules.table(rowsOfKeys, memory, load);
  return { status: 'applied' };
}

function remember(rules: Rules, memory: Memory, load: Load): void {
  const { contract } = memory;
  if (isEmptySnapshot(load, contract) && contract.emptySnapshot === 'ignore') return;
  const byKey = new Map<string, Saying[]>();
  for (const saying of load.sayings.map((one) => reopened(one, memory)))
    byKey.set(saying.key, [...(byKey.get(saying.key) ?? []), saying]);
  for (const [key, sayings] of byKey)
    memory.said.set(key, [...(memory.said.get(key) ?? []), ...rules.settle(sayings, memory)]);
  memory.firstLoad ??= new Set(load.sayings.map(({ key }) => key));
  const ownInstants = load.sayings.filter(({ row }) => row !== null || contract.deletes !== 'ignore');
  const instants = [...ownInstants.map(({ at }) => at), ...(asOfCounts(contract) ? [load.asOf] : [])];
  memory.loads.push(load);
  for (const at of instants) if (memory.latest === null || at > memory.latest) memory.latest = at;
}

/** Whether a load's own instant is among those that decide what is late. */
function asOfCounts({ feed, stamp }: Contract): boolean {
  return feed === 'snapshot' || (feed !== 'changes' && stamp === 'as-of');
}

/** In snapshots whose rows carry their time, none reaches back before the last time its key had gone. */
function reopened(said: Saying, memory: Memory): Saying {
  const { feed, stamp } = memory.contract;
  if (feed !== 'snapshot' || stamp !== 'row-time') return said;
  const closes = everSaid(said.key, memory).filter(({ row }) => row === null);
  const last = closes.reduce<bigint | null>((max, { at }) => (max === null || at > max ? at : max), null);
  return last === null || said.at > last ? said : { ...said, at: last, isReopening: true };
}

/** Only what the table shows: each start with its state, and each end at which nothing begins. */
function forget(memory: Memory, versions: readonly Version[]): void {
  memory.said.clear();
  const starts = new Set(versions.map(({ key, from }) => `${from} ${key}`));
  for (const { key, row, state, extra, from, to } of versions) {
    const merged = { ...row };
    for (const { name } of memory.contract.columns.untracked) merged[name] = extra[name] ?? null;
    const said = memory.said.get(key) ?? [];
    said.push({ key, at: from, row: merged, state, load: -1, sequence: null });
    if (to !== null && !starts.has(`${to} ${key}`)) said.push(gone(key, to, -1));
    memory.said.set(key, said);
  }
  const { index, asOf } = memory.loads.at(-1)!;
  memory.loads.splice(0, memory.loads.length, {
    index,
    asOf,
    rows: [],
    sayings: [],
    named: new Set(memory.said.keys()),
    isWhole: false,
  });
}

// The rules

function refusal(load: Load, memory: Memory): string | null {
  const { contract, latest } = memory;
  const { emptySnapshot, nullKey, duplicates, late, sameInstant } = contract;
  if (emptySnapshot === 'reject' && isEmptySnapshot(load, contract)) return 'the snapshot is empty';
  if (nullKey === 'reject' && load.rows.some((row) => hasNullKey(row, contract))) return 'a key is NULL';
  const places = load.sayings.map(({ key, at }) => `${at} ${key}`);
  if (duplicates === 'reject' && new Set(places).size < places.length) return 'a key comes twice';
  if (late === 'reject') {
    const counted = load.sayings.filter(({ row }) => row !== null || contract.deletes !== 'ignore');
    const isLate = counted.some((said) => isBefore(reopened(said, memory).at, latestFor(said.key, memory)));
    const gone = load.isWhole ? [...memory.said.keys()].filter((key) => !load.named.has(key)) : [];
    const isGoneLate = gone.some((key) => isBefore(load.asOf, latestFor(key, memory)));
    const isEmptyLate =
      contract.lateScope === 'batch' &&
      asOfCounts(contract) &&
      counted.length === 0 &&
      isBefore(load.asOf, latest);
    if (isLate || isGoneLate || isEmptyLate) return 'the load is late';
  }
  if (sameInstant === 'reject' && contradicts(load, memory)) return 'another load said otherwise';
  return null;
}

function contradicts(load: Load, memory: Memory): boolean {
  const all = [...new Set([...memory.said.keys(), ...load.named])];
  return all.some((key) => {
    const news = load.sayings.filter((saying) => saying.key === key);
    if (news.length === 0 && load.isWhole) news.push(gone(key, load.asOf, load.index));
    return news.some(({ at, row, state }) =>
      everSaid(key, memory).some(
        (old) => old.at === at && (old.state !== state || (old.row === null) !== (row === null)),
      ),
    );
  });
}

function take(load: Load, memory: Memory): Load {
  const { contract, latest } = memory;
  if (contract.late !== 'ignore') return load;
  return {
    ...load,
    sayings: load.sayings.filter((said) => !isBefore(reopened(said, memory).at, latestFor(said.key, memory))),
    // By key, absences are late one by one: see `everSaid`.
    isWhole: load.isWhole && (contract.lateScope === 'key' || !isBefore(load.asOf, latest)),
  };
}

function isBefore(at: bigint, latest: bigint | null): boolean {
  return latest !== null && at < latest;
}

/** The latest instant, compared with which something that is said of a key is late. */
function latestFor(key: string, memory: Memory): bigint | null {
  if (memory.contract.lateScope === 'batch') return memory.latest;
  return latestOf(everSaid(key, memory), firstNaming(key, memory));
}

function latestOf(sayings: readonly Saying[], firstNamed: number): bigint | null {
  const own = sayings.filter(({ load }) => load >= firstNamed).map(({ at }) => at);
  return own.reduce<bigint | null>((max, at) => (max === null || at > max ? at : max), null);
}

/** Which load named it first; loads that were forgotten count as −1. */
function firstNaming(key: string, { said }: Memory): number {
  return Math.min(...(said.get(key) ?? []).map(({ load }) => load));
}

function settle(sayings: readonly Saying[], { contract }: Memory): readonly Saying[] {
  // A stable sort: where sequences tie, the order of rows decides.
  const ordered = [...sayings].sort((a, b) => compare(a.sequence, b.sequence));
  const byInstant = new Map<bigint, Saying>();
  for (const saying of ordered) {
    if (contract.duplicates === 'first' && byInstant.has(saying.at)) continue;
    byInstant.set(saying.at, saying);
  }
  const inTime = [...byInstant.values()].sort((a, b) => compare(a.at, b.at));
  const onlyLatest = contract.feed === 'changes' && contract.batchStates !== 'all';
  const kept = onlyLatest ? inTime.slice(-1) : inTime;
  return contract.deletes === 'ignore' ? kept.filter(({ row }) => row !== null) : kept;
}

/** Also the absences, in the order of arrival. */
export function everSaid(key: string, memory: Memory): readonly Saying[] {
  const { loads, said, contract } = memory;
  const absences = loads
    .filter(({ isWhole, named }) => isWhole && !named.has(key))
    .map(({ index, asOf }) => gone(key, asOf, index));
  const all = [...(said.get(key) ?? []), ...absences].sort((a, b) => a.load - b.load);
  if (contract.feed === 'snapshot' && contract.stamp === 'row-time') return goneOnce(all);
  const isByKey = contract.late === 'ignore' && contract.lateScope === 'key';
  return isByKey ? withoutLateAbsences(all, firstNaming(key, memory)) : all;
}

/** By row time a key is absent once: when it goes. */
function goneOnce(sayings: readonly Saying[]): readonly Saying[] {
  let isThere = false;
  return sayings.filter(({ row, load }, at) => {
    const isKept = row !== null || isThere;
    // Of several sayings of one load, the latest counts, which is the last.
    if (sayings[at + 1]?.load !== load) isThere = row !== null;
    return isKept || load < 0;
  });
}

function withoutLateAbsences(sayings: readonly Saying[], firstNamed: number): readonly Saying[] {
  const kept: Saying[] = [];
  for (const said of sayings) {
    const isLate =
      said.row === null && said.load >= firstNamed && isBefore(said.at, latestOf(kept, firstNamed));
    if (!isLate) kept.push(said);
  }
  return kept;
}

export function observe(key: string, memory: Memory): readonly Saying[] {
  const byInstant = new Map<bigint, Saying>();
  for (const saying of everSaid(key, memory)) {
    const before = byInstant.get(saying.at);
    if (memory.contract.sameInstant === 'first' && before !== undefined && saying.isReopening !== true)
      continue;
    byInstant.set(saying.at, before?.isReopening === true ? { ...saying, isReopening: true } : saying);
  }
  return [...byInstant.values()].sort((a, b) => compare(a.at, b.at));
}

function foldWith(rules: Rules, observed: readonly Saying[], memory: Memory): readonly Version[] {
  const versions: Version[] = [];
  let held: Saying | null = null;
  let wasGone = false;
  const close = (at: bigint, endsGone: boolean) => {
    const open = versions.pop();
    if (open !== undefined) versions.push(open.to === null ? { ...open, to: at, endsGone } : open);
  };
  for (const said of observed) {
    if (said.row === null) {
      if (held !== null) close(said.at, true);
      held = null;
      wasGone = true;
    } else if (rules.opens(held, said, memory)) {
      if (held !== null) close(said.at, false);
      const { key, row, state, at } = said;
      const open = { key, row, state, from: at, to: null, extra: row, isMarker: false, endsGone: false };
      const isAnew = held === null || said.isReopening === true;
      versions.push({ ...open, afterGone: wasGone, isAnew });
      held = said;
      wasGone = false;
    }
  }
  return versions;
}

function shapeWith(
  rules: Rules,
  folded: readonly Version[],
  observed: readonly Saying[],
  memory: Memory,
): readonly Version[] {
  const { firstStart, reappearance, deletes } = memory.contract;
  const withExtra = folded.map((version) => ({
    ...version,
    extra: rules.extraOf(version, observed, memory),
  }));
  const versions = withExtra.map((version, index) => {
    const before = withExtra[index - 1];
    if (before !== undefined)
      return reappearance === 'bridge' && version.afterGone ? { ...version, from: before.to! } : version;
    const isConcerned = memory.contract.firstStartScope === 'every-key' || memory.firstLoad!.has(version.key);
    const start = isConcerned ? startOf(version.row, firstStart, memory.contract) : null;
    return start !== null && start < version.from ? { ...version, from: start } : version;
  });
  if (deletes !== 'marker-row') return versions;
  return versions.flatMap((version, index) => {
    if (!version.endsGone) return [version];
    const until = versions[index + 1]?.from ?? null;
    return [version, { ...version, from: version.to!, to: until, isMarker: true, isAnew: false }];
  });
}

function startOf(row: Row, firstStart: string, { grain }: Contract): bigint | null {
  if (firstStart === 'observed') return null;
  const text = isInstantLiteral(firstStart) ? firstStart : row[firstStart];
  return text == null ? null : truncateInstant(parseInstant(String(text))!, grainMicros(grain));
}

function extraOf(version: Version, observed: readonly Saying[], { contract }: Memory): Row {
  const present = observed.filter(({ row }) => row !== null);
  const own = present.filter(({ at }) => at >= version.from && (version.to === null || at < version.to));
  if (contract.untracked === 'all') return present.at(-1)!.row!;
  const said = contract.untracked === 'frozen' ? own[0] : own.at(-1);
  return said?.row ?? version.row;
}

export function write(version: Version, memory: Memory): Row {
  const { contract } = memory;
  const { key, tracked, untracked, validFrom, validTo, isCurrent, isDeleted, hash, surrogateKey } =
    contract.columns;
  const row: Record<string, Cell> = {};
  for (const { name } of key) row[name] = version.row[name] ?? null;
  for (const { name } of tracked) row[name] = version.row[name] ?? null;
  for (const { name } of untracked) row[name] = version.extra[name] ?? null;
  row[validFrom.name] = instantCell(version.from, validFrom);
  if (validTo !== null) row[validTo.name] = endCell(version.to, validTo, contract);
  if (isCurrent !== null) row[isCurrent.name] = flagCell(version.to === null, isCurrent);
  if (isDeleted !== null) row[isDeleted.name] = flagCell(version.isMarker, isDeleted);
  if (hash !== null) row[hash.name] = digest(version.state);
  if (surrogateKey !== null) row[surrogateKey.name] = numberCell(surrogateOf(version, memory), surrogateKey);
  return row;
}

// Small parts, which mutants use too

export function identity(row: Row, columns: readonly Column[], foldings: readonly Folding[] = []): string {
  return JSON.stringify(
    columns.map((column) => spelled(foldedCell(row[column.name] ?? null, column, foldings))),
  );
}

/** Different texts for different values; NaN is one value, and −0 is 0. */
export function spelled(cell: Cell): string | null {
  return cell === null ? null : `${cell}`;
}

function foldedCell(cell: Cell, column: Column, foldings: readonly Folding[]): Cell {
  if (typeof cell !== 'string' || column.type !== 'text' || foldings.length === 0) return cell;
  let text = cell;
  if (foldings.includes('trim')) text = text.replace(/^ +| +$/g, '');
  if (foldings.includes('case-insensitive')) text = text.toLowerCase();
  return foldings.includes('empty-is-null') && text === '' ? null : text;
}

export function hasNullKey(row: Row, { columns, keyCompare }: Contract): boolean {
  return columns.key.some((column) => foldedCell(row[column.name] ?? null, column, keyCompare) === null);
}

export function isEmptySnapshot({ rows }: Load, { feed }: Contract): boolean {
  return feed === 'snapshot' && rows.length === 0;
}

export function instantCell(micros: bigint, column: Column): Cell {
  return column.type === 'date' ? formatDate(micros) : formatInstant(micros);
}

/** The end as the contract stores it: one grain less where it is inclusive, the marker where it is open. */
export function endCell(to: bigint | null, column: Column, { end, grain, openMarker }: Contract): Cell {
  if (to !== null) return instantCell(end === 'inclusive' ? to - grainMicros(grain) : to, column);
  return openMarker === 'null' ? null : instantCell(parseInstant(openMarker)!, column);
}

function flagCell(flag: boolean, { type }: Column): Cell {
  return type === 'boolean' ? flag : flag ? 'Y' : 'N';
}

export function numberCell(number: number, { type }: Column): Cell {
  return type === 'bigint' ? BigInt(number) : type === 'text' ? String(number) : number;
}

export function digest(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** A number for each version, which it keeps. */
export function surrogateOf({ key, state, from, isMarker }: Version, { surrogates }: Memory): number {
  const id = `${isMarker} ${from} ${JSON.stringify([key, state])}`;
  const known = surrogates.get(id) ?? surrogates.size + 1;
  surrogates.set(id, known);
  return known;
}

/** NULL lowest. */
function compare(a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return a < b ? -1 : Number(a > b);
}

function rowsOf(table: Table): Row[] {
  const columns = table.schema.fields.map((field, index) => ({
    name: field.name,
    cells: columnCells(table.getChildAt(index)!, field),
  }));
  return Array.from({ length: table.numRows }, (_, at) =>
    Object.fromEntries(columns.map(({ name, cells }) => [name, cells[at]!])),
  );
}
