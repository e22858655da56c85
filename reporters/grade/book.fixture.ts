import type { Gradebook, Graded } from '../../src/grade/gradebook.ts';
import { readRubric } from '../../src/grade/read-rubric.ts';
import type { RubricItem } from '../../src/grade/rubric.ts';
import { findingsOf, scoreItems, totalOf } from '../../src/grade/score.ts';
import { similarFailures } from '../../src/grade/similar.ts';
import type { Report } from '../../src/runner/report.ts';
import { HOSTILE, HOSTILE_TEXT } from '../hostile.fixture.ts';
import { INCLUSIVE_END, LATE_OVERLAP, PASS } from '../samples.ts';

export const RUBRIC = readRubric(
  [
    { points: 10, cases: ['late-arrival'] },
    {
      id: 'changes',
      title: 'Changes',
      points: 20,
      cases: ['segment-change', 'reopen-a-b-a', 'twice-one-day'],
    },
    { id: 'secret', title: 'The hidden one', points: 5, cases: ['deleted'], visibility: 'hidden' },
    { id: 'table', points: 6, checks: ['no-overlap', 'one-open-version', 'content'], partial: false },
  ],
  undefined,
  [],
  'rubric',
);

export function gradedBy(items: readonly RubricItem[], id: string, report: Report): Graded {
  const results = scoreItems({ items }, report);
  return {
    id,
    name: `${id}.sql`,
    status: 'graded',
    score: totalOf({ items }, results),
    items: results,
    reason: null,
    notes: [],
    problems: report.problems,
    beyond: { histories: 984, failing: 0 },
    findings: findingsOf(results, report),
    cases: report.cases,
    implementation: report.implementation,
  };
}

const NONE: Graded = {
  ...gradedBy(RUBRIC.items, 'none', PASS),
  status: 'not-gradable',
  score: null,
  items: [],
  reason: 'none.sql is no SQL that DuckDB understands.',
  beyond: null,
  findings: [],
  cases: [],
  implementation: null,
};

export function bookOf(
  submissions: readonly Graded[],
  items: readonly RubricItem[] = RUBRIC.items,
): Gradebook {
  return {
    schema: 1,
    tool: { name: 'scd2check', version: '1.2.3' },
    complete: true,
    contract: PASS.contract,
    rubric: items,
    maximum: items.reduce((sum, { points, optional }) => sum + (optional ? 0 : points), 0),
    work: { cases: null, scope: 3, histories: 200, seed: 1, maxFailures: 3 },
    isolation: {
      form: 'bubblewrap',
      why: null,
      protections: [{ id: 'network', holds: true, words: 'none' }],
    },
    notes: [],
    submissions,
    similar: similarFailures(submissions),
  };
}

/** One that is right, two that are wrong in the same way, one that is wrong in another, and one that is not gradable. */
export const BOOK = bookOf([
  gradedBy(RUBRIC.items, 'ada', PASS),
  gradedBy(RUBRIC.items, 'bob', LATE_OVERLAP),
  gradedBy(RUBRIC.items, 'eve', LATE_OVERLAP),
  gradedBy(RUBRIC.items, 'fay', INCLUSIVE_END),
  NONE,
]);

const [, BOB] = BOOK.submissions;

/** A class of one, in which every text is hostile, its name too. */
export const HOSTILE_BOOK: Gradebook = {
  ...BOOK,
  notes: [HOSTILE_TEXT],
  submissions: [
    {
      ...BOB!,
      id: 'hostile',
      name: HOSTILE_TEXT,
      notes: [HOSTILE_TEXT],
      problems: HOSTILE.problems,
      findings: HOSTILE.findings,
      cases: HOSTILE.cases,
      items: BOB!.items.map((item) => ({
        ...item,
        units: item.units.map((unit) => ({
          ...unit,
          title: HOSTILE_TEXT,
          status: 'failed' as const,
          message: HOSTILE_TEXT,
          check: HOSTILE_TEXT,
          findings: [HOSTILE_TEXT],
        })),
      })),
    },
  ],
};
