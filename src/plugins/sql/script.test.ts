import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScript, parseTemplate, renderTemplate } from './script.ts';
import { splitStatements } from './statements.ts';
import { tokenize } from './tokens.ts';

const INSTANT = { literal: "TIMESTAMP '2026-03-01 06:00:00.000000'", bare: '2026-03-01 06:00:00.000000' };
const bind = (sql: string) => renderTemplate(parseTemplate(sql), INSTANT);

describe('the instant in a script', () => {
  it.each([
    ['SELECT :as_of', `SELECT ${INSTANT.literal}`],
    ['SELECT $as_of', `SELECT ${INSTANT.literal}`],
    ['f(:as_of,$AS_OF)', `f(${INSTANT.literal},${INSTANT.literal})`],
    [':as_of::DATE', `${INSTANT.literal}::DATE`],
    ["TIMESTAMP '${as_of}'", INSTANT.literal],
    ["TIMESTAMP '{{ as_of }}'", INSTANT.literal],
    ["E'{{as_of}}'", `E'${INSTANT.bare}'`],
    ['{{ as_of }}', INSTANT.bare],
    ["'it''s ${as_of}'", `'it''s ${INSTANT.bare}'`],
  ])('%s is replaced', (sql, bound) => {
    expect(bind(sql)).toBe(bound);
  });

  it.each([
    ['-- :as_of, ${as_of}\nSELECT 1'],
    ['/* {{ as_of }} /* $as_of */ :as_of */ SELECT 1'],
    ["':as_of'"],
    ["'$as_of'"],
    ["E'\\':as_of'"],
    ['":as_of ${as_of}"'],
    ['x::as_of'],
    ['$$ :as_of ${as_of} $$'],
    ['$as_of$ :as_of $as_of$'],
    ['SELECT :as_of_date, $as_of2, a$as_of, as_of'],
    ['SELECT {{ as_of_date }}'],
  ])('%s stays as it is', (sql) => {
    expect(bind(sql)).toBe(sql);
  });

  it('leaves every text alone that does not mention it', () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      '$',
      '$$',
      '$a$',
      '--',
      '/*',
      '*/',
      '\n',
      ':',
      '::',
      ';',
      "E'",
      '\\',
      '{{',
      '}}',
      'as_o',
      'x',
      'é',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const sql = pieces.join('').replaceAll(/as_of/gi, 'as_if');
        expect(bind(sql)).toBe(sql);
        expect(
          tokenize(sql)
            .map(({ text }) => text)
            .join(''),
        ).toBe(sql);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('sections and directives', () => {
  it('takes a file without section lines as the load', () => {
    expect(parseScript('SELECT 1;', 'a.sql')).toEqual({ directives: [], setup: null, load: 'SELECT 1;' });
  });

  it('keeps the line numbers of the sections', () => {
    const script = parseScript(
      '-- hello\n-- scd2check:setup\nCREATE TABLE t(a INT);\n-- scd2check:load\nSELECT 1;\n',
      'a.sql',
    );
    expect(splitStatements(script.setup!).map(({ line }) => line)).toEqual([3]);
    expect(splitStatements(script.load).map(({ line }) => line)).toEqual([5]);
  });

  it('reads directives with their lines, and only from comments', () => {
    const sql =
      "-- scd2check:contract daily-merge\r\n--scd2check: key nk INTEGER  \nSELECT '\n-- scd2check:tracked a\n';";
    expect(parseScript(sql, 'a.sql').directives).toEqual([
      { name: 'contract', value: 'daily-merge', line: 1 },
      { name: 'key', value: 'nk INTEGER', line: 2 },
    ]);
  });

  it('says where a statement stands outside the sections', () => {
    expect(() => parseScript('\nDROP TABLE x;\n-- scd2check:load\nSELECT 1;', 'a.sql')).toThrow(
      'a.sql:2 has a statement before the first section line',
    );
  });

  it('cuts statements at semicolons that are not quoted', () => {
    const sql = "SELECT ';'; -- ; \n/* ; */ SELECT $$;$$ ;;\n";
    expect(splitStatements(sql)).toEqual([
      { text: "SELECT ';'", line: 1, firstLine: 1 },
      { text: ' -- ; \n/* ; */ SELECT $$;$$ ', line: 2, firstLine: 1 },
    ]);
  });
});
