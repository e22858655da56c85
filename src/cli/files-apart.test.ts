import { describe, expect, it } from 'vitest';
import { fileApart, wordsApart } from './files-apart.ts';

describe('the files of several implementations', () => {
  it('differ by the path of each', () => {
    const words = wordsApart(['models/dim_customer.sql', './dim_product.py', 'a/load.sql', 'b/load.sql']);
    expect(words).toEqual(['models-dim_customer', 'dim_product', 'a-load', 'b-load']);
    expect(fileApart('out/report.xml', words[0]!)).toBe('out/report-models-dim_customer.xml');
    expect(fileApart('report', words[1]!)).toBe('report-dim_product');
    expect(fileApart('pages/', words[1]!)).toBe('pages/dim_product/');
  });

  it('are numbered where paths differ in their ending alone', () => {
    expect(wordsApart(['load.sql', 'load.py', '../load.ts', '..'])).toEqual([
      'load',
      'load-2',
      'load-3',
      'implementation',
    ]);
  });
});
