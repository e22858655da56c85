import fc from 'fast-check';
import type { Cell, Column, Columns, Row } from '../../src/contract/columns.ts';
import { type Contract, FOLDINGS, type Folding, OPTIONS } from '../../src/contract/contract.ts';
import { formatInstant, parseInstant } from '../../src/contract/instant.ts';
import { STRICT } from '../../src/contract/presets.ts';
import { besideColumns, hasVersions } from '../../src/contract/types.ts';
import type { Feed, FeedBatch } from '../../src/feed/feed.ts';
import { expectFeeds } from '../../src/oracle/duckdb/index.ts';
import type { ExpectedStep, ExpectedVersion } from '../../src/oracle/expected.ts';
import { expectFeed, foldState } from '../../src/oracle/typescript/index.ts';

/**
 * The two oracles on random contracts and random feeds: every field varied, input that a contract calls illegal included, because
 * both must say the same of that too. Feeds hold many keys; each key is one history.
 */

const START = parseInstant('2026-03-01T00:00:00Z')!;
const DAY = 86_400_000_000n;

const column = (name: string, type: Column['type'] = 'text'): Column => ({ name, type, nullable: true });

/** Combinations that a declared contract refuses (contract/declare.ts), made legal. */
function coherent(contract: Contract): Contract {
  let c = contract;
  if (c.type !== '4') c = { ...c, historyHolds: 'all' };
  if (!hasVersions(c)) c = { ...c, lateEvidence: 'log' };
  if (c.deletes === 'marker-row' && c.reappearance === 'bridge') c = { ...c, reappearance: 'gap' };
  if (c.feed !== 'snapshot' && c.columns.partition !== null)
    c = { ...c, columns: { ...c.columns, partition: null } };
  if (c.changeBy === 'row-time' && c.feed !== 'changes' && c.stamp !== 'row-time')
    c = { ...c, changeBy: 'value' };
  if (c.feed === 'snapshot' && c.stamp === 'row-time' && (c.late === 'ignore' || c.late === 'reject'))
    c = { ...c, lateScope: 'key' };
  return c;
}

export const contracts: fc.Arbitrary<Contract> = fc
  .record({
    options: fc.record(
      Object.fromEntries(
        Object.entries(OPTIONS).map(([field, { options }]) => [field, fc.constantFrom<string>(...options)]),
      ) as Record<keyof typeof OPTIONS, fc.Arbitrary<string>>,
    ),
    firstStart: fc.constantFrom('observed', 'observed', '1970-01-01', '2026-03-03', 'created_at'),
    compare: fc.subarray<Folding>([...FOLDINGS]),
    keyCompare: fc.subarray<Folding>([...FOLDINGS]),
    plain: fc.boolean(),
    operation: fc.boolean(),
    sequence: fc.boolean(),
    partition: fc.boolean(),
    untrackedColumn: fc.boolean(),
    secondKey: fc.boolean(),
    secondTracked: fc.boolean(),
  })
  .map((r) => {
    const options = r.options as unknown as Omit<Contract, 'columns' | 'compare' | 'keyCompare'>;
    const instant = (name: string) => column(name, options.grain === 'day' ? 'date' : 'timestamp');
    const tracked = r.secondTracked ? [column('a'), column('b', 'double')] : [column('a')];
    const besideOf = (of: Column): Column => ({ ...of, name: `beside_${of.name}`, of: of.name });
    const columns: Columns = {
      key: r.secondKey ? [column('k'), column('k2')] : [column('k')],
      tracked,
      untracked: r.untrackedColumn ? [column('u')] : [],
      validFrom: instant('valid_from'),
      validTo: instant('valid_to'),
      isCurrent: column('is_current', 'boolean'),
      isDeleted: column('is_deleted', 'boolean'),
      hash: null,
      surrogateKey: null,
      // Of the last tracked column, so that another one changes where it does not.
      previous: options.type === '3' ? [besideOf(tracked.at(-1)!)] : [],
      current: options.type === '6' ? tracked.map(besideOf) : [],
      inHistory: options.type === '4' ? column('in_history', 'boolean') : null,
      changedAt: column('changed_at', 'timestamp'),
      operation: r.operation ? column('operation') : null,
      sequence: r.sequence ? column('sequence', 'bigint') : null,
      partition: r.partition ? column('part') : null,
    };
    return coherent({
      ...STRICT,
      ...options,
      openMarker: 'null',
      firstStart: r.firstStart,
      compare: r.plain ? [] : r.compare,
      keyCompare: r.plain ? [] : r.keyCompare,
      columns,
    });
  });

