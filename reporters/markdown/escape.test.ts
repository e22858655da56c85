import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { visible } from '../text/escape.ts';
import { markdownBlock, markdownCode, markdownTable, markdownText } from './escape.ts';

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '</details><script>alert(1)</script>',
  '-->',
  '**bold** _it_ ~~gone~~ `code`',
  '[a](javascript:alert(1)) ![b](http://x.example/p.png)',
  '# not a heading',
  '1. not a list',
  '| a | b |',
  '&lt;&#64;&copy;',
  '\\*\\',
  'a  b   c',
  ' padded ',
  '``` fence ```',
  '$x^2$',
  ':tada:',
  '[^1]',
];

function html(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
}

/** What a reader sees: tags away, references read, blanks of no width and unbroken ones as if they were not. */
function seen(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name]!)
    .replaceAll('\u200b', '')
    .replaceAll('\u00a0', ' ');
}

const tagsOf = (markup: string) => [...markup.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name);

describe('text in Markdown', () => {
  test.each(HOSTILE)('shows %j as it is, and nothing else', (text) => {
    const markup = html(`x ${markdownText(text)} y`);
    expect(tagsOf(markup)).toEqual(['p', 'p']);
    expect(seen(markup)).toBe(`x ${text} y`);
  });

  test.each([
    '@octocat',
    '#12',
    'team/repo#12',
    'https://x.example/a',
    'www.x.example',
    'GH-12',
    'a@b.example',
  ])('is no mention, reference or link: %s', (text) => {
    const markup = html(markdownText(text));
    expect(markup).not.toContain('<a ');
    // GitHub looks for these in the text that is left when the Markdown has been read.
    expect(markup.replace(/<[^>]*>/g, '')).not.toMatch(/@\w|#\d|GH-\d|www\.|https?:/);
    expect(seen(markup)).toBe(text);
  });

  test('is what it was, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const text = visible(value);
        const markup = html(`x${markdownText(text)}y`);
        expect(tagsOf(markup)).toEqual(['p', 'p']);
        expect(seen(markup)).toBe(`x${text}y`);
      }),
    );
  });
});

describe('code in Markdown', () => {
  test.each([...HOSTILE, '`', '``', ' ', 'a|b'])('shows %j as it is', (text) => {
    const markup = html(`x ${markdownCode(text)} y`);
    expect(tagsOf(markup)).toEqual(['p', 'code', 'code', 'p']);
    expect(seen(markup)).toBe(`x ${text} y`);
  });

  test('stays in its cell', () => {
    const markup = html(markdownTable(['a', 'b'], [[markdownCode('x|y'), markdownText('x|y')]]));
    expect([...markup.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => seen(cell!))).toEqual(['x|y', 'x|y']);
  });

  test('in a block ends where the block ends', () => {
    const lines = ['```', '````', '</pre><script>', '@octocat'];
    const markup = html(markdownBlock(lines));
    expect(tagsOf(markup)).toEqual(['pre', 'code', 'code', 'pre']);
    expect(seen(markup).trim()).toBe(lines.join('\n'));
  });
});
