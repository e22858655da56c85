import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readXml } from './read-xml.ts';
import { renderXml } from './xml.ts';

describe('rendered XML', () => {
  test('gives back text and attributes as they were, but for what XML forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const xml = renderXml({ name: 'a', attributes: { b: value }, children: [value] });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
        const allowed = value.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/gu, '\ufffd');
        expect(readXml(xml)[0]).toMatchObject({ attributes: { b: allowed }, text: allowed });
      }),
    );
  });

  test('leaves out attributes that are undefined', () => {
    expect(renderXml({ name: 'a', attributes: { b: undefined, c: 0 }, children: [] })).toContain(
      '<a c="0"/>',
    );
  });
});

describe('the scanner for well-formedness', () => {
  test.each([
    '<a>',
    '<a></b>',
    '<a b="<"/>',
    '<a>&nbsp;</a>',
    '<a>\x00</a>',
    '<a b="1" b="2"/>',
    '<a/><b/>',
    'x<a/>',
  ])('refuses %j', (xml) => {
    expect(() => readXml(xml)).toThrow();
  });
});