interface Draw {
  readonly present: boolean;
  readonly value: Cell;
  readonly double: Cell;
  readonly untracked: Cell;
  readonly back: number;
  readonly operation: Cell;
  readonly sequence: Cell;
  readonly created: number | null;
  readonly twice: {
    readonly value: Cell;
    readonly untracked: Cell;
    readonly back: number;
    readonly sequence: Cell;
  } | null;
}

const draws = (contract: Contract): fc.Arbitrary<Draw> => {
  const value = fc.constantFrom<Cell>(null, 'A', 'A', 'B', 'B', 'a', ' A', '');
  const untracked = fc.constantFrom<Cell>(null, 'u', 'v', 'U');
  const back = fc.integer({ min: 0, max: 4 });
  const sequence = fc.constantFrom<Cell>(null, 1n, 2n, 2n, 3n);
  return fc.record({
    present: fc.boolean(),
    value,
    double: fc.constantFrom<Cell>(0, -0, Number.NaN, 1, null),
    untracked,
    back,
    operation: fc.constantFrom<Cell>('U', 'I', 'D', null, 'delete'),
    sequence,
    created: fc.option(fc.integer({ min: 0, max: 5 })),
    twice: fc.option(fc.record({ value, untracked, back, sequence }), {
      freq: contract.duplicates === 'never' ? 12 : 3,
    }),
  });
};

const keyNames = ['A', 'a', ' a', 'b', 'B', '', 'c', null, 'd', 'e'] as const;

/** One feed: a schedule that all keys share, and a history for each key. Instants lie at most a few days or grains apart. */
export function feeds(contract: Contract, keys: number, atLeast = 1): fc.Arbitrary<Feed> {
  const unit = contract.grain === 'day' ? DAY : DAY / 2n;
  return fc
    .record({
      schedule: fc.array(fc.integer({ min: 2, max: 8 }), { minLength: 1, maxLength: 6 }),
      histories: fc.array(fc.array(draws(contract), { minLength: 6, maxLength: 6 }), {
        minLength: Math.min(atLeast, keys),
        maxLength: keys,
      }),
      empty: fc.option(fc.integer({ min: 0, max: 5 }), { freq: 4 }),
    })
    .map(({ schedule, histories, empty }) => {
      // Snapshots with row times arrive in the order of `asOf`, by contract.
      const ordered = contract.feed === 'snapshot' && contract.stamp === 'row-time';
      const instants = ordered ? [...new Set(schedule)].sort((a, b) => a - b) : schedule;
      const batches = instants.map((place, index): FeedBatch => {
        const asOf = START + BigInt(place) * unit;
        const rows =
          empty === index
            ? []
            : histories.flatMap((history, key) => rowsOf(contract, key, history[index]!, asOf, unit));
        return { asOf, rows };
      });
      return { id: 'random', batches };
    });
}

function rowsOf(contract: Contract, key: number, draw: Draw, asOf: bigint, unit: bigint): Row[] {
  if (!draw.present) return [];
  const changedAt = (back: number): Cell =>
    back === 4 && contract.nullKey !== 'never' ? null : formatInstant(asOf - BigInt(back) * unit);
  const name = keyNames[key % keyNames.length]!;
  const base = {
    k: key < keyNames.length ? name : `key ${key}`,
    k2: key % 3 === 0 ? null : `x${key}`,
    part: ['p', 'q', null][key % 3]!,
    b: draw.double,
    operation: draw.operation,
    created_at: draw.created === null ? null : formatInstant(START + BigInt(draw.created) * unit),
  };
  const first: Row = {
    ...base,
    a: draw.value,
    u: draw.untracked,
    changed_at: changedAt(draw.back),
    sequence: draw.sequence,
  };
  if (draw.twice === null) return [first];
  const { value, untracked, back, sequence } = draw.twice;
  return [first, { ...base, a: value, u: untracked, changed_at: changedAt(back), sequence }];
}

/** The partition of a key is the same in each of its rows by contract, and keys that fold together must share one. */
function samePartition(contract: Contract, feed: Feed): Feed {
  if (contract.columns.partition === null) return feed;
  const part = (row: Row): Cell => {
    const folded = foldState(
      contract.columns.key.map(({ name }) => row[name] ?? null),
      contract.columns.key,
      contract.keyCompare,
    );
    return ['p', 'q', null][[...folded].reduce((sum, c) => sum + c.codePointAt(0)!, 0) % 3]!;
  };
  return {
    ...feed,
    batches: feed.batches.map((b) => ({ ...b, rows: b.rows.map((row) => ({ ...row, part: part(row) })) })),
  };
}

