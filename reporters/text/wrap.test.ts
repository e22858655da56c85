import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { counted, cutToWidth, joinParts, wrap } from './wrap.ts';

test('text is broken at single blanks, and longer runs of blanks stay whole', () => {
  expect(wrap("the value is 'a  b' here", 18, '  ')).toEqual(['the value is', "  'a  b' here"]);
});

test('a word longer than a line is broken where the line ends', () => {
  expect(wrap('ab abcdefghijkl', 8)).toEqual(['ab', 'abcdefgh', 'ijkl']);
});

test('no line is wider than asked, and no character is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 8, max: 40 }), (text, width) => {
      const lines = wrap(text, width);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(Math.max(width, 8));
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }),
  );
});

test('text is cut to a width, wide characters counted as two', () => {
  expect(cutToWidth('abcdef', 4)).toBe('abc…');
  expect(cutToWidth('長い値', 4)).toBe('長…');
  expect(cutToWidth('abcd', 4)).toBe('abcd');
});

test('parts are broken between each other', () => {
  expect(joinParts(['7/7 cases', '12 checks', '1.8 s'], 22)).toEqual(['7/7 cases · 12 checks', '1.8 s']);
});

test('one is one, and none are many', () => {
  expect([counted(0, 'fact'), counted(1, 'fact'), counted(2, 'batch', 'batches')]).toEqual([
    '0 facts',
    '1 fact',
    '2 batches',
  ]);
});
