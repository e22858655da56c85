import { describe, expect, test } from 'vitest';
import { type Cell, type Column, isInstantLiteral } from '../src/contract/columns.ts';
import type { Contract } from '../src/contract/contract.ts';
import { parseInstant } from '../src/contract/instant.ts';
import type { Feed } from '../src/feed/feed.ts';
import { expectFeeds } from '../src/oracle/duckdb/index.ts';
import type { ExpectedStep } from '../src/oracle/expected.ts';
import { expectFeed } from '../src/oracle/typescript/index.ts';
import { foldCells } from '../src/oracle/typescript/values.ts';
import type { Case, CaseColumn, CaseRow } from './case.ts';
import { held } from './cells.ts';
import { contractOfCase } from './contract.ts';
import { BOUNDARY_IDS, CASES } from './index.ts';
import { mapCase } from './mapping.ts';

const ORACLES: readonly Oracle[] = [
  {
    name: 'TypeScript',
    expectFeeds: async (contract, feeds) => feeds.map((feed) => expectFeed(contract, feed)),
  },
  { name: 'DuckDB', expectFeeds },
];

interface Oracle {
  readonly name: string;
  expectFeeds(contract: Contract, feeds: readonly Feed[]): Promise<readonly Answer[]>;
}

type Answer = readonly ExpectedStep[];

const cases = CASES.map((one) => [one.id, one] as const);

describe('the cases as data', () => {
  test('the seven come first', () => {
    expect(CASES.slice(0, 7).map((one) => one.id)).toEqual(BOUNDARY_IDS);
    expect(BOUNDARY_IDS).toEqual([
      'no-change',
      'segment-change',
      'address-only',
      'reopen-a-b-a',
      'twice-one-day',
      'late-arrival',
      'deleted',
    ]);
  });

  test('ids and titles are unique', () => {
    expect(new Set(CASES.map((one) => one.id)).size).toBe(CASES.length);
    expect(new Set(CASES.map((one) => one.title)).size).toBe(CASES.length);
  });

  test.each(cases)('%s is well-formed', (id, one) => {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    for (const sentence of [one.title, one.why]) expect(sentence).toMatch(/^[A-Z0-9].*[^.]\.$/);
    for (const instant of instantsOf(one)) expect(parseInstant(instant), instant).not.toBeNull();
    for (const { from, to } of one.expected.rows) {
      if (to !== null) expect(parseInstant(from)!).toBeLessThan(parseInstant(to)!);
    }
  });

  test.each(cases)('%s uses the columns that it declares', (_, one) => {
    const attributes = attributesOf(one);
    const roles = (['changedAt', 'operation', 'sequence', 'partition', 'firstStart'] as const).filter(
      (role) => one.columns[role],
    );
    const names = attributes.map(({ name }) => name);
    for (const row of one.batches.flatMap(({ rows }) => rows)) {
      expect(Object.keys(row).sort()).toEqual([...names, ...roles].sort());
    }
    for (const { name, nullable = false } of attributes) {
      const cells = one.batches.flatMap(({ rows }) => rows.map((row) => row[name]));
      expect(nullable, `${name} is nullable`).toBe(cells.includes(null));
    }
    for (const { columns } of one.batches)
      if (columns) expect([...columns].sort()).toEqual([...names].sort());
    const needed = [...one.columns.key, ...one.columns.tracked].map(({ name }) => name);
    for (const { values } of one.expected.rows)
      expect(Object.keys(values)).toEqual(expect.arrayContaining(needed));
  });

  test.each(cases)('%s has figures that agree with its rows', (_, { expected }) => {
    const versions = expected.rows.filter((row) => !row.isDeleted);
    expect(expected.versions).toBe(versions.length);
    expect(expected.open).toBe(versions.filter((row) => row.to === null).length);
  });

  test.each(cases)('%s sends only what its contract allows', (_, one) => {
    expect(unannounced(one)).toEqual([]);
  });
});

