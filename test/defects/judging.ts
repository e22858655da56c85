import { CHECK_IDS } from '../../src/checks/index.ts';
import { type CheckTally, Judge, type Trace, type TraceStep } from '../../src/checks/judge.ts';
import type { Row } from '../../src/contract/columns.ts';
import { illegalFeeds } from '../../src/oracle/duckdb/legality.ts';
import { readExpected } from '../../src/oracle/duckdb/read.ts';
import { findRoots } from '../../src/runner/roots.ts';
import { disagreement } from './agree.ts';
import { dimensionOf, rowsOfStep, rowsOfTable } from './dimension.ts';
import type { Result } from './entry.ts';
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
  /** Why the wrong dimension could not be judged; null where it could. */
  readonly unjudged: string | null;
}

/** An entry that could not be put in the place of an implementation after all. */
export interface Unplaced {
  readonly expression: Expression;
  readonly reason: string;
}

interface Subject {
  readonly expression: Expression;
  readonly side: 'right' | 'wrong';
  readonly join: string | null;
  readonly trace: Trace;
}

/** The right side and the wrong one. */
interface Prepared {
  readonly subjects: readonly [Subject, Subject];
}

interface Verdict {
  readonly failing: readonly string[];
  readonly lead: string | null;
  /** What the DuckDB oracle says of the feed, against the entry. */
  readonly oracle: string | null;
  readonly isLegal: boolean;
  /** Why it could not be judged. */
  readonly unjudged: string | null;
}

/**
 * Puts the right and the wrong dimension of each entry in the place of an implementation's. Until the last batch both are what the
 * plain oracle calls for, so that only the end can be wrong. Traces under one contract and join are judged together, as runs do.
 */
export async function judgeAll(expressions: readonly Expression[]): Promise<readonly (Judged | Unplaced)[]> {
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

function combine(
  [right, wrong]: readonly [Subject, Subject],
  verdicts: ReadonlyMap<Subject, Verdict>,
): Judged {
  const [ofRight, ofWrong] = [verdicts.get(right)!, verdicts.get(wrong)!];
  return {
    expression: right.expression,
    join: wrong.join,
    disagreement: whyNot(right.expression, ofRight),
    lead: ofWrong.lead,
    failing: ofWrong.failing,
    unjudged: ofWrong.unjudged,
  };
}

function whyNot({ disagreement: plain }: Expression, right: Verdict): string | null {
  if (right.unjudged !== null) return `the right dimension cannot be judged: ${right.unjudged}`;
  if (plain !== null) return `the TypeScript oracle disagrees: ${plain}`;
  if (right.oracle !== null) return `the DuckDB oracle disagrees: ${right.oracle}`;
  if (!right.isLegal) return 'the contract says that this feed does not happen.';
  if (right.failing.length > 0) return `the right dimension fails ${right.failing.join(', ')}.`;
  return null;
}

async function prepare(expression: Expression): Promise<Prepared | Unplaced> {
  try {
    return await place(expression);
  } catch (error) {
    return { expression, reason: `it cannot be put in a table: ${(error as Error).message}` };
  }
}

async function place(expression: Expression): Promise<Prepared | Unplaced> {
  const { contract, feed, right, wrong, steps } = expression;
  const tables = [right, wrong].flatMap((result) => (result.kind === 'table' ? result.rows : []));
  const before = steps.slice(0, -1).map((step) => rowsOfStep(contract, step, tables));
  const due = rowsOfStep(contract, steps.at(-1), tables);
  const subject = (side: Subject['side'], end: TraceStep, join: string | null = null): Subject => ({
    expression,
    side,
    join,
    trace: {
      feed,
      steps: [...before.map((rows, index) => stepOf(expression, rows, outcomeOf(expression, index))), end],
    },
  });
  const last = steps.length - 1;
  const ended = (result: Result): TraceStep => {
    const outcome: TraceStep['outcome'] =
      result === right ? outcomeOf(expression, last) : { status: 'applied' };
    if (result.kind === 'table') return stepOf(expression, rowsOfTable(contract, result.rows), outcome);
    if (result.kind === 'as-of') return stepOf(expression, due, outcome);
    return stepOf(expression, before.at(-1) ?? [], { status: result.status, reason: result.reason });
  };
  const rightSide = subject('right', ended(right));
  if (wrong.kind !== 'as-of') return { subjects: [rightSide, subject('wrong', ended(wrong))] };
  const held: readonly Row[] = right.kind === 'table' ? rowsOfTable(contract, right.rows) : due;
  const reading = await findReading(contract, feed, held, wrong.lookups, toldJoin(expression));
  if (reading === null)
    return { expression, reason: 'no join that is known here finds what the reader found.' };
  const end = stepOf(expression, reading.rows, { status: 'applied' });
  return { subjects: [rightSide, subject('wrong', end, reading.join)] };
}

/** `options.join` of an entry: the reader's own predicate, where the report has it. */
function toldJoin({ entry }: Expression): string | null {
  const told = entry.options?.['join'];
  return typeof told === 'string' ? told : null;
}

function stepOf({ contract }: Expression, rows: readonly Row[], outcome: TraceStep['outcome']): TraceStep {
  return { outcome, dimension: dimensionOf(contract, rows) };
}

/** What the plain oracle says of a batch. The wrong dimension was made by one that was applied. */
function outcomeOf({ steps }: Expression, index: number): TraceStep['outcome'] {
  if (steps[index]?.outcome !== 'rejected') return { status: 'applied' };
  return { status: 'rejected', reason: 'as the contract says' };
}

/** Where one of a group cannot be judged, each is judged alone, so that the others do not suffer. */
async function judgeGroup(group: readonly Subject[]): Promise<readonly (readonly [Subject, Verdict])[]> {
  try {
    return await judgeTogether(group);
  } catch (error) {
    const verdicts: (readonly [Subject, Verdict])[] = [];
    if (group.length > 1) {
      for (const subject of group) verdicts.push(...(await judgeGroup([subject])));
      return verdicts;
    }
    const unjudged = (error as Error).message;
    return [[group[0]!, { failing: [], lead: null, oracle: null, isLegal: true, unjudged }]];
  }
}

async function judgeTogether(group: readonly Subject[]): Promise<readonly (readonly [Subject, Verdict])[]> {
  const { expression, join } = group[0]!;
  const { contract } = expression;
  const judge = await Judge.open(
    contract,
    group.map(({ trace }) => trace),
  );
  try {
    const tallies = await judge.judge(contract, { checks: null, join });
    const said = await readExpected(judge.db, contract, group.length);
    const illegal = await illegalFeeds(judge.db, contract);
    return group.map((subject, feed) => [
      subject,
      {
        ...verdictOf(tallies, feed),
        oracle: disagreement(contract, subject.expression.right, said[feed]?.at(-1)),
        isLegal: !illegal.has(feed),
        unjudged: null,
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
