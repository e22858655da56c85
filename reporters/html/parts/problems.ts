import type { Problem, Report } from '../../../src/runner/report.ts';
import { shortened, visible, visibleLines } from '../../text/escape.ts';
import { type Element, el } from '../element.ts';
import { section } from './section.ts';

const LIMIT = 50;
/** Last lines of an error stream. */
const STDERR_LIMIT = 100;

/** What stands in the way of a verdict; nothing where nothing does. */
export function problemsPart({ problems }: Report): Element | null {
  if (problems.length === 0) return null;
  return section(
    'problems',
    `Problems (${problems.length})`,
    ...problems.slice(0, LIMIT).map(problemArticle),
  );
}

function problemArticle({ kind, message, feed, stderr = '' }: Problem): Element {
  const lines = stderr.trim() === '' ? [] : visibleLines(stderr).slice(-STDERR_LIMIT);
  return el(
    'article',
    { class: 'problem' },
    el('h3', null, `? ${visible(kind)}`),
    ...visibleLines(message).map((line) => el('p', { class: 'message' }, line)),
    feed === undefined ? null : el('p', { class: 'faint' }, `feed ${visible(feed)}`),
    lines.length === 0
      ? null
      : el(
          'pre',
          { tabindex: 0, role: 'group', 'aria-label': 'The end of its error stream' },
          lines.map((line) => shortened(line, 400)).join('\n'),
        ),
  );
}
