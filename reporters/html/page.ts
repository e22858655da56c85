import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import type { Report } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { type Element, el } from './element.ts';
import {
  casesPart,
  checksPart,
  contractPart,
  environmentPart,
  findingsPart,
  headPart,
  problemsPart,
  triedPart,
} from './parts.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** Files that a page in a folder refers to, beside `index.html`. */
export const FILES = { 'style.css': STYLE, 'script.js': SCRIPT } as const;

export interface PageOptions {
  /** Every finding whole. */
  readonly full: boolean;
  /** Style and script in files of their own, for servers that forbid inline ones (Jenkins). */
  readonly separate: boolean;
}

/** The report as one HTML document. It reads the same without script and without style. */
export function renderPage(report: Report, { full, separate }: PageOptions): string {
  const title = `${report.verdict.toUpperCase()}: ${visible(report.implementation.name)} · scd2check`;
  const page = el(
    'html',
    { lang: 'en' },
    el(
      'head',
      null,
      el('meta', { charset: 'utf-8' }),
      ...policy(separate),
      el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      el('meta', { name: 'color-scheme', content: 'light dark' }),
      el('title', null, title),
      ...(separate
        ? [
            el('link', { rel: 'stylesheet', href: 'style.css' }),
            el('script', { src: 'script.js', defer: true }),
          ]
        : [raw('style', STYLE)]),
    ),
    el(
      'body',
      null,
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
      ...(separate ? [] : [raw('script', SCRIPT)]),
    ),
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}

function raw(name: 'style' | 'script', text: string): Element {
  return el(name, { dangerouslySetInnerHTML: { __html: text } } as never);
}

/** Nothing but the page's own style and script may act in it: a value that slipped through an escape could not. */
function policy(separate: boolean): Element[] {
  if (separate) return [];
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const content = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; base-uri 'none'; form-action 'none'`;
  return [el('meta', { 'http-equiv': 'Content-Security-Policy', content })];
}
