import { expect, test } from 'vitest';
import type { Cell, Column } from '../../contract/columns.ts';
import type { Folding } from '../../contract/contract.ts';
import { column } from './testing.ts';
import { compareCells, foldCells, foldState } from './values.ts';

const text = column('t');
const double = column('d', 'double');

function same(a: Cell, b: Cell, type: Column, ...foldings: Folding[]): boolean {
  return foldState([a], [type], foldings) === foldState([b], [type], foldings);
}

test('−0 is 0, NaN is NaN, NULL is NULL, and no two of them are the same', () => {
  expect(same(-0, 0, double)).toBe(true);
  expect(same(Number.NaN, Number.NaN, double)).toBe(true);
  expect(same(null, null, double)).toBe(true);
  expect(same(null, 0, double)).toBe(false);
  expect(same(null, Number.NaN, double)).toBe(false);
  expect(same(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, double)).toBe(false);
  expect(same(0.1 + 0.2, 0.3, double)).toBe(false);
});

test('without foldings, text is compared by its bytes', () => {
  expect(same('A', 'a', text)).toBe(false);
  expect(same('a', 'a ', text)).toBe(false);
  expect(same('', null, text)).toBe(false);
  expect(same('null', null, text)).toBe(false);
  expect(same('é', 'e\u0301', text)).toBe(false);
});

test('a separator inside a text does not make two tuples one', () => {
  const pair = [text, text];
  expect(foldState(['a","b', null], pair, [])).not.toBe(foldState(['a', 'b'], pair, []));
  expect(foldState(['a,', 'b'], pair, [])).not.toBe(foldState(['a', ',b'], pair, []));
});

test('trim removes blanks at both ends, and no other white space', () => {
  expect(same('  a b ', 'a b', text, 'trim')).toBe(true);
  expect(same('a\t', 'a', text, 'trim')).toBe(false);
  expect(same('a b', 'ab', text, 'trim')).toBe(false);
});

test('case-insensitive lowers each code point by itself', () => {
  expect(same('ÄB', 'äb', text, 'case-insensitive')).toBe(true);
  expect(same('𐐀', '𐐨', text, 'case-insensitive')).toBe(true);
  expect(same('ΑΣ', 'ας', text, 'case-insensitive')).toBe(false);
  expect(same('ΑΣ', 'ασ', text, 'case-insensitive')).toBe(true);
  expect(foldCells(['İ'], [text], ['case-insensitive'])).toEqual(['İ']);
  expect(same('ß', 'SS', text, 'case-insensitive')).toBe(false);
});

test('empty-is-null comes after trim, whatever the order they are declared in', () => {
  expect(same('', null, text, 'empty-is-null')).toBe(true);
  expect(same('  ', null, text, 'empty-is-null')).toBe(false);
  expect(same('  ', null, text, 'empty-is-null', 'trim')).toBe(true);
});

test('foldings leave other types alone', () => {
  const decimal = column('m', 'decimal(5,2)');
  expect(
    foldCells(['1.50', 1n, true], [decimal, column('b', 'bigint'), column('f', 'boolean')], ['trim']),
  ).toEqual(['1.50', 1n, true]);
});

test('values are ordered as their type orders them, NULL lowest', () => {
  const order = (type: Column, ...cells: Cell[]) => [...cells].sort((a, b) => compareCells(a, b, type));
  expect(order(column('n', 'integer'), 10, null, 9)).toEqual([null, 9, 10]);
  expect(order(column('m', 'decimal(5,1)'), '10.0', '-9.5', '9.0')).toEqual(['-9.5', '9.0', '10.0']);
  expect(order(text, '\u{10000}', '\uffff', 'a')).toEqual(['a', '\uffff', '\u{10000}']);
  expect(order(column('d', 'date'), '2026-01-02', '2025-12-31')).toEqual(['2025-12-31', '2026-01-02']);
  expect(order(double, Number.NaN, 1)).toEqual([1, Number.NaN]);
});
