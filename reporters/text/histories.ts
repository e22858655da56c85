import type { IllegalResult, Report } from '../../src/runner/report.ts';
import { visible } from './escape.ts';

/** What was tried beyond the named cases, in sentences. */

/** The scope that is complete; null where none was run. */
export function scopeSentence({ scope }: Report): string | null {
  if (scope === null) return null;
  const forgiven = scope.forgiven > 0 ? `; ${scope.forgiven} forgiven for lost evidence` : '';
  return `Scope: ${visible(scope.words)}: ${scope.histories} histories, ${verdictOf(scope)}${forgiven}.`;
}

/** The random histories; null where none were run. */
export function randomSentence({ random }: Report): string | null {
  if (random === null) return null;
  const forgiven = random.forgiven > 0 ? `; ${random.forgiven} forgiven for lost evidence` : '';
  return `Random: ${random.histories} histories, seed ${random.seed}, ${random.facts} facts, ${verdictOf(random)}${forgiven}.`;
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

const OUTCOMES = {
  refused: 'refused',
  sound: 'applied, and the table is sound',
  broken: 'the table is broken',
} as const;

/** What became of one kind of illegal input. */
export function illegalSentence({ words, field, outcome, detail }: IllegalResult): string {
  return `${outcome === 'broken' ? '✗' : '✓'} ${visible(words)} (${visible(field)}): ${OUTCOMES[outcome]}${detail === null ? '' : ` (${visible(detail)})`}`;
}
