import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Numeral, parseJson, printJson, tryParseJson } from './json.ts';

describe('JSON whose numbers survive', () => {
  test.each([
    '9007199254740993',
    '-9223372036854775808',
    '12345678901234567.89',
    '{"a":[1,9007199254740993,"9007199254740993",0.30000000000000004],"9007199254740993":null}',
    '["\\"9007199254740993","\\\\",123456789012345678901234567890]',
  ])('%s', (text) => {
    expect(printJson(parseJson(text))).toBe(text);
  });

  test('a long integer is a bigint, a number that JavaScript has stays one', () => {
    const [long, double, text] = parseJson(
      '[9007199254740993, 0.30000000000000004, "1234567890123456789"]',
    ) as unknown[];
    expect((long as Numeral).value).toBe(9007199254740993n);
    expect(double).toBe(0.1 + 0.2);
    expect(text).toBe('1234567890123456789');
  });

  test('all else is as JSON.parse has it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(printJson(parseJson(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('what is no JSON says why', () => {
    expect(tryParseJson('{1234567890123456789')).toHaveProperty('error');
    expect(tryParseJson('')).toHaveProperty('error');
  });
});
