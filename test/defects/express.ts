import { UsageError } from '../../src/cli/usage-error.ts';
import { isInstantLiteral } from '../../src/contract/columns.ts';
import { type Contract, OPTIONS } from '../../src/contract/contract.ts';
import { formatInstant } from '../../src/contract/instant.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { expectFeed, type JudgedStep } from '../../src/oracle/typescript/index.ts';
import { disagreement, untrackedDisagreement } from './agree.ts';
import { contractOf, type Decisions, decisionsOf } from './complete.ts';
import { type Entry, type Result, readResult } from './entry.ts';
import { feedOf, instantOf, readings } from './feed.ts';
import { type Layout, layoutOf } from './layout.ts';

/** An entry as a feed under a contract, with what the plain oracle says of it. */
export interface Expression {
  readonly entry: Entry;
  readonly contract: Contract;
  readonly feed: Feed;
  readonly right: Result;
  readonly wrong: Result;
  readonly steps: readonly JudgedStep[];
  /** Where the plain oracle says something else than the entry, after all that was tried. */
  readonly disagreement: string | null;
  /** What was taken from the right dimension, because the entry and its feed leave it open. */
  readonly supposed: readonly string[];
}

export interface Unexpressed {
  readonly entry: Entry;
  readonly reason: string;
}

/**
 * The contract is what the entry declares and what follows from its feed. Where the right dimension is not the one that this contract
 * calls for, a report has a decision in mind that it does not spell out; then one other option is tried for a field that the entry does
 * not declare, then two, and the first that gives the right dimension is taken, and named. The wrong dimension plays no part in this.
 */
export function express(entry: Entry): Expression | Unexpressed {
  const unexpressed = (reason: string): Unexpressed => ({ entry, reason });
  if (entry.unexpressed !== undefined) return unexpressed(entry.unexpressed);
  const right = readResult(entry.expected);
  if (right === null) return unexpressed('what is right is told in a sentence, and not as a dimension.');
  const wrong = readResult(entry.wrong);
  if (wrong === null) return unexpressed('what went wrong is told in a sentence, and not as a dimension.');
  if (sameRows(right, wrong)) return unexpressed('the wrong dimension holds the same rows as the right one.');
  try {
    const layout = layoutOf(entry);
    const first = attempt(entry, layout, right, wrong, []);
    if (first.disagreement === null) return narrowUntracked(first, layout);
    for (const supposed of suppositions(entry, layout, right)) {
      const other = tryOut(() => attempt(entry, layout, right, wrong, supposed));
      if (other?.disagreement === null) return other;
    }
    return first;
  } catch (error) {
    const what = error instanceof UsageError ? 'no contract takes it' : 'it cannot be read';
    return unexpressed(`${what}: ${(error as Error).message}`);
  }
}

function sameRows(right: Result, wrong: Result): boolean {
  if (right.kind !== 'table' || wrong.kind !== 'table') return false;
  const lines = (rows: readonly object[]) =>
    rows
      .map((row) => JSON.stringify(Object.entries(row).sort().map(String)))
      .sort()
      .join('\n');
  return lines(right.rows) === lines(wrong.rows);
}

/** One decision, or one reading of what arrived. */
type Supposition = { readonly field: string; readonly option: unknown } | { readonly reading: number };

function attempt(
  entry: Entry,
  layout: Layout,
  right: Result,
  wrong: Result,
  supposed: readonly Supposition[],
): Expression {
  const reading =
    readings(entry)[supposed.map((one) => ('reading' in one ? one.reading : 0)).find(Boolean) ?? 0]!;
  const options = Object.fromEntries(
    supposed.flatMap((one) => ('field' in one ? [[one.field, one.option] as const] : [])),
  );
  const grain = OPTIONS.grain.options.find((one) => one === (entry.contract['grain'] ?? options['grain']));
  const followed = decisionsOf({ ...entry, batches: reading.batches }, layout, grain ?? 'microsecond');
  const decisions: Decisions = { ...followed, ...options };
  const contract = contractOf(entry, layout, decisions);
  const feed = feedOf(entry, layout, contract, reading.batches);
  const steps = expectFeed(contract, feed);
  return {
    entry,
    contract,
    feed,
    right,
    wrong,
    steps,
    disagreement:
      disagreement(contract, right, steps.at(-1)) ?? untrackedDisagreement(contract, right, steps.at(-1)),
    supposed: [
      ...(reading.told === null ? [] : [reading.told]),
      ...supposed.flatMap((one) => ('field' in one ? [`${one.field}: ${String(one.option)}`] : [])),
    ],
  };
}

