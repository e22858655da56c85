import type { Report } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { wrap } from '../text/wrap.ts';
import { type Page, proseWidth } from './page.ts';

/** What was tried beyond the named cases: the scope that is complete, in words, the random histories, the situations reached. */
export function historyLines(report: Report, page: Page): string[] {
  const prose = (text: string) => wrap(text, proseWidth(page), '  ');
  return [
    ...scopeLines(report, prose),
    ...randomLines(report, prose),
    ...illegalLines(report, prose),
    ...coverageLines(report, page, prose),
  ];
}

type Prose = (text: string) => string[];

function scopeLines({ scope }: Report, prose: Prose): string[] {
  if (scope === null) return [];
  const forgiven = scope.forgiven > 0 ? `; ${scope.forgiven} forgiven for lost evidence` : '';
  return prose(
    `Scope: ${visible(scope.words)}: ${scope.histories} histories, ${verdictOf(scope)}${forgiven}.`,
  );
}

/** `all right`, or how many are not. A part that ended early says so. */
function verdictOf({
  failing,
  completed,
}: {
  readonly failing: number;
  readonly completed: boolean;
}): string {
  const end = completed ? '' : ', not complete';
  return failing > 0
    ? `${failing} of them wrong${end}`
    : completed
      ? 'all right'
      : 'none wrong, but not complete';
}

function randomLines({ random }: Report, prose: Prose): string[] {
  if (random === null) return [];
  const forgiven = random.forgiven > 0 ? `; ${random.forgiven} forgiven for lost evidence` : '';
  return prose(
    `Random: ${random.histories} histories, seed ${random.seed}, ${random.facts} facts, ${verdictOf(random)}${forgiven}.`,
  );
}

const OUTCOMES = {
  refused: 'refused',
  sound: 'applied, and the table is sound',
  broken: 'the table is broken',
} as const;

function illegalLines({ illegal }: Report, prose: Prose): string[] {
  if (illegal === null) return [];
  if (illegal.length === 0)
    return prose('Illegal input: none; the contract excludes nothing that can be sent.');
  return [
    'Illegal input:',
    ...illegal.flatMap(({ words, field, outcome, detail }) =>
      prose(
        `  ${outcome === 'broken' ? '✗' : '✓'} ${visible(words)} (${visible(field)}): ${OUTCOMES[outcome]}${detail === null ? '' : ` (${visible(detail)})`}`,
      ),
    ),
  ];
}

function coverageLines({ coverage }: Report, page: Page, prose: Prose): string[] {
  const reached = Object.entries(coverage).filter(([, count]) => count > 0);
  if (reached.length === 0) return [];
  if (!page.full) return [page.style.dim(`${reached.length} situations reached (--full lists them)`)];
  return prose(`Situations: ${reached.map(([id, count]) => `${visible(id)} ${count}`).join(', ')}.`);
}
