import type { Report } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { illegalSentence, randomSentence, scopeSentence } from '../text/histories.ts';
import { wrap } from '../text/wrap.ts';
import { type Page, proseWidth } from './page.ts';

/** What was tried beyond the named cases: the scope that is complete, in words, the random histories, the situations reached. */
export function historyLines(report: Report, page: Page): string[] {
  const prose = (text: string) => wrap(text, proseWidth(page), '  ');
  return [
    ...[scopeSentence(report), randomSentence(report)].flatMap((sentence) =>
      sentence === null ? [] : prose(sentence),
    ),
    ...illegalLines(report, prose),
    ...coverageLines(report, page, prose),
  ];
}

type Prose = (text: string) => string[];

function illegalLines({ illegal }: Report, prose: Prose): string[] {
  if (illegal === null) return [];
  if (illegal.length === 0)
    return prose('Illegal input: none; the contract excludes nothing that can be sent.');
  return ['Illegal input:', ...illegal.flatMap((one) => prose(`  ${illegalSentence(one)}`))];
}

function coverageLines({ coverage }: Report, page: Page, prose: Prose): string[] {
  const reached = Object.entries(coverage).filter(([, count]) => count > 0);
  if (reached.length === 0) return [];
  if (!page.full) return [page.style.dim(`${reached.length} situations reached (--full lists them)`)];
  return prose(`Situations: ${reached.map(([id, count]) => `${visible(id)} ${count}`).join(', ')}.`);
}
