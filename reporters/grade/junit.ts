import type { Gradebook, Graded, UnitResult } from '../../src/grade/gradebook.ts';
import { renderXml, type XmlElement } from '../junit/xml.ts';
import { visible } from '../text/escape.ts';
import type { GradeReporter } from './reporter.ts';
import {
  findingsOfUnit,
  HIDDEN,
  isVisible,
  itemsOf,
  itemText,
  notGradableText,
  type ShownItem,
} from './words.ts';

/**
 * JUnit for CodeGrade, which gives its points by the share of tests that pass: one test for each case or check of the rubric. It has no points
 * of its own, so that items of different weight are steps of their own there. No time is in it: the same submission gives the same file.
 */
export const reporter: GradeReporter = {
  of: 'submission',
  ending: '.xml',
  render: (submission, book) => renderXml(document(submission, book)),
};

function document(submission: Graded, book: Gradebook): XmlElement {
  const suites =
    submission.score === null
      ? [suite('grade', 'grade', [notGradable(submission)])]
      : itemsOf(submission, book).map((shown, index) => itemSuite(shown, index, submission, book));
  const total = (name: string) => suites.reduce((sum, { attributes }) => sum + Number(attributes[name]), 0);
  const attributes = {
    name: 'scd2check grade',
    tests: total('tests'),
    failures: total('failures'),
    errors: total('errors'),
    skipped: total('skipped'),
  };
  return { name: 'testsuites', attributes, children: suites };
}

function itemSuite(shown: ShownItem, index: number, submission: Graded, book: Gradebook): XmlElement {
  const isSeen = isVisible(shown);
  const name = isSeen ? shown.item.id : `part-${index + 1}`;
  const tests = shown.result.units.map((unit, position) => ({
    name: 'testcase',
    attributes: {
      classname: `scd2check.grade.${name}`,
      name: isSeen ? visible(unit.id) : `${name}-${position + 1}`,
    },
    children: outcome(unit, shown, isSeen, submission, book),
  }));
  return suite(name, isSeen ? visible(shown.item.title) : name, tests);
}

function outcome(
  unit: UnitResult,
  shown: ShownItem,
  isSeen: boolean,
  submission: Graded,
  book: Gradebook,
): XmlElement[] {
  const message = isSeen
    ? visible(findingsOfUnit(unit, submission, book)[0]?.message ?? unit.message ?? '')
    : HIDDEN;
  const alone = { ...shown, result: { ...shown.result, units: [unit] } };
  const text = isSeen ? `${message}\n\n${itemText(alone, submission, book)}` : HIDDEN;
  switch (unit.status) {
    case 'passed':
    case 'follows':
      return [];
    case 'not-applicable':
      return [{ name: 'skipped', attributes: { message }, children: [] }];
    case 'not-judged':
      return [{ name: 'error', attributes: { type: 'inconclusive', message }, children: [text] }];
    case 'failed':
      return [
        {
          name: 'failure',
          attributes: { type: isSeen ? visible(unit.check ?? 'wrong') : 'wrong', message },
          children: [text],
        },
      ];
  }
}

function notGradable(submission: Graded): XmlElement {
  const message = notGradableText(submission);
  const error = { name: 'error', attributes: { type: 'not-gradable', message }, children: [message] };
  return {
    name: 'testcase',
    attributes: { classname: 'scd2check.grade', name: 'gradable' },
    children: [error],
  };
}

function suite(id: string, name: string, tests: readonly XmlElement[]): XmlElement {
  const count = (wanted: string) =>
    tests.filter(({ children }) =>
      children.some((child) => typeof child !== 'string' && child.name === wanted),
    ).length;
  return {
    name: 'testsuite',
    attributes: {
      id,
      name,
      tests: tests.length,
      failures: count('failure'),
      errors: count('error'),
      skipped: count('skipped'),
    },
    children: tests,
  };
}
