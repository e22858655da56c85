import type { Judge, Trace } from '../checks/judge.ts';
import { openMarkerMicros } from '../checks/relations.ts';
import type { Cell, Row } from '../contract/columns.ts';
import { type Contract, grainMicros } from '../contract/contract.ts';
import { expectFeed, foldState, type JudgedStep } from '../oracle/typescript/index.ts';

/** A row of the dimension as it was read, before any contract reads meaning into it. */
interface HeldRow {
  readonly key: readonly Cell[];
  readonly tracked: readonly Cell[];
  readonly untracked: readonly Cell[];
  readonly from: bigint | null;
  readonly to: bigint | null;
  readonly isDeleted: boolean;
}

/**
 * Whether what an implementation made of a feed is what a contract asks for: content and untracked attributes after every batch, and
 * what became of each batch. Answers are kept, because a search asks the same again and again.
 */
export class Agreement {
  readonly #judge: Judge;
  /** By feed and step. */
  readonly #held: ReadonlyMap<string, readonly HeldRow[]>;
  readonly #answers = new Map<string, boolean>();
  readonly #expected = new Map<string, readonly JudgedStep[]>();
  readonly #names = new Map<Contract, string>();

  private constructor(judge: Judge, held: ReadonlyMap<string, readonly HeldRow[]>) {
    this.#judge = judge;
    this.#held = held;
  }

  static async load(judge: Judge, { columns }: Contract): Promise<Agreement> {
    const rows = await judge.db.rows<Row>('SELECT * FROM held_values ORDER BY feed, step, row');
    const cells = (row: Row, prefix: string, { length }: readonly unknown[]) =>
      Array.from({ length }, (_, index) => row[`${prefix}${index}`] ?? null);
    const held = new Map<string, HeldRow[]>();
    for (const row of rows) {
      const place = `${row['feed']}/${row['step']}`;
      const list = held.get(place) ?? [];
      list.push({
        key: cells(row, 'k', columns.key),
        tracked: cells(row, 'a', columns.tracked),
        untracked: cells(row, 'u', columns.untracked),
        from: row['from_us'] as bigint | null,
        to: row['to_us'] as bigint | null,
        isDeleted: ['true', 't', '1', 'y', 'yes'].includes(String(row['is_deleted']).toLowerCase()),
      });
      held.set(place, list);
    }
    return new Agreement(judge, held);
  }

  get feeds(): readonly number[] {
    return [...this.#judge.traces.keys()];
  }

  agrees(contract: Contract, feed: number): boolean {
    const name = `${this.#name(contract)} ${feed}`;
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    const answer = this.#compare(contract, feed);
    this.#answers.set(name, answer);
    return answer;
  }

  /** Whether two contracts ask for different things of a feed. Untracked attributes only count where the two treat them differently. */
  differs(a: Contract, b: Contract, feed: number): boolean {
    const untracked = a.untracked !== b.untracked;
    return this.#text(a, feed, untracked) !== this.#text(b, feed, untracked);
  }

  #text(contract: Contract, feed: number, untracked: boolean): string {
    return JSON.stringify(
      [contract.end, contract.openMarker, this.#expect(contract, feed)],
      (name, value) => {
        if (name === 'untracked' || (name === 'untrackedRight' && !untracked)) return undefined;
        return typeof value === 'bigint' ? `${value}n` : value;
      },
    );
  }

  #expect(contract: Contract, feed: number): readonly JudgedStep[] {
    const name = `${this.#name(contract)} ${feed}`;
    const known = this.#expected.get(name);
    if (known !== undefined) return known;
    const steps = expectFeed(contract, this.#judge.traces[feed]!.feed);
    this.#expected.set(name, steps);
    return steps;
  }

  #compare(contract: Contract, feed: number): boolean {
    const trace = this.#judge.traces[feed]!;
    const expected = this.#expect(contract, feed);
    return trace.steps.every(({ outcome }, step) => {
      const right = expected[step]!;
      if ((outcome.status === 'applied') !== (right.outcome === 'applied')) return false;
      const held = this.#held.get(`${feed}/${step}`) ?? [];
      return sameContent(contract, right, contract.clock === 'wall' ? byBatch(trace, step, held) : held);
    });
  }

  #name(contract: Contract): string {
    const known = this.#names.get(contract);
    if (known !== undefined) return known;
    const { columns: _, ...decisions } = contract;
    const name = JSON.stringify(decisions);
    this.#names.set(contract, name);
    return name;
  }
}

/** Stamps that lie within the time of a load are the instant of its batch. */
function byBatch({ feed, steps }: Trace, step: number, held: readonly HeldRow[]): readonly HeldRow[] {
  const instant = (stamp: bigint | null) => {
    const load = steps.findLastIndex(
      ({ window }, at) =>
        at <= step && stamp !== null && window !== undefined && window.from <= stamp && stamp <= window.to,
    );
    return load < 0 ? stamp : feed.batches[load]!.asOf;
  };
  return held.map((row) => ({ ...row, from: instant(row.from), to: instant(row.to) }));
}

function sameContent(contract: Contract, step: JudgedStep, held: readonly HeldRow[]): boolean {
  const { columns, compare, keyCompare } = contract;
  const rowsOf = new Map<string, HeldRow[]>();
  for (const row of held) {
    const key = foldState(row.key, columns.key, keyCompare);
    rowsOf.set(key, [...(rowsOf.get(key) ?? []), row]);
  }
  for (const key of step.keys) {
    const name = foldState(key.key, columns.key, keyCompare);
    const rows = rowsOf.get(name) ?? [];
    rowsOf.delete(name);
    if (key.forgiven || key.ambiguous) continue;
    if (rows.length !== key.versions.length) return false;
    const wanted = key.versions.map((version) => ({
      text: `${foldState(version.tracked, columns.tracked, compare)} ${version.validFrom} ${version.validTo} ${version.isDeleted}`,
      right: version.untrackedRight?.map((cells) => foldState(cells, columns.untracked, compare)) ?? null,
    }));
    for (const row of rows) {
      const text = rowText(contract, row);
      const index = wanted.findIndex((version) => version.text === text);
      if (index < 0) return false;
      const [version] = wanted.splice(index, 1);
      if (
        version!.right !== null &&
        !version!.right.includes(foldState(row.untracked, columns.untracked, compare))
      )
        return false;
    }
  }
  return rowsOf.size === 0;
}

function rowText(contract: Contract, row: HeldRow): string {
  const { columns, compare, end, deletes, grain } = contract;
  const marker = openMarkerMicros(contract);
  const to =
    row.to === null || row.to === marker ? null : end === 'inclusive' ? row.to + grainMicros(grain) : row.to;
  // Without the marker, NULL is no end at all.
  const shown = row.to === null && marker !== null ? 'missing' : to;
  return `${foldState(row.tracked, columns.tracked, compare)} ${row.from} ${shown} ${row.isDeleted && deletes === 'marker-row'}`;
}
