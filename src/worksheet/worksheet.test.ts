import { describe, expect, test } from 'vitest';
import { BOUNDARY_IDS, CASES } from '../../cases/index.ts';
import { declareContract } from '../contract/declare.ts';
import { parseAnswers } from './answers.ts';
import { contractFrom, disagreements } from './compare.ts';
import { FORMS } from './forms.ts';
import { figuresOf, questionOf } from './worksheet.ts';

const STRICT = declareContract([]).contract;
const BOUNDARY = CASES.filter(({ id }) => BOUNDARY_IDS.includes(id));
const RIGHT =
  'no-change,1,1\nsegment-change,2,1\naddress-only,1,1\nreopen-a-b-a,3,1\ntwice-one-day,2,1\nlate-arrival,2,1\ndeleted,1,0\n';
const answers = (rows: string) => parseAnswers(`case,versions,open\n${rows}`, 'answers.csv', CASES);

describe('a worksheet', () => {
  test('has the figures of the cases, where it is asked under their own contract', () => {
    for (const theCase of BOUNDARY) {
      const { versions, open } = theCase.expected;
      expect([theCase.id, figuresOf(theCase, STRICT)]).toEqual([theCase.id, { versions, open }]);
    }
  });

  test.each(Object.entries(FORMS))('in %s asks every boundary case, and answers none', (_, form) => {
    const text = form(BOUNDARY.map(questionOf));
    for (const id of BOUNDARY_IDS) expect(text).toContain(id);
    for (const { title } of BOUNDARY) expect(text).not.toContain(title);
  });

  test('that was printed as CSV can be read when it is filled in', () => {
    const blank = FORMS.csv(BOUNDARY.map(questionOf));
    expect(() => parseAnswers(blank, 'answers.csv', CASES)).toThrow('has no answer in it yet');
    const filled = blank.replace(/^(deleted,.*),,$/m, '$1,1,0');
    expect([...parseAnswers(filled, 'answers.csv', CASES)]).toEqual([['deleted', { versions: 1, open: 0 }]]);
  });

  test.each([
    ['case,versions\ndeleted,1', 'has no column `open`'],
    ['case,versions,open\ndeletet,1,0', 'there is no case `deletet`. Did you mean `deleted`?'],
    ['case,versions,open\ndeleted,one,0', 'row 2: `versions` cannot be `one`'],
  ])('that says %j is refused', (text, message) => {
    expect(() => parseAnswers(text, 'answers.csv', CASES)).toThrow(message);
  });

  test('of a team that agrees with the contract has no disagreement', () => {
    expect(disagreements(CASES, STRICT, answers(RIGHT))).toEqual([]);
  });

  test('names for each disagreement the decisions that would settle it', () => {
    const found = disagreements(CASES, STRICT, answers('late-arrival,1,1\ndeleted,1,1\nno-change,5,5'));
    expect(
      found.map(({ id, options }) => [id, options.map(({ field, option }) => `${field}: ${option}`)]),
    ).toEqual([
      ['no-change', []],
      ['late-arrival', ['late: ignore']],
      ['deleted', ['deletes: ignore', 'feed: delta', 'emptySnapshot: ignore']],
    ]);
  });

  test('takes a load that is refused for an answer', () => {
    const found = disagreements(CASES, STRICT, answers('late-arrival,refused,'));
    expect(found[0]!.options).toEqual([{ field: 'late', option: 'reject' }]);
  });

  test('turns into the contract under which all its answers are right', () => {
    const rows = answers(
      RIGHT.replace('late-arrival,2', 'late-arrival,1').replace('deleted,1,0', 'deleted,1,1'),
    );
    const { contract, left } = contractFrom(CASES, STRICT, rows);
    expect(left).toEqual([]);
    expect(contract).toMatchObject({ late: 'ignore', deletes: 'ignore' });
    expect(disagreements(CASES, contract, rows)).toEqual([]);
  });

  test('says which answers no contract gives together', () => {
    expect(contractFrom(CASES, STRICT, answers('no-change,7,7\ndeleted,1,1')).left).toEqual(['no-change']);
  });
});
