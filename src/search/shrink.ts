import type { Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import type { Feed, FeedBatch } from '../feed/feed.ts';
import { plainStates, plainUntracked } from '../feed/palette.ts';
import { foldState } from '../oracle/typescript/index.ts';
import type { Examined, Examiner } from './examine.ts';
import { ballastOf, keyOf } from './project.ts';

/**
 * Makes a failing feed smaller while the *same check* leads: without that, shrinking slides from a rare defect into the commonest one.
 *
 * A round tries everything that is one step smaller (a batch less, a row less, plainer values, the order of time) in sessions of their own,
 * judged together, and goes on with the smallest that still fails. Candidates that the contract does not allow are passed over. It ends
 * when nothing smaller fails, or at the deadline with the best so far.
 */
export async function shrink(
  examiner: Examiner,
  contract: Contract,
  start: Examined,
  check: string,
  { deadline, rounds = 12 }: { readonly deadline: number; readonly rounds?: number },
): Promise<Examined> {
  let best = start;
  // Rounds and not seconds: the same seed gives the same counterexample on a slow machine.
  for (let round = 0; round < rounds; round++) {
    const candidates = smaller(contract, best);
    if (candidates.length === 0 || performance.now() > deadline) return best;
    const tried = await examiner.examine(candidates);
    const failing = tried.filter((one) => !one.illegal && one.roots.includes(check));
    const next = failing.sort((a, b) => size(a.feed) - size(b.feed))[0];
    if (next === undefined) return best;
    best = next;
  }
  return best;
}

/** Smaller is: fewer batches, then fewer rows, then plainer rows. */
function size({ batches }: Feed): number {
  const rows = batches.flatMap((batch) => batch.rows);
  const late = batches.filter((batch, index) =>
    batches.slice(0, index).some((before) => before.asOf > batch.asOf),
  ).length;
  const text = JSON.stringify(rows, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  ).length;
  return batches.length * 1e9 + rows.length * 1e6 + late * 1e5 + Math.min(text, 99_999);
}

function smaller(contract: Contract, { feed, step }: Examined): Feed[] {
  const { batches } = feed;
  const made: FeedBatch[][] = [];
  if (step >= 0 && step < batches.length - 1) made.push(batches.slice(0, step + 1));
  for (const index of batches.keys())
    if (batches.length > 1) made.push(batches.filter((_, at) => at !== index));
  made.push(...withoutOneRow(contract, batches));
  made.push([...batches].sort((a, b) => (a.asOf < b.asOf ? -1 : a.asOf > b.asOf ? 1 : 0)));
  made.push(batches.map(({ asOf, rows }) => ({ asOf, rows })));
  made.push(plainValues(contract, batches), plainUntrackedValues(contract, batches));
  const original = textOf(batches);
  const distinct = new Map(made.map((one) => [textOf(one), one]));
  distinct.delete(original);
  // What is not smaller leads nowhere, and could go round in circles.
  return [...distinct.values()]
    .map((one, index) => ({ id: `${feed.id}/${index}`, batches: one }))
    .filter((one) => size(one) < size(feed));
}

function withoutOneRow(contract: Contract, batches: readonly FeedBatch[]): FeedBatch[][] {
  const ballast = ballastOf(contract);
  return batches.flatMap((batch, at) =>
    batch.rows.flatMap((row, index) => {
      if (ballast.has(keyOf(row, contract))) return [];
      const rows = batch.rows.filter((_, place) => place !== index);
      return [batches.map((other, place) => (place === at ? { ...batch, rows } : other))];
    }),
  );
}

/** The first tracked state that comes is A, the second B; states beyond stay as they are. */
function plainValues(contract: Contract, batches: readonly FeedBatch[]): FeedBatch[] {
  const { tracked } = contract.columns;
  const plain = plainStates(contract, 0);
  const names = new Map<string, readonly Row[string][]>();
  const spare = [plain.A, ...(plain.B === null ? [] : [plain.B])];
  return mapRows(contract, batches, (row) => {
    const cells = tracked.map(({ name }) => row[name] ?? null);
    const state = foldState(cells, tracked, contract.compare);
    if (!names.has(state))
      names.set(state, cells.every((cell) => cell === null) ? cells : (spare.shift() ?? cells));
    return Object.fromEntries(tracked.map(({ name }, index) => [name, names.get(state)![index]!]));
  });
}

function plainUntrackedValues(contract: Contract, batches: readonly FeedBatch[]): FeedBatch[] {
  const { untracked } = contract.columns;
  const plain = plainUntracked(contract)[0] ?? [];
  return mapRows(contract, batches, () =>
    Object.fromEntries(untracked.map(({ name }, index) => [name, plain[index] ?? null])),
  );
}

function mapRows(contract: Contract, batches: readonly FeedBatch[], change: (row: Row) => Row): FeedBatch[] {
  const ballast = ballastOf(contract);
  return batches.map((batch) => ({
    ...batch,
    rows: batch.rows.map((row) => (ballast.has(keyOf(row, contract)) ? row : { ...row, ...change(row) })),
  }));
}

function textOf(batches: readonly FeedBatch[]): string {
  return JSON.stringify(batches, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}
