import type { Cell, Column, ColumnType } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { Database } from '../duckdb/connection.ts';
import { tableFromRows } from '../duckdb/rows.ts';
import type { Feed } from '../feed/feed.ts';
import { runOracle } from '../oracle/duckdb/oracle.ts';
import type { Outcome } from '../plugins/implementation.ts';
import { type Check, EXCUSED, type Judging, whySkipped } from './check.ts';
import { loadFacts } from './facts.ts';
import type { Held } from './held.ts';
import { CHECKS } from './index.ts';
import { interpretValues } from './interpret.ts';
import { loadValues, loadWindows } from './relations.ts';
import { findSuspects, OF_SUSPECTS } from './screen.ts';

/** A feed and what an implementation made of it: the dimension after each batch that came to an end. */
export interface Trace {
  readonly feed: Feed;
  readonly steps: readonly TraceStep[];
}

export interface TraceStep {
  readonly outcome: Outcome;
  readonly dimension: Held['table'];
  /** When the load ran by the clock on the wall; for traces of what runs. */
  readonly window?: { readonly from: bigint; readonly to: bigint };
}

/** One row that a check's SQL returned. */
export interface Violation {
  readonly check: string;
  readonly feed: number;
  readonly step: number;
  readonly key: number | null;
  readonly found: Readonly<Record<string, Cell>>;
}

/** How a check fared over all feeds that were judged together. */
export interface CheckTally {
  readonly id: string;
  readonly skipReason: string | null;
  readonly exercised: number;
  /** Keys that violate it, over all feeds. */
  readonly count: number;
  /** Of each key the first one, earliest steps first, at most `VIOLATIONS` in all. */
  readonly violations: readonly Violation[];
}

/** A broken implementation in a feed of thousands of keys violates a check thousands of times. */
const VIOLATIONS = 3000;

export interface JudgeOptions {
  /** Ids of the checks to run; all where null. */
  readonly checks: readonly string[] | null;
  /** The user's own as-of join, or null for the contract's. */
  readonly join: string | null;
  /** Puts every check to every key, suspect or not: to the same end, and slower. */
  readonly everyKey?: true;
}

/**
 * A database of the harness's own in which traces are judged. The traces are loaded once; judging under another contract only
 * interprets them anew.
 */
export class Judge {
  readonly db: Database;
  readonly #traces: readonly Trace[];
  #hasFacts = false;

  private constructor(db: Database, traces: readonly Trace[]) {
    this.db = db;
    this.#traces = traces;
  }

