import { CHECK_IDS } from '../../src/checks/index.ts';
import { type CheckTally, Judge, type Trace, type TraceStep } from '../../src/checks/judge.ts';
import { UnreadableDimension } from '../../src/checks/relations.ts';
import type { Row } from '../../src/contract/columns.ts';
import { illegalFeeds } from '../../src/oracle/duckdb/legality.ts';
import { readExpected } from '../../src/oracle/duckdb/read.ts';
import { findRoots } from '../../src/runner/roots.ts';
import { disagreement } from './agree.ts';
import { dimensionOf, rowsOfStep, rowsOfTable } from './dimension.ts';
import type { Raw, Result } from './entry.ts';
import type { Expression } from './express.ts';
import { findReading } from './readers.ts';

/** What became of an entry. */
export interface Judged {
  readonly expression: Expression;
  /** The join of the report's reader, where the fault is there. */
  readonly join: string | null;
  /** Why the right dimension is not right here: an oracle or a check disagrees. Null where all agree. */
  readonly disagreement: string | null;
  /** The check that leads when the wrong dimension is judged; null where nothing notices. */
  readonly lead: string | null;
  /** All checks that fail then, in the order of reports. */
  readonly failing: readonly string[];
}

/** The wrong dimension, and whatever could not be put in the place of an implementation. */
export interface Unreadable {
  readonly expression: Expression;
  readonly reason: string;
}

interface Subject {
  readonly expression: Expression;
  readonly side: 'right' | 'wrong';
  readonly join: string | null;
  readonly trace: Trace;
}

interface Verdict {
  readonly failing: readonly string[];
  readonly lead: string | null;
  /** What the DuckDB oracle says of the feed, against the entry. */
  readonly oracle: string | null;
  readonly isLegal: boolean;
  readonly unreadable: string | null;
}

/**
 * Puts the right and the wrong dimension of each entry in the place of an implementation's. Until the last batch both are what the
 * plain oracle calls for, so that only the end can be wrong. Traces under one contract and join are judged together, as runs do.
 */
export async function judgeAll(expressions: readonly Expression[]): Promise<readonly (Judged | Unreadable)[]> {
  const prepared = await Promise.all(expressions.map(prepare));
  const groups = new Map<string, Subject[]>();
  for (const subject of prepared.flatMap((one) => ('subjects' in one ? one.subjects : []))) {
    const id = JSON.stringify([subject.expression.contract, subject.join]);
    groups.set(id, [...(groups.get(id) ?? []), subject]);
  }
  const verdicts = new Map<Subject, Verdict>();
  // Two at a time: while one is planned here, the other runs in DuckDB.
  const waiting = [...groups.values()];
  const lane = async () => {
    for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
      for (const [subject, verdict] of await judgeGroup(group)) verdicts.set(subject, verdict);
    }
  };
  await Promise.all([lane(), lane()]);
  return prepared.map((one) => ('reason' in one ? one : combine(one.subjects, verdicts)));
}

function combine([right, wrong]: readonly [Subject, Subject], verdicts: ReadonlyMap<Subject, Verdict>): Judged {
  const [ofRight, ofWrong] = [verdicts.get(right)!, verdicts.get(wrong)!];
  return {
    expression: right.expression,
    join: wrong.join,
    disagreement: whyNot(right.expression, ofRight),
    lead: ofWrong.lead,
    failing: ofWrong.failing,
  };
}

function whyNot({ disagreement: plain }: Expression, right: Verdict): string | null {
  if (right.unreadable !== null) return `the right dimension cannot be read: ${right.unreadable}`;
  if (plain !== null) return `the TypeScript oracle disagrees: ${plain}`;
  if (right.oracle !== null) return `the DuckDB oracle disagrees: ${right.oracle}`;
  if (!right.isLegal) return 'the contract says that this feed does not happen.';
  if (right.failing.length > 0) return `the right dimension fails ${right.failing.join(', ')}.`;
  return null;
}

