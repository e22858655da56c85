import type { CreateReporter } from './reporter.ts';
import { visible } from './text/escape.ts';
import { cutToWidth } from './text/wrap.ts';

const CLEAR_LINE = '\r\x1b[2K';

/**
 * One line that says how far the run is, drawn over itself. It moves the cursor, so its output must be a terminal:
 * stderr, and only where that is one. It leaves nothing behind.
 */
export const createProgress: CreateReporter = (output) => {
  let shown = '';
  let cases = { done: 0, total: 0 };

  const show = (text: string) => {
    const line = cutToWidth(text, output.width - 1);
    // Thousands of events change nothing that can be seen; a terminal is slower than a run.
    if (output.quiet || line === shown) return;
    output.write(CLEAR_LINE + line);
    shown = line;
  };
  const clear = () => {
    if (shown !== '') output.write(CLEAR_LINE);
    shown = '';
  };

  return {
    onEvent(event) {
      switch (event.type) {
        case 'run-start':
          cases = { done: 0, total: event.cases };
          return show(`${visible(event.implementation.name)}: starting`);
        case 'case-end':
          cases = { ...cases, done: cases.done + 1 };
          return show(progressText('cases', cases.done, cases.total));
        case 'progress':
          return show(progressText(event.part, event.done, event.total));
        case 'run-end':
          return clear();
      }
    },
    onEnd: clear,
  };
};

/** `scope: 12 of 24 (50 %)`; whole percents only where there is too much to count. */
function progressText(part: string, done: number, total: number): string {
  if (total <= 0) return `${visible(part)}: ${done}`;
  const percent = Math.floor((100 * done) / total);
  return total > 1000
    ? `${visible(part)}: ${percent} %`
    : `${visible(part)}: ${done} of ${total} (${percent} %)`;
}