/** Where the oracles disagree on one of the feeds: the feed, and both answers for the first step and key that differ. */
export interface Disagreement {
  readonly feed: Feed;
  readonly text: string;
}

export async function disagreement(contract: Contract, drawn: readonly Feed[]): Promise<Disagreement | null> {
  const feeds = drawn.map((feed) => samePartition(contract, feed));
  const duckdb = await expectFeeds(contract, feeds);
  for (const [index, feed] of feeds.entries()) {
    const typescript = expectFeed(contract, feed);
    for (let step = 0; step < feed.batches.length; step++) {
      const left = canonical(contract, duckdb[index]![step]!);
      const right = canonical(contract, typescript[step]!);
      for (const key of new Set([...left.keys(), ...right.keys()])) {
        if (left.get(key) === right.get(key)) continue;
        const text = `after batch ${step}, key ${key}\nduckdb:     ${left.get(key)}\ntypescript: ${right.get(key)}`;
        return { feed, text };
      }
    }
  }
  return null;
}

/** How many histories a feed holds. */
export function countHistories(feed: Feed): number {
  return new Set(feed.batches.flatMap(({ rows }) => rows.map((row) => `${row['k']}/${row['k2']}`))).size;
}

/** The contract and the feed of a disagreement, to be read by a person. */
export function describe(contract: Contract, { feed, text }: Disagreement): string {
  const { columns, ...decisions } = contract;
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
  const roles = Object.entries(columns)
    .filter(([, value]) => value !== null)
    .map(([role]) => role);
  const batches = feed.batches.map(
    ({ asOf, rows }) => `  ${formatInstant(asOf)} ${JSON.stringify(rows, plain)}`,
  );
  return [
    `The oracles disagree ${text}`,
    JSON.stringify(decisions),
    `columns: ${roles.join(', ')}`,
    ...batches,
  ].join('\n');
}

/** Takes rows and batches away while the oracles still disagree: what is left is small enough to read. */
export async function shrink(contract: Contract, found: Disagreement): Promise<Disagreement> {
  let best = found;
  for (let progress = true; progress; ) {
    progress = false;
    for (const candidate of smaller(best.feed)) {
      const still = await disagreement(contract, [candidate]);
      if (still === null) continue;
      best = still;
      progress = true;
      break;
    }
  }
  return best;
}

function* smaller(feed: Feed): Generator<Feed> {
  const { batches } = feed;
  const keys = new Set(batches.flatMap(({ rows }) => rows.map((row) => `${row['k']}/${row['k2']}`)));
  for (const key of keys) {
    yield {
      ...feed,
      batches: batches.map((b) => ({
        ...b,
        rows: b.rows.filter((row) => `${row['k']}/${row['k2']}` !== key),
      })),
    };
  }
  for (const index of batches.keys()) yield { ...feed, batches: batches.filter((_, at) => at !== index) };
  for (const [index, batch] of batches.entries()) {
    for (const at of batch.rows.keys()) {
      const rows = batch.rows.filter((_, row) => row !== at);
      yield { ...feed, batches: batches.map((b, place) => (place === index ? { ...b, rows } : b)) };
    }
  }
}

function canonical(contract: Contract, step: ExpectedStep): Map<string, string> {
  const { columns, compare, keyCompare } = contract;
  const answers = new Map<string, string>([['(outcome)', step.outcome]]);
  for (const key of step.keys) {
    const row = (v: ExpectedVersion) => {
      const state = foldState(v.tracked, columns.tracked, compare);
      const beside = foldState(v.beside, besideColumns(contract), compare);
      return `${state}${beside === '' ? '' : ` beside ${beside}`}[${short(v.validFrom)},${v.validTo === null ? '∞' : short(v.validTo)})${v.isDeleted ? ' marker' : ''}`;
    };
    const versions = [
      ...key.versions.map(row),
      ...(key.current === null ? [] : [`current ${row(key.current)}`]),
    ];
    const marks = `${key.forgiven ? ' forgiven' : ''}${key.ambiguous ? ' ambiguous' : ''}`;
    if (versions.length === 0 && !key.forgiven) continue;
    answers.set(foldState(key.key, columns.key, keyCompare), versions.sort().join(' ') + marks);
  }
  return answers;
}

const short = (micros: bigint) =>
  formatInstant(micros).replace(':00.000000Z', '').replace('2026-', '').replace('T00:00', '');
