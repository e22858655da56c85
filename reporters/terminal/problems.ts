import type { Problem, Report } from '../../src/runner/report.ts';
import { shortened, visible, visibleLines } from '../text/escape.ts';
import { counted, wrap } from '../text/wrap.ts';
import { indented, type Page, proseWidth, spaced } from './page.ts';

/** Last lines of an error stream in a short report: where interpreters say what went wrong. */
const STDERR_LIMIT = 12;
/** What is longer is data, not words. */
const STDERR_LINE_LIMIT = 400;

/** Why the run could not judge, with the end of what the implementation wrote to its error stream. */
export function problemsLines({ problems }: Report, page: Page): string[] {
  if (problems.length === 0) return [];
  return spaced([
    [page.style.strong(`Problems (${problems.length})`)],
    ...problems.map((problem) => problemLines(problem, page)),
  ]);
}

/** For `--quiet`: a verdict that is none says why. */
export function problemLine({ kind, message }: Problem): string {
  return `? ${visible(kind)}: ${visibleLines(message).join(' ')}`;
}

function problemLines(problem: Problem, page: Page): string[] {
  const { style } = page;
  const start = `? ${visible(problem.kind)}`;
  const [first, ...rest] = visibleLines(problem.message).flatMap((line, index) =>
    wrap(index === 0 ? `${start}: ${line}` : `  ${line}`, proseWidth(page), '  '),
  );
  const feed = problem.feed === undefined ? [] : [style.dim(`feed ${visible(problem.feed)}`)];
  return [
    style.strong(style.warn(first!.slice(0, start.length))) + first!.slice(start.length),
    ...rest,
    ...indented([...feed, ...stderrLines(problem.stderr ?? '', page)]),
  ];
}

function stderrLines(stderr: string, page: Page): string[] {
  if (stderr.trim() === '') return [];
  const lines = visibleLines(stderr);
  const shown = page.full
    ? lines
    : lines.slice(-STDERR_LIMIT).map((line) => shortened(line, STDERR_LINE_LIMIT));
  const heading =
    shown.length < lines.length
      ? `stderr, the last ${shown.length} of ${counted(lines.length, 'line')}:`
      : 'stderr:';
  const bar = page.style.dim('│ ');
  return [
    page.style.dim(heading),
    ...shown.flatMap((line) => wrap(line, page.width - 4).map((part) => bar + part)),
  ];
}
