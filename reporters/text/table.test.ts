import { describe, expect, test } from 'vitest';
import { PLAIN } from './style.ts';
import { fitTable, type TextTable } from './table.ts';

const TABLE: TextTable = {
  columns: [
    { heading: '' },
    { heading: 'customer_id' },
    { heading: 'customer_segment' },
    { heading: 'n', align: 'right' },
  ],
  rows: [
    [{ text: 'E' }, { text: 'C1' }, { text: 'A' }, { text: '1' }],
    [{ text: 'D' }, { text: 'C1' }, { text: 'B' }, { text: '12' }],
  ],
};

function fitted(width: number): string {
  return `\n${fitTable(TABLE, width, PLAIN).join('\n')}\n`;
}

describe('a table', () => {
  test('stands whole where there is room', () => {
    expect(fitted(40)).toBe(`
   customer_id  customer_segment   n
E  C1           A                  1
D  C1           B                 12
`);
  });

  test('says once what is the same in every row where there is less', () => {
    expect(fitted(30)).toBe(`
   customer_segment   n
E  A                  1
D  B                 12
every row: customer_id C1
`);
  });

  test('breaks its headings where there is little', () => {
    expect(fitted(20)).toBe(`
   customer_
   segment     n
E  A           1
D  B          12
every row:
  customer_id C1
`);
  });

  test('becomes a list where there is almost none, without losing a value', () => {
    const list = fitted(12);
    expect(list.split('\n').every((line) => line.length <= 12)).toBe(true);
    for (const value of ['A', 'B', '1', '12', 'C1']) expect(list).toContain(value);
  });
});
