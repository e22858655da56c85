import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disarmLine, visible, visibleLines } from './escape.ts';

describe('visible text', () => {
  test.each([
    ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['line\nbreak\r\ttab', 'line\\nbreak\\r\\ttab'],
    ['user\u202enimda', 'user\\u{202e}nimda'],
    ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
    ['no\u00a0break', 'no\\xa0break'],
    ['lone \ud800 surrogate', 'lone \\u{d800} surrogate'],
    ['filler\u3164', 'filler\\u{3164}'],
  ])('escapes what acts or is not seen: %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test('tells a composed é from a decomposed one', () => {
    expect(visible('caf\u00e9')).toBe('café');
    expect(visible('cafe\u0301')).toBe('cafe\\u{301}');
  });

  test('leaves ordinary text of any script as it is', () => {
    for (const text of ['Bahnhofstr. 1', 'हिन्दी', 'شارع', '東京', 'Ærø', '🙂'])
      expect(visible(text)).toBe(text);
  });

  test('never holds a control character, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test('of an error stream keeps its lines', () => {
    expect(visibleLines('one\r\n\ttwo\x07\n\n')).toEqual(['one', '    two\\x07']);
  });
});

test('a line that a CI runner would obey is disarmed, behind colours too', () => {
  expect(disarmLine('::error::pwned')).toBe('\\x3a:error::pwned');
  expect(disarmLine('  \x1b[31m::set-output')).toBe('  \x1b[31m\\x3a:set-output');
  expect(disarmLine('##[group]x')).toBe('\\x23#[group]x');
  expect(disarmLine('a::b')).toBe('a::b');
});
