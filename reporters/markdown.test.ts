import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { HOSTILE, manyFindings, manyProblems } from './hostile.fixture.ts';
import { markerOf, renderMarkdown } from './markdown.ts';
import { LATE_OVERLAP, PASS, SAMPLES } from './samples.ts';

const PLACE = { cwd: '/repo/etl', root: '/repo' };
/** GitHub's own limit for a comment. */
const COMMENT_LIMIT = 65_536;

describe('the Markdown report', () => {
  test.each(Object.entries(SAMPLES))('of %s reads as before', async (name, report) => {
    await expect(renderMarkdown(report, PLACE)).toMatchFileSnapshot(`../test/golden/markdown-${name}.md`);
  });

  test('begins with a marker that stays the same from run to run, and differs between implementations', () => {
    const first = (text: string) => text.split('\n')[0];
    const implementation = LATE_OVERLAP.implementation;
    expect(first(renderMarkdown(LATE_OVERLAP, PLACE))).toBe('<!-- scd2check: etl/load/customers.sql -->');
    expect(first(renderMarkdown({ ...PASS, implementation }, PLACE))).toBe(markerOf(implementation, PLACE));
    expect(markerOf(PASS.implementation, PLACE)).not.toBe(markerOf(implementation, PLACE));
  });

  test('has a marker that no name can end', () => {
    const marker = markerOf({ name: 'a --> b <!-- c\n--->', kind: 'command' }, PLACE);
    expect(marker).toMatch(/^<!-- (?:(?!-->|--).)*? -->$/);
  });

  test('fits into a comment, and says how many findings it left out', () => {
    const text = renderMarkdown(manyFindings(10_000), PLACE);
    expect(Buffer.byteLength(text)).toBeLessThan(COMMENT_LIMIT);
    const shown = text.split('#### ✗ ').length - 1;
    expect(shown).toBeGreaterThan(10);
    expect(text).toContain(`no more room here: ${10_000 - shown} findings`);
    expect(text).toContain('10000 findings');
    expect(Buffer.byteLength(renderMarkdown(manyProblems(1000), PLACE))).toBeLessThan(COMMENT_LIMIT);
  });

  test('shows hostile text and obeys none of it', () => {
    const markup = micromark(renderMarkdown(HOSTILE, PLACE), {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
    });
    expect(markup).not.toMatch(/<(script|img|a) /);
    const outside = markup.replace(/<(code|pre)[^>]*>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, '');
    expect(outside).toContain('octocat');
    expect(outside).not.toMatch(/@octocat|#1/);
    expect(renderMarkdown(HOSTILE, PLACE)).not.toMatch(/^\s*(::|##\[)/m);
  });
});