describe.each(ORACLES)('the $name oracle', (oracle) => {
  test('expects the figures that were worked out by hand', async () => {
    await expectFigures(
      oracle,
      CASES.map((one) => ({ one, contract: contractOfCase(one) })),
    );
  });
});

test.each(['delta', 'changes'] as const)(
  'where the feed is %s, cases that allow any expect the same',
  async (feed) => {
    const free = CASES.filter((one) => one.needs.feed === undefined);
    await expectFigures(
      ORACLES[0]!,
      free.map((one) => ({ one, contract: withFeed(contractOfCase(one), feed) })),
    );
  },
);

interface Trial {
  readonly one: Case;
  readonly contract: Contract;
}

/** Cases of one contract are asked about together, since opening a database takes longer than any of them. */
async function expectFigures(oracle: Oracle, trials: readonly Trial[]): Promise<void> {
  const groups = new Map<string, Trial[]>();
  for (const trial of trials) {
    const contract = JSON.stringify(trial.contract);
    groups.set(contract, [...(groups.get(contract) ?? []), trial]);
  }
  for (const group of groups.values()) {
    const { contract } = group[0]!;
    const answers = await oracle.expectFeeds(
      contract,
      group.map(({ one }) => sent(one, contract)),
    );
    for (const [index, { one }] of group.entries()) {
      expect(answerOf(one, contract, answers[index]!), one.id).toEqual(figuresOf(one, contract));
    }
  }
}

function sent(one: Case, contract: Contract): Feed {
  const mapped = mapCase(one, contract);
  if ('skip' in mapped) throw new Error(`${one.id}: ${mapped.skip}`);
  return mapped.feed;
}

function withFeed(contract: Contract, feed: Contract['feed']): Contract {
  const changedAt = { name: 'changed_at', type: 'timestamp', nullable: false } as const;
  return { ...contract, feed, columns: { ...contract.columns, changedAt } };
}

// What the oracle says, and what the case says, in the same words

interface Line {
  readonly key: readonly Cell[];
  readonly tracked: readonly Cell[];
  readonly untracked: readonly Cell[] | null;
  readonly from: bigint;
  readonly to: bigint | null;
  readonly isDeleted: boolean;
}

function answerOf(one: Case, contract: Contract, steps: Answer): readonly Line[] {
  const { key, tracked, untracked } = contract.columns;
  const last = steps.at(-1)!;
  expect(last.keys.filter(({ ambiguous, forgiven }) => ambiguous || forgiven)).toEqual([]);
  return sorted(
    last.keys
      .flatMap(({ versions }) => versions)
      .map((version) => ({
        key: foldCells(version.key, key, contract.keyCompare),
        tracked: foldCells(version.tracked, tracked, contract.compare),
        untracked: fixesUntracked(one) ? foldCells(version.untracked, untracked, contract.compare) : null,
        from: version.validFrom,
        to: version.validTo,
        isDeleted: version.isDeleted,
      })),
  );
}

function figuresOf(one: Case, contract: Contract): readonly Line[] {
  const cells = (
    values: CaseRow,
    wanted: readonly CaseColumn[],
    columns: readonly Column[],
    foldings: Contract['compare'],
  ) =>
    foldCells(
      wanted.map(({ name }, index) => held(values[name] ?? null, columns[index]!)!),
      columns,
      foldings,
    );
  const { key, tracked, untracked } = contract.columns;
  return sorted(
    one.expected.rows.map(({ values, from, to, isDeleted }) => ({
      key: cells(values, one.columns.key, key, contract.keyCompare),
      tracked: cells(values, one.columns.tracked, tracked, contract.compare),
      untracked: fixesUntracked(one)
        ? cells(values, one.columns.untracked ?? [], untracked, contract.compare)
        : null,
      from: parseInstant(from)!,
      to: to === null ? null : parseInstant(to)!,
      isDeleted: isDeleted === true,
    })),
  );
}