async function prepare(
  expression: Expression,
): Promise<{ readonly subjects: readonly [Subject, Subject] } | Unreadable> {
  const { contract, feed, right, wrong, steps } = expression;
  const tables = [right, wrong].flatMap((result) => (result.kind === 'table' ? result.rows : []));
  const before = steps.slice(0, -1).map((step) => rowsOfStep(contract, step, tables));
  const due = rowsOfStep(contract, steps.at(-1), tables);
  const subject = (side: Subject['side'], end: TraceStep, join: string | null = null): Subject => ({
    expression,
    side,
    join,
    trace: { feed, steps: [...before.map((rows, index) => stepOf(expression, rows, outcomeOf(expression, index))), end] },
  });
  const last = steps.length - 1;
  const ended = (result: Result): TraceStep => {
    if (result.kind === 'table') return stepOf(expression, rowsOfTable(contract, result.rows), outcomeOf(expression, last, result));
    if (result.kind === 'as-of') return stepOf(expression, due, outcomeOf(expression, last, result));
    return stepOf(expression, before.at(-1) ?? [], { status: result.status, reason: result.reason });
  };
  const rightSide = subject('right', ended(right));
  if (wrong.kind !== 'as-of') return { subjects: [rightSide, subject('wrong', ended(wrong))] };
  const held: readonly Row[] = right.kind === 'table' ? rowsOfTable(contract, right.rows) : due;
  const reading = await findReading(contract, feed, held, wrong.lookups as readonly Raw[]);
  if (reading === null) return { expression, reason: 'no join that is known here finds what the reader found.' };
  const end = stepOf(expression, reading.rows, { status: 'applied' });
  return { subjects: [rightSide, subject('wrong', end, reading.join)] };
}

function stepOf({ contract }: Expression, rows: readonly Row[], outcome: TraceStep['outcome']): TraceStep {
  return { outcome, dimension: dimensionOf(contract, rows), elapsedMs: 0 };
}

/** Before the end, what the oracle says; a dimension at the end was made by a batch that was applied. */
function outcomeOf({ steps }: Expression, index: number, result: Result | null = null): TraceStep['outcome'] {
  if (result !== null || steps[index]?.outcome !== 'rejected') return { status: 'applied' };
  return { status: 'rejected', reason: 'as the contract says' };
}

async function judgeGroup(group: readonly Subject[]): Promise<readonly (readonly [Subject, Verdict])[]> {
  const { contract } = group[0]!.expression;
  let judge: Judge;
  try {
    judge = await Judge.open(
      contract,
      group.map(({ trace }) => trace),
    );
  } catch (error) {
    if (!(error instanceof UnreadableDimension)) throw error;
    if (group.length > 1) return (await Promise.all(group.map((one) => judgeGroup([one])))).flat();
    const unread = { failing: [], lead: null, oracle: null, isLegal: true, unreadable: error.message };
    return [[group[0]!, unread]];
  }
  try {
    const tallies = await judge.judge(contract, { checks: null, join: group[0]!.join });
    const said = await readExpected(judge.db, contract, group.length);
    const illegal = await illegalFeeds(judge.db, contract);
    return group.map((subject, feed) => [
      subject,
      {
        ...verdictOf(tallies, feed),
        oracle: disagreement(contract, subject.expression.right, said[feed]?.at(-1)),
        isLegal: !illegal.has(feed),
        unreadable: null,
      },
    ]);
  } finally {
    judge.close();
  }
}

function verdictOf(tallies: readonly CheckTally[], feed: number): Pick<Verdict, 'failing' | 'lead'> {
  const own = tallies.map((tally) => ({
    ...tally,
    violations: tally.violations.filter((violation) => violation.feed === feed),
  }));
  const leads = findRoots(own).map(({ violation }) => violation.check);
  return {
    failing: own.filter(({ violations }) => violations.length > 0).map(({ id }) => id),
    lead: CHECK_IDS.find((id) => leads.includes(id)) ?? null,
  };
}
