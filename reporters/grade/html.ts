import type { Gradebook, Graded } from '../../src/grade/gradebook.ts';
import { htmlDocument } from '../html/document.ts';
import { type Element, el, table } from '../html/element.ts';
import { findingArticle } from '../html/finding.ts';
import { section } from '../html/parts/section.ts';
import { visible, visibleLines } from '../text/escape.ts';
import { counted } from '../text/wrap.ts';
import type { GradeReporter } from './reporter.ts';
import {
  findingsOfUnit,
  isVisible,
  itemStatus,
  itemsOf,
  notGradableText,
  pointsText,
  type ShownItem,
  scoreText,
  unitStatus,
} from './words.ts';

/**
 * One page for one student: the points, and for what is wrong the batches, what was expected and what was there. Only visible items are on it; where
 * there are others, neither is the sum, and the page says so rather than "all passed".
 */
export const reporter: GradeReporter = {
  of: 'submission',
  ending: '.html',
  render: (submission, book) =>
    htmlDocument(
      { title: `${visible(submission.name)} · scd2check`, separate: false },
      el('a', { class: 'skip', href: '#main' }, 'Skip to the grade'),
      head(submission, book),
      el('main', { id: 'main', tabindex: -1 }, ...body(submission, book)),
    ),
};

function head(submission: Graded, book: Gradebook): Element {
  const items = itemsOf(submission, book);
  const hidden = items.filter((shown) => !isVisible(shown)).length;
  const isGraded = submission.score !== null;
  const isPublic = book.rubric.every(({ visibility }) => visibility === 'visible');
  const isRight = items
    .filter(isVisible)
    .every(({ result }) => result.status === 'passed' || result.status === 'not-applicable');
  const words = !isGraded
    ? '? NOT GRADABLE'
    : isPublic
      ? `${isRight ? '✓' : '✗'} ${scoreText(submission, book)}`
      : isRight
        ? '✓ ALL PUBLIC PARTS RIGHT'
        : '✗ NOT ALL RIGHT';
  return el(
    'header',
    { id: 'top' },
    el(
      'h1',
      null,
      el('span', { class: `verdict ${isGraded ? (isRight ? 'pass' : 'fail') : 'inconclusive'}` }, words),
      ' ',
      visible(submission.name),
    ),
    hidden === 0
      ? null
      : el(
          'p',
          null,
          `${counted(hidden, 'more part')} of the grade ${hidden === 1 ? 'is' : 'are'} not shown here, so this page has no sum.`,
        ),
    el('p', { class: 'faint' }, `Graded by scd2check ${book.tool.version}.`),
  );
}

function body(submission: Graded, book: Gradebook): (Element | null)[] {
  if (submission.score === null)
    return [
      section(
        'reason',
        'Why there is no grade',
        ...visibleLines(notGradableText(submission)).map((line) => el('p', null, line)),
      ),
    ];
  const items = itemsOf(submission, book).filter(isVisible);
  return [section('parts', 'Parts', partsTable(items)), wrongPart(items, submission, book)];
}

function partsTable(items: readonly ShownItem[]): Element {
  return table(
    {
      caption: 'Parts of the grade and their points',
      hideCaption: true,
      headings: ['part', 'points', 'of', 'verdict'],
      rows: items.map(({ item, result }) => [
        el('th', { scope: 'row' }, visible(item.title), item.optional ? ' (optional)' : ''),
        el('td', { class: 'number' }, pointsText(result.earned)),
        el('td', { class: 'number' }, pointsText(result.points)),
        el('td', { class: looks(result.status) }, itemStatus(result)),
      ]),
    },
    'Parts of the grade',
  );
}

function looks(status: string): string {
  return { passed: 'is-pass', failed: 'is-fail', partly: 'is-fail' }[status] ?? 'is-inconclusive';
}

/** Each finding once: several parts may fail by the same. */
function wrongPart(items: readonly ShownItem[], submission: Graded, book: Gradebook): Element | null {
  const units = items.flatMap(({ result }) => result.units).filter(({ status }) => status !== 'passed');
  if (units.length === 0) return null;
  const { implementation, cases } = submission;
  const findings = [
    ...new Map(
      units
        .filter(({ status }) => status === 'failed')
        .flatMap((unit) => findingsOfUnit(unit, submission, book).slice(0, 1))
        .map((finding) => [finding.id, finding]),
    ).values(),
  ];
  const sentences = units.map((unit) =>
    el(
      'li',
      null,
      `${unitStatus(unit)}: `,
      el('strong', null, visible(unit.title)),
      unit.message === null ? '' : ` ${visible(unit.message)}`,
    ),
  );
  return section(
    'wrong',
    'What is not right',
    el('ul', null, ...sentences),
    ...(implementation === null
      ? []
      : findings.map((finding, index) =>
          findingArticle(
            finding,
            {
              contract: book.contract,
              cases: cases.filter(({ id }) => units.some((unit) => unit.id === id)),
              implementation,
            },
            { number: index + 1, shown: findings.length },
          ),
        )),
  );
}
