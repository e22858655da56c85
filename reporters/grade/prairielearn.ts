import type { Gradebook, Graded } from '../../src/grade/gradebook.ts';
import { rounded } from '../../src/grade/score.ts';
import { visible } from '../text/escape.ts';
import type { GradeReporter } from './reporter.ts';
import { HIDDEN, isVisible, itemsOf, itemText, notGradableText, type ShownItem } from './words.ts';

/**
 * PrairieLearn's `results.json` (docs/externalGrading.md). It hides nothing itself, so that what is hidden has points here and no words. A file of
 * more than 1 MB is refused as a whole: then the outputs go, and the sentences stay.
 */
export const reporter: GradeReporter = {
  of: 'submission',
  ending: '.json',
  render: (submission, book) => {
    const whole = print(results(submission, book, true));
    return Buffer.byteLength(whole) <= LIMIT_BYTES ? whole : print(results(submission, book, false));
  },
};

const LIMIT_BYTES = 1_000_000;

function print(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function results(submission: Graded, book: Gradebook, withOutput: boolean) {
  const { score } = submission;
  if (score === null) {
    // No attempt is lost by it.
    const message = notGradableText(submission);
    return { gradable: false, score: 0, message, format_errors: [message] };
  }
  const { maximum } = book;
  return {
    gradable: true,
    score: Math.min(1, Math.round((score / maximum) * 10_000) / 10_000),
    message: `Graded by scd2check ${book.tool.version}.`,
    tests: itemsOf(submission, book).map((shown, index) => {
      const { item, result } = shown;
      const points = { points: rounded(result.earned), max_points: item.optional ? 0 : item.points };
      if (!isVisible(shown)) return { name: `Part ${index + 1}`, ...points, message: HIDDEN };
      return {
        name: visible(item.title),
        ...points,
        message: firstSentence(shown),
        ...(withOutput ? { output: itemText(shown, submission, book) } : {}),
      };
    }),
  };
}

function firstSentence({ result }: ShownItem): string {
  const [wrong] = result.units.filter(({ status }) => status === 'failed' || status === 'not-judged');
  return visible((wrong?.message ?? 'Right.').slice(0, 1000));
}