/** What contradicts itself as a contract is no alternative. */
function tryOut<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/**
 * What of the untracked attributes is right, no feed tells. Where the right dimension takes one side (the value at the start, or the
 * present one), that is the decision; where it takes none, any delivered value is right.
 */
function narrowUntracked(expression: Expression, layout: Layout): Expression {
  const { entry, right, wrong } = expression;
  if (right.kind !== 'table' || layout.untracked.length === 0 || 'untracked' in entry.contract)
    return expression;
  const sides = ['frozen', 'current', 'all'].map((option) =>
    attempt(entry, layout, right, wrong, [{ field: 'untracked', option }]),
  );
  const agreeing = sides.filter((one) => one.disagreement === null);
  return agreeing.length === sides.length ? expression : (agreeing[0] ?? expression);
}

/** Options in the order in which they are tried: those that judge least come last. */
const OTHER_OPTIONS: Readonly<Record<string, readonly unknown[]>> = {
  stamp: ['row-time', 'as-of'],
  late: ['ignore', 'reject'],
  lateScope: ['key'],
  emptySnapshot: ['ignore', 'reject'],
  deletes: ['ignore', 'marker-row'],
  reappearance: ['bridge'],
  sameInstant: ['last', 'first', 'reject'],
  duplicates: ['last', 'first', 'reject'],
  changeBy: ['row-time'],
  batchStates: ['latest'],
  nullKey: ['skip', 'reject'],
  keyCompare: [['case-insensitive'], ['trim'], ['empty-is-null'], ['case-insensitive', 'trim']],
  compare: [['case-insensitive'], ['trim'], ['empty-is-null'], ['case-insensitive', 'trim']],
  grain: ['millisecond', 'second', 'day'],
  end: ['inclusive'],
};

function* suppositions(entry: Entry, layout: Layout, right: Result): Generator<readonly Supposition[]> {
  const single: Supposition[] = [
    ...readings(entry)
      .slice(1)
      .map((_, index) => ({ reading: index + 1 })),
    ...Object.entries({
      partition: layout.hidden,
      ...OTHER_OPTIONS,
      firstStart: firstStarts(entry, layout, right),
      untracked: layout.untracked.length === 0 ? [] : ['frozen', 'current', 'all'],
    })
      .filter(([field]) => !(field in entry.contract))
      .flatMap(([field, options]) => options.map((option) => ({ field, option }))),
  ];
  for (const one of single) yield [one];
  for (const [index, one] of single.entries()) {
    for (const other of single.slice(index + 1)) {
      if ('field' in one && 'field' in other && one.field === other.field) continue;
      yield [one, other];
    }
  }
}

/** `observed`, and the right dimension's earliest start where it lies before everything that arrived. */
function firstStarts(entry: Entry, layout: Layout, right: Result): readonly string[] {
  const starts =
    right.kind === 'table' ? right.rows.map(({ from }) => String(from)).filter(isInstantLiteral) : [];
  const arrived = entry.batches.flatMap(({ as_of, rows }) => [
    as_of,
    ...rows.flatMap((row) => (layout.changedAt === null ? [] : [row[layout.changedAt] ?? as_of])),
  ]);
  const before = starts
    .map(instantOf)
    .filter((start) => arrived.every((instant) => start < instantOf(instant)))
    .map(formatInstant);
  return [...new Set(before), ...(layout.began === null ? [] : ['observed'])];
}
