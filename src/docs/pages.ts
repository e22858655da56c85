import { censusPage } from '../../census/page.ts';
import { casePage } from './case-page.ts';
import { checkPages } from './check-pages.ts';
import { commandLinePage } from './command-line-page.ts';
import { contractPage } from './contract-page.ts';
import { presetsPage } from './presets-page.ts';

/** Every generated page, by its path in the repository. */
export function generatedPages(): ReadonlyMap<string, string> {
  return new Map([
    ...[...checkPages()].map(([name, text]): [string, string] => [`docs/checks/${name}`, text]),
    ['docs/cases.md', casePage()],
    ['docs/contract.md', contractPage()],
    ['docs/presets.md', presetsPage()],
    ['docs/command-line.md', commandLinePage()],
    ['docs/census.md', censusPage()],
  ]);
}