  /** Loads traces that share a contract's columns. */
  static async open(contract: Contract, traces: readonly Trace[]): Promise<Judge> {
    const db = await Database.open();
    try {
      const held = traces.flatMap(({ steps }, feed) =>
        steps.map(({ dimension }, step) => ({ feed, step, table: dimension })),
      );
      const feeds = traces.map(({ feed }) => feed);
      await loadValues(db, contract, feeds, held);
      await loadWindows(
        db,
        traces.flatMap(({ steps }, feed) =>
          steps.flatMap(({ window }, batch) => (window === undefined ? [] : [{ feed, batch, ...window }])),
        ),
      );
      await loadSession(db, traces);
      return new Judge(db, traces);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Runs the oracle and the checks under a contract with the same columns. */
  async judge(contract: Contract, options: JudgeOptions): Promise<readonly CheckTally[]> {
    const selected = CHECKS.filter(({ id }) => options.checks === null || options.checks.includes(id));
    await this.#forget();
    await interpretValues(this.db, contract);
    await this.db.run('CREATE TABLE prefix AS SELECT feed, step FROM step');
    await runOracle(this.db, contract);
    await this.db.run(`CREATE TABLE excused AS ${EXCUSED}`);
    const suspects = await findSuspects(this.db, contract);
    if (options.everyKey)
      await this.db.run(
        'INSERT INTO suspect SELECT feed, key FROM expected UNION SELECT feed, key FROM version',
      );
    if (selected.some(({ group }) => group === 'as-of')) await this.loadFacts(contract, options.join);
    const judging: Judging = { contract, oracle: true };
    const tallies: CheckTally[] = [];
    for (const check of selected) {
      // With a join of the user's own, a dimension that is right may still be joined wrongly.
      const all =
        options.everyKey ||
        isBeyondOracle(check, contract) ||
        (check.group === 'as-of' && options.join !== null);
      tallies.push(await this.#run(check, judging, all ? 'all' : suspects > 0 ? 'suspects' : 'none'));
    }
    return tallies;
  }

  /** Facts, unless they are there: as-of checks need them, and so does what a finding of any other check costs. */
  async loadFacts(contract: Contract, join: string | null): Promise<void> {
    if (this.#hasFacts) return;
    await loadFacts(this.db, contract, join);
    this.#hasFacts = true;
  }

  get traces(): readonly Trace[] {
    return this.#traces;
  }

  close(): void {
    this.db.close();
  }

  /** `keys`: which it is put to. */
  async #run(check: Check, judging: Judging, keys: 'all' | 'suspects' | 'none'): Promise<CheckTally> {
    const skipReason = whySkipped(check, judging.contract);
    if (skipReason !== null) return { id: check.id, skipReason, exercised: 0, count: 0, violations: [] };
    const query = `SELECT *, count(*) OVER () AS total FROM (
        SELECT * FROM (${check.violations(judging)}) found QUALIFY row_number() OVER (PARTITION BY feed, key ORDER BY step, CAST(found AS VARCHAR)) = 1)
      ORDER BY step, feed, key LIMIT ${VIOLATIONS}`;
    const rows =
      keys === 'none'
        ? []
        : await this.db.rows<Record<string, Cell>>(keys === 'all' ? query : `${OF_SUSPECTS} ${query}`);
    const [exercise] = await this.db.rows<Record<string, Cell>>(check.exercised(judging));
    const violations = rows.map(({ feed, step, key, total: _, ...found }) => ({
      check: check.id,
      feed: Number(feed),
      step: Number(step),
      key: key === null || key === undefined ? null : Number(key),
      found,
    }));
    const exercised = Number(Object.values(exercise ?? {})[0] ?? 0);
    return { id: check.id, skipReason: null, exercised, count: Number(rows[0]?.['total'] ?? 0), violations };
  }

  async #forget(): Promise<void> {
    this.#hasFacts = false;
    const relations = ['prefix', 'excused', 'suspect', 'fact', 'fact_row', 'fact_met'];
    await this.db.run(relations.map((name) => `DROP TABLE IF EXISTS ${name};`).join(' '));
  }
}

/** `happened (feed, batch, status, reason)` and `held_column (feed, step, name, bookkeeping, rows, filled)`. */
function isBeyondOracle({ beyondOracle }: Check, contract: Contract): boolean {
  return typeof beyondOracle === 'function' ? beyondOracle(contract) : beyondOracle === true;
}

async function loadSession(db: Database, traces: readonly Trace[]): Promise<void> {
  const steps = traces.flatMap((trace, feed) => trace.steps.map((step, index) => ({ feed, index, ...step })));
  const happened = steps.map(({ feed, index, outcome }) => ({
    feed,
    batch: index,
    status: outcome.status,
    reason: outcome.status === 'applied' ? null : outcome.reason,
  }));
  const columns = steps.flatMap(({ feed, index, dimension }) =>
    dimension.schema.fields.map(({ name }, at) => ({
      feed,
      step: index,
      name,
      bookkeeping: /hash|scd_id|surrogate|(^|_)sk$/i.test(name),
      rows: dimension.numRows,
      filled: dimension.numRows - (dimension.getChildAt(at)?.nullCount ?? 0),
    })),
  );
  const column = (name: string, type: ColumnType): Column => ({ name, type, nullable: true });
  const number = (name: string) => column(name, 'integer');
  await db.createTable(
    'happened',
    tableFromRows(
      [number('feed'), number('batch'), column('status', 'text'), column('reason', 'text')],
      happened,
    ),
  );
  await db.createTable(
    'held_column',
    tableFromRows(
      [
        number('feed'),
        number('step'),
        column('name', 'text'),
        column('bookkeeping', 'boolean'),
        number('rows'),
        number('filled'),
      ],
      columns,
    ),
  );
}
