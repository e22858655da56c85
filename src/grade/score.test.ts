import { describe, expect, test } from 'vitest';
import { INCLUSIVE_END, LATE_OVERLAP, PASS, TIMEOUT } from '../../reporters/samples.ts';
import type { Finding, Report } from '../runner/report.ts';
import type { RubricItemConfig } from './grade-config.ts';
import { readRubric } from './read-rubric.ts';
import { maximumOf } from './rubric.ts';
import { scoreItems, totalOf } from './score.ts';

function graded(items: readonly RubricItemConfig[], report: Report) {
  const rubric = readRubric(items, undefined, [], 'here');
  const results = scoreItems(rubric, report);
  return { results, total: totalOf(rubric, results), maximum: maximumOf(rubric) };
}

describe('a score', () => {
  test('without a rubric is ten points for each of the seven boundary cases', () => {
    const rubric = readRubric(undefined, undefined, [], 'here');
    expect(rubric.items.map(({ id, points }) => `${id} ${points}`)).toHaveLength(7);
    expect(totalOf(rubric, scoreItems(rubric, PASS))).toBe(70);
  });

  test('is partial by the share of cases that are right, or all or nothing', () => {
    const cases = ['late-arrival', 'segment-change', 'deleted', 'no-change'];
    expect(graded([{ id: 'a', points: 10, cases }], LATE_OVERLAP).total).toBe(7.5);
    expect(graded([{ id: 'a', points: 10, cases, partial: false }], LATE_OVERLAP).total).toBe(0);
  });

  test('is lowered by the check that leads, and not by those that follow from it', () => {
    const { results } = graded(
      [{ id: 'a', points: 9, checks: ['no-overlap', 'one-open-version', 'content'] }],
      LATE_OVERLAP,
    );
    expect(results[0]!.units.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'no-overlap failed',
      'one-open-version follows',
      'content follows',
    ]);
    expect(results[0]!.earned).toBe(6);
  });

  test('is lowered once by a decision, in how many cases it may show, and by each defect', () => {
    const cases = ['late-arrival', 'deleted'].map((id) => ({ points: 10, cases: [id] }));
    const fails = (decision: Finding['decision']): Report => ({
      ...LATE_OVERLAP,
      cases: LATE_OVERLAP.cases.map((one) =>
        one.id === 'late-arrival' || one.id === 'deleted'
          ? { ...one, verdict: 'fail', findings: [`in-${one.id}`] }
          : one,
      ),
      findings: ['late-arrival', 'deleted'].map((id) => ({
        ...LATE_OVERLAP.findings[0]!,
        id: `in-${id}`,
        decision,
      })),
    });
    const decided = graded(cases, fails({ field: 'end', option: 'inclusive' }));
    expect(decided.total).toBe(10);
    expect(decided.results[1]!.units[0]).toMatchObject({
      status: 'follows',
      message: 'The same error as before (`end: inclusive`), which costs nothing more.',
    });
    expect(graded(cases, fails(null)).total).toBe(0);
  });

  test('of what is optional makes up for what was lost, and is never more than the maximum', () => {
    const late: RubricItemConfig = { points: 10, cases: ['late-arrival'] };
    const extra: RubricItemConfig = { points: 5, cases: ['deleted'], optional: true };
    expect(graded([late, extra], LATE_OVERLAP)).toMatchObject({ total: 5, maximum: 10 });
    expect(graded([late, extra], PASS)).toMatchObject({ total: 10, maximum: 10 });
  });

  test('of what could not be judged is nothing, and says why', () => {
    const { results, total } = graded([{ points: 10, cases: ['late-arrival'] }], TIMEOUT);
    expect(total).toBe(0);
    expect(results[0]).toMatchObject({ status: 'not-judged' });
    expect(results[0]!.units[0]!.message).toContain(TIMEOUT.problems[0]!.message.slice(0, 20));
  });

  test('of what does not apply is given to all', () => {
    const cases = PASS.cases.map((one) =>
      one.id === 'deleted' ? { ...one, verdict: 'skipped' as const, skipReason: 'no deletes' } : one,
    );
    const { results, total } = graded([{ points: 10, cases: ['deleted'] }], { ...PASS, cases });
    expect(results[0]!.status).toBe('not-applicable');
    expect(total).toBe(10);
  });

  test('of a check is not given where the run ended early', () => {
    const ended: Report = { ...PASS, problems: [{ kind: 'crash', message: 'It ended.' }] };
    expect(graded([{ points: 3, checks: ['no-overlap'] }], ended).total).toBe(0);
  });

  test('says by the leading finding what is wrong', () => {
    const { results } = graded([{ points: 10, cases: ['segment-change'] }], INCLUSIVE_END);
    const [unit] = results[0]!.units;
    expect(unit).toMatchObject({
      status: 'failed',
      check: 'exclusive-end',
      message: INCLUSIVE_END.findings[0]!.message,
    });
  });
});

describe('a rubric', () => {
  const reading = (items: readonly RubricItemConfig[], visibility?: string) => () =>
    readRubric(items, visibility, [], 'scd2check.config.ts');

  test.each([
    [[{ points: 1 }], 'must have either `cases` or `checks`'],
    [[{ points: 1, cases: 'deleted', checks: 'content' }], 'must have either `cases` or `checks`'],
    [[{ points: 1, cases: 'delete' }], 'there is no case `delete`. Did you mean `deleted`?'],
    [[{ points: 1, checks: 'no-overlaps' }], 'there is no check `no-overlaps`. Did you mean `no-overlap`?'],
    [[{ points: 1, cases: 'boundary' }], 'needs an id'],
    [[{ points: 1, cases: 'project', id: 'own' }], 'there is none'],
    [[{ points: 1, cases: 'deleted', visibility: 'hiden' }], 'Did you mean `hidden`?'],
    [
      [
        { points: 1, cases: 'deleted' },
        { points: 2, cases: 'deleted' },
      ],
      'two items of the rubric have the id `deleted`',
    ],
    [[{ points: 1, cases: 'deleted', optional: true }], 'every item of the rubric is optional'],
  ] as [RubricItemConfig[], string][])('%j is refused in one sentence', (items, sentence) => {
    expect(reading(items)).toThrow(sentence);
  });

  test('has groups of checks by their names', () => {
    expect(reading([{ id: 'as-of', points: 1, checks: 'as-of' }])().items[0]!.checks).toEqual([
      'no-fan-out',
      'coverage',
      'as-of-value',
      'reconciles',
    ]);
  });
});