function fixesUntracked({ columns, expected }: Case): boolean {
  return (columns.untracked ?? []).some(({ name }) => expected.rows.some(({ values }) => name in values));
}

function sorted(lines: readonly Line[]): readonly Line[] {
  const place = ({ key, from }: Line) => `${key.map(String).join('\u0000')} ${String(from).padStart(20)}`;
  return [...lines].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

// What a case sends, and has to say that it needs

interface Sent {
  readonly batch: number;
  readonly key: string;
  readonly instant: bigint;
  readonly state: string;
}

/** Fields of which a case's feed uses more than `never` allows, and which it does not name. */
function unannounced(one: Case): readonly string[] {
  const { needs } = one;
  const rows = rowsOf(one);
  const found = new Set<string>();
  const snapshots = !needs.feed || needs.feed.includes('snapshot');
  for (const [at, a] of rows.entries()) {
    if (a.key.includes('null')) found.add('nullKey');
    for (const b of rows.slice(at + 1)) {
      const isSame = a.key === b.key && a.instant === b.instant;
      if (isSame && a.batch === b.batch) found.add('duplicates');
      if (isSame && a.batch !== b.batch && a.state !== b.state) found.add('sameInstant');
      const inScope = needs.lateScope?.[0] !== 'key' || a.key === b.key;
      if (b.instant < a.instant && a.batch < b.batch && inScope) found.add('late');
    }
  }
  const known = new Set<string>();
  const isDropped = needs.nullKey !== undefined && !needs.nullKey.includes('value');
  for (const [batch, { asOf, rows: delivered }] of one.batches.entries()) {
    const named = new Set(rows.filter((row) => row.batch === batch).map((row) => row.key));
    const lacks = [...known].some((key) => !named.has(key));
    if (snapshots && lacks) found.add('deletes').add('feed');
    if (snapshots && delivered.length === 0 && known.size > 0) found.add('emptySnapshot');
    const again = one.batches.findIndex((other) => other.asOf === asOf) < batch;
    if (snapshots && lacks && again) found.add('sameInstant');
    if (delivered.some((row) => row['operation'] === 'D')) found.add('deletes').add('feed');
    for (const key of named) if (!(isDropped && key.includes('null'))) known.add(key);
  }
  if (needs.emptySnapshot && !needs.emptySnapshot.includes('close-all')) found.delete('deletes');
  return [...found].filter((field) => !(field in needs));
}

function rowsOf(one: Case): readonly Sent[] {
  const byRow = one.columns.changedAt;
  const {
    keyCompare,
    columns: { key },
  } = contractOfCase(one);
  return one.batches.flatMap(({ asOf, rows }, batch) =>
    rows.map((row) => ({
      batch,
      key: JSON.stringify(
        foldCells(
          one.columns.key.map(({ name }) => row[name] ?? null),
          key,
          keyCompare,
        ).map((cell) => cell && String(cell)),
      ),
      instant: parseInstant(String((byRow && row['changedAt']) ?? asOf))!,
      state: JSON.stringify([
        ...one.columns.tracked.map(({ name }) => String(row[name])),
        row['operation'] === 'D',
      ]),
    })),
  );
}

function attributesOf({ columns }: Case): readonly CaseColumn[] {
  return [...columns.key, ...columns.tracked, ...(columns.untracked ?? [])];
}

function instantsOf({ batches, expected, needs }: Case): readonly string[] {
  const inRows = batches.flatMap(({ rows }) => rows.flatMap((row) => [row['changedAt'], row['firstStart']]));
  const inVersions = expected.rows.flatMap(({ from, to }) => [from, to]);
  const literals = (needs.firstStart ?? []).filter(isInstantLiteral);
  return [...batches.map(({ asOf }) => asOf), ...inRows, ...inVersions, ...literals].filter(
    (cell) => typeof cell === 'string',
  );
}
