import type { Gradebook, Graded } from '../../src/grade/gradebook.ts';
import { visible } from '../text/escape.ts';
import type { GradeReporter } from './reporter.ts';
import { isVisible, isWhole, itemsOf, notGradableText } from './words.ts';

/**
 * Classroom 50's `result.json` (classroom50/result/v1). What it says of the submission (commit, release, owner) its workflow has in the
 * environment, and it is passed on; the time is that of grading. Points are whole numbers there: each test's are rounded, and the score is their sum.
 */
export const reporter: GradeReporter = {
  of: 'submission',
  ending: '.json',
  render: (submission, book) => `${JSON.stringify(result(submission, book, process.env), null, 2)}\n`,
};

export function result(submission: Graded, book: Gradebook, env: NodeJS.ProcessEnv) {
  const tests = testsOf(submission, book);
  const sum = tests.reduce((total, test) => total + test.score, 0);
  const maximum = Math.round(book.maximum);
  return {
    schema: 'classroom50/result/v1',
    classroom: env['CLASSROOM'] ?? '',
    assignment: env['ASSIGNMENT'] ?? '',
    assignment_type: env['ASSIGNMENT_TYPE'] ?? 'individual',
    owner: env['OWNER'] ?? env['USERNAME'] ?? submission.id,
    submission: env['SUBMISSION_TAG'] ?? '',
    commit: env['COMMIT_URL'] ?? '',
    release: env['RELEASE_URL'] ?? '',
    review: env['REVIEW_URL'] ?? '',
    datetime: env['DATETIME'] ?? new Date().toISOString(),
    score: submission.score === null ? 0 : Math.min(maximum, sum),
    'max-score': maximum,
    tests,
  };
}

function testsOf(submission: Graded, book: Gradebook) {
  if (submission.score === null) {
    const message = notGradableText(submission);
    return [
      {
        'test-name': 'Not gradable',
        passed: false,
        score: 0,
        'max-score': Math.round(book.maximum),
        message,
      },
    ];
  }
  return itemsOf(submission, book).map((shown, index) => {
    const { item, result } = shown;
    const isSeen = isVisible(shown);
    const wrong = result.units.find(({ status }) => status === 'failed' || status === 'not-judged');
    return {
      'test-name': isSeen ? visible(item.title) : `Part ${index + 1}`,
      passed: isWhole(shown),
      score: Math.round(result.earned),
      'max-score': item.optional ? 0 : Math.round(item.points),
      ...(isSeen && wrong?.message ? { message: visible(wrong.message.slice(0, 1000)) } : {}),
    };
  });
}
