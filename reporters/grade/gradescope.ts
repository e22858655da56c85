import type { Gradebook, Graded } from '../../src/grade/gradebook.ts';
import { visible } from '../text/escape.ts';
import type { GradeReporter } from './reporter.ts';
import { isWhole, itemsOf, itemText, notGradableText, type ShownItem, scoreText } from './words.ts';

/**
 * Gradescope's `results.json` (autograder_samples, docs/specs.md). It hides what it is told to hide, the sum with it. The sum is given at
 * the top because optional items may make up for others, which a sum of tests cannot say.
 */
export const reporter: GradeReporter = {
  of: 'submission',
  ending: '.json',
  render: (submission, book) => `${JSON.stringify(results(submission, book), null, 2)}\n`,
};

function results(submission: Graded, book: Gradebook) {
  const { score } = submission;
  if (score === null) {
    // Gradescope knows no grade that is none, and refuses results without a score.
    const output = notGradableText(submission);
    const test = { name: 'Not gradable', status: 'failed', score: 0, max_score: book.maximum, output };
    return { score: 0, output, output_format: 'text', stdout_visibility: 'hidden', tests: [test] };
  }
  return {
    score,
    output: `${scoreText(submission, book)} points. Graded by scd2check ${book.tool.version}.`,
    output_format: 'text',
    stdout_visibility: 'hidden',
    tests: itemsOf(submission, book).map((shown, index) => test(shown, index, submission, book)),
  };
}

function test(shown: ShownItem, index: number, submission: Graded, book: Gradebook) {
  const { item, result } = shown;
  return {
    number: String(index + 1),
    name: visible(item.title),
    name_format: 'text',
    score: result.earned,
    max_score: item.optional ? 0 : item.points,
    status: isWhole(shown) ? 'passed' : 'failed',
    output: itemText(shown, submission, book),
    output_format: 'text',
    visibility: item.visibility,
  };
}
