import type { Report } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { htmlDocument } from './document.ts';
import { el } from './element.ts';
import { casesPart } from './parts/cases.ts';
import { checksPart } from './parts/checks.ts';
import { contractPart } from './parts/contract.ts';
import { environmentPart } from './parts/environment.ts';
import { findingsPart } from './parts/findings.ts';
import { headPart } from './parts/head.ts';
import { problemsPart } from './parts/problems.ts';
import { triedPart } from './parts/tried.ts';

export interface PageOptions {
  /** Every finding whole. */
  readonly full: boolean;
  /** Style and script in files of their own, for servers that forbid inline ones (Jenkins). */
  readonly separate: boolean;
}

/** The report as one HTML document. It reads the same without script and without style. */
export function renderPage(report: Report, { full, separate }: PageOptions): string {
  const title = `${report.verdict.toUpperCase()}: ${visible(report.implementation.name)} · scd2check`;
  return htmlDocument(
    { title, separate },
    el('a', { class: 'skip', href: '#main' }, 'Skip to the report'),
    headPart(report),
    el(
      'main',
      { id: 'main', tabindex: -1 },
      casesPart(report),
      problemsPart(report),
      findingsPart(report, full),
      triedPart(report),
      checksPart(report),
      contractPart(report),
      environmentPart(report),
    ),
  );
}
