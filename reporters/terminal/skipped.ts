import { visible } from '../text/escape.ts';
import { groupBy } from '../text/group.ts';
import { wrap } from '../text/wrap.ts';
import { indented, type Page, proseWidth } from './page.ts';

interface Skippable {
  readonly id: string;
  readonly verdict: string;
  readonly skipReason?: string;
}

/** Up to so many are each given their reason in a short report. */
const FEW = 8;

/** What was skipped and why, one line for each reason. Skipping is never silent, and never touches the verdict. */
export function skipLines(results: readonly Skippable[], page: Page): string[] {
  const skipped = results.filter(({ verdict }) => verdict === 'skipped');
  if (!page.full && skipped.length > FEW) {
    const text = `${skipped.length} skipped: the contract or the columns do not allow them (--full says why)`;
    return indented(wrap(text, proseWidth(page) - 2, '  ').map(page.style.dim));
  }
  const byReason = groupBy(skipped, ({ skipReason }) => skipReason ?? 'no reason given');
  const lines = [...byReason].flatMap(([reason, group]) => {
    const ids = group.map(({ id }) => visible(id));
    const named = page.full || ids.length <= 3 ? ` (${ids.join(', ')})` : '';
    return wrap(`${group.length} skipped: ${visible(reason)}${named}`, proseWidth(page) - 2, '  ');
  });
  return indented(lines.map(page.style.dim));
}
