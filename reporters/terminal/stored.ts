import type { Report, StoredResult } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { counted, wrap } from '../text/wrap.ts';
import { type Page, proseWidth } from './page.ts';

/** What became of the counterexamples of earlier runs: fixed, still failing, or not to be tried. */
export function storedLines({ stored }: Report, page: Page): string[] {
  if (stored.length === 0) return [];
  const having = (outcome: StoredResult['outcome']) => stored.filter((one) => one.outcome === outcome);
  const named = (results: readonly StoredResult[]) => results.map(({ id }) => visible(id)).join(', ');
  const [fixed, fails, cannot] = [having('fixed'), having('fails'), having('cannot-replay')];
  const parts = [
    ...(fails.length === 0 ? [] : [`${fails.length} still ${fails.length === 1 ? 'fails' : 'fail'}`]),
    ...(fixed.length === 0 ? [] : [`${fixed.length} fixed (${named(fixed)})`]),
    ...(cannot.length === 0 ? [] : [`${cannot.length} cannot be replayed`]),
  ];
  const earlier = counted(stored.length, 'counterexample');
  return [
    ...wrap(`Stored: ${earlier} of earlier runs: ${parts.join(', ')}.`, proseWidth(page), '  '),
    ...cannot.flatMap(({ id, reason = '' }) =>
      wrap(`${visible(id)} cannot be replayed: ${visible(reason)}`, proseWidth(page), '  ').map(
        page.style.dim,
      ),
    ),
  ];
}

/** Findings that the configuration accepts, each with its reason; and those that are gone. */
export function knownLines({ known, findings }: Report, page: Page): string[] {
  const present = known.flatMap(({ id, reason }) => {
    const finding = findings.find((one) => one.id === id);
    return finding === undefined
      ? []
      : wrap(
          `= ${visible(id)}: ${visible(finding.message)} Accepted: ${visible(reason)}`,
          proseWidth(page),
          '  ',
        );
  });
  const gone = known
    .filter((one) => one.gone)
    .flatMap(({ id }) =>
      wrap(
        `${visible(id)} is gone: remove its line from \`known\` in the configuration.`,
        proseWidth(page),
        '  ',
      ),
    );
  if (present.length + gone.length === 0) return [];
  return [page.style.strong('Known, accepted in the configuration'), ...present, ...gone];
}
