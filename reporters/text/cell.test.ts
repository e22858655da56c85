import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { showCell, showKey } from './cell.ts';

describe('a shown cell', () => {
  test.each([
    [null, 'NULL'],
    ['NULL', "'NULL'"],
    ['', "''"],
    [' ', "' '"],
    ['A ', "'A '"],
    ['a  b', "'a  b'"],
    ['A', 'A'],
    ["O'Neil", "O'Neil"],
    ["'A'", "'\\'A\\''"],
    ['C:\\x1b', 'C:\\x1b'],
    ['C:\\\x1b', "'C:\\\\\\x1b'"],
    ['::error::', "'::error::'"],
    [true, 'true'],
    [-1.5, '-1.5'],
  ])('of %j is %s', (value, shown) => {
    expect(showCell(value)).toBe(shown);
  });

  test('tells any two texts apart', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', ' ', "'", '\\', '\n', 'n', '\u200b', 'x') }),
      fc.string(),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(showCell(a, 1e9) === showCell(b, 1e9)).toBe(a === b);
      }),
    );
  });

  test('is cut where it is long, and says how long it was', () => {
    expect(showCell('x'.repeat(100), 10)).toBe('xxxxxxxxxx… (100 characters)');
  });
});

test('a key is shown as its parts', () => {
  expect(showKey({ region: null, id: 7 })).toBe('region = NULL, id = 7');
});
