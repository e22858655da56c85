import type { Report } from '../../../src/runner/report.ts';
import { visible } from '../../text/escape.ts';
import { illegalSentence, randomSentence, scopeSentence } from '../../text/histories.ts';
import { type Element, el, table } from '../element.ts';
import { section } from './section.ts';

/** The scope and the random part in words, what became of earlier findings, and the situations that were reached. */
export function triedPart(report: Report): Element {
  const { stored, known, coverage } = report;
  const sentences = [
    scopeSentence(report) ?? 'Scope: no small histories were run.',
    randomSentence(report) ?? 'Random: no random histories were run.',
    ...(report.illegal ?? []).map((one) => `Illegal input: ${illegalSentence(one)}`),
    ...stored.map(({ id, outcome, reason }) => {
      const words = { fixed: 'fixed', fails: 'still fails', 'cannot-replay': 'cannot be replayed' }[outcome];
      return `Stored: ${visible(id)} ${words}${reason === undefined ? '' : `: ${visible(reason)}`}.`;
    }),
    ...known.map(({ id, reason, gone }) =>
      gone
        ? `Known: ${visible(id)} is gone: remove its line from the configuration.`
        : `Known: ${visible(id)} is accepted: ${visible(reason)}`,
    ),
  ];
  const situations = Object.entries(coverage);
  return section(
    'tried',
    'What was tried',
    el('ul', null, ...sentences.map((text) => el('li', null, text))),
    situations.length === 0
      ? null
      : el(
          'details',
          null,
          el(
            'summary',
            null,
            `Situations reached (${situations.filter(([, count]) => count > 0).length} of ${situations.length})`,
          ),
          table(
            {
              caption: 'Situations, and how often each was reached',
              headings: ['situation', 'times'],
              rows: situations.map(([id, count]) => [
                el('th', { scope: 'row' }, visible(id)),
                el('td', { class: 'number' }, count === 0 ? '0: never reached' : count),
              ]),
            },
            'Situations',
          ),
        ),
  );
}
