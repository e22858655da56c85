import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import { type Element, el } from './element.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** Files that a page in a folder refers to, beside `index.html`. */
export const FILES = { 'style.css': STYLE, 'script.js': SCRIPT } as const;

/** A whole document, with the looks and the script that all pages share: in it, or in files beside it where it is `separate`. */
export function htmlDocument(
  { title, separate }: { readonly title: string; readonly separate: boolean },
  ...body: (Element | null)[]
): string {
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
    el('body', null, ...body, ...(separate ? [] : [raw('script', SCRIPT)])),
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
