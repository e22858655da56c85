import type { Gradebook, Graded, ItemResult, UnitResult } from '../../src/grade/gradebook.ts';
import type { RubricItem } from '../../src/grade/rubric.ts';
import type { Finding } from '../../src/runner/report.ts';
import { failureText } from '../test-list/text.ts';
import { visible, visibleLines } from '../text/escape.ts';
import { counted } from '../text/wrap.ts';

/** An item of the rubric with what a submission came to. */
export interface ShownItem {
  readonly item: RubricItem;
  readonly result: ItemResult;
}

export function itemsOf({ items }: Graded, { rubric }: Gradebook): readonly ShownItem[] {
  return items.flatMap((result) => {
    const item = rubric.find(({ id }) => id === result.id);
    return item === undefined ? [] : [{ item, result }];
  });
}

/** `7.5`: no more digits than there are. */
export function pointsText(points: number): string {
  return String(points);
}

export function scoreText({ status, score }: Graded, { maximum }: Gradebook): string {
  if (status === 'waiting') return 'waiting';
  return score === null ? 'not gradable' : `${pointsText(score)}/${pointsText(maximum)}`;
}

/** Sign and word: never the colour alone. */
export function itemStatus({ status }: ItemResult): string {
  return {
    passed: '✓ right',
    follows: '≈ follows, costs nothing',
    partly: '≈ partly',
    failed: '✗ wrong',
    'not-judged': '? not judged',
    'not-applicable': '– does not apply',
  }[status];
}

export function unitStatus({ status }: UnitResult): string {
  return {
    passed: '✓ right',
    failed: '✗ wrong',
    follows: '≈ follows, costs nothing',
    'not-judged': '? not judged',
    'not-applicable': '– does not apply',
  }[status];
}

/**
 * A finding in the words of an exercise: where a project is told which line of the contract would explain it, a student is told that something
 * else is asked for.
 */
export function asTaught(finding: Finding, { contract }: Gradebook): Finding {
  const { decision, message } = finding;
  if (decision === null) return finding;
  const asked = contract[decision.field];
  const wanted = typeof asked === 'string' ? `; \`${decision.field}: ${asked}\` is asked for` : '';
  return {
    ...finding,
    decision: null,
    message: `${message} This is what \`${decision.field}: ${decision.option}\` means${wanted}.`,
  };
}

/** The findings of a unit, as its student reads them. */
export function findingsOfUnit(unit: UnitResult, submission: Graded, book: Gradebook): readonly Finding[] {
  return unit.findings
    .flatMap((id) => submission.findings.filter((one) => one.id === id))
    .map((finding) => asTaught(finding, book));
}

/** Characters of one unit, and of an item: readers cut what is longer, or refuse it. */
const UNIT_LIMIT = 6000;
const ITEM_LIMIT = 20_000;

/** What a student reads under an item: for each unit that is not right, what was expected and what was there. */
export function itemText({ result }: ShownItem, submission: Graded, book: Gradebook): string {
  const wrong = result.units.filter(({ status }) => status !== 'passed');
  if (wrong.length === 0) return 'Right.';
  return cut(wrong.map((unit) => cut(unitText(unit, submission, book), UNIT_LIMIT)).join('\n\n'), ITEM_LIMIT);
}

function unitText(unit: UnitResult, submission: Graded, book: Gradebook): string {
  const head = `${unitStatus(unit)}: ${visible(unit.title)}`;
  const findings = findingsOfUnit(unit, submission, book).slice(0, 1);
  const { implementation } = submission;
  if (findings.length === 0 || implementation === null)
    return unit.message === null ? head : `${head}\n${visible(unit.message)}`;
  return `${head}\n\n${failureText(findings, unit.id, { implementation })}`;
}

export function cut(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text.slice(0, limit)}\n… (cut after ${limit} of ${text.length} characters)`;
}

/** What is said in place of a part that is not to be seen. */
export const HIDDEN = 'This part is not shown.';

/** Whether it has all its points. */
export function isWhole({ result }: ShownItem): boolean {
  return ['passed', 'follows', 'not-applicable'].includes(result.status);
}

export function isVisible({ item }: ShownItem): boolean {
  return item.visibility === 'visible';
}

/** Why there is no grade, for whoever handed it in. */
export function notGradableText({ reason }: Graded): string {
  return `This submission could not be graded, which is not the same as 0 points. ${visibleLines(reason ?? 'It was not reached.').join('\n')}`;
}

/** Why parts of a grade are 0 without anything wrong being seen: no answer came that could be judged. Null where all were judged. */
export function notJudgedText({ items }: Graded): string | null {
  const missing = items.filter(({ status }) => status === 'not-judged');
  if (missing.length === 0) return null;
  const message = missing.flatMap(({ units }) => units).find((unit) => unit.message !== null)?.message;
  return `${missing.length} of ${counted(items.length, 'part')} not judged: ${visible(message ?? 'no answer came')}`;
}
