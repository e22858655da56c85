import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import type { Gradebook, Graded } from '../../src/grade/gradebook.ts';
import { HOSTILE_TEXT } from '../hostile.fixture.ts';
import { readXml } from '../junit/read-xml.ts';
import { LATE_OVERLAP } from '../samples.ts';
import { BOOK, bookOf, gradedBy, HOSTILE_BOOK, RUBRIC } from './book.fixture.ts';
import { GRADE_REPORTER_NAMES, loadGradeReporter } from './index.ts';

const [ADA, BOB, , , NONE] = BOOK.submissions;
const OUTPUT = { width: 120, color: false, full: false };

async function render(
  name: string,
  book: Gradebook = BOOK,
  one: Graded = book.submissions[0]!,
): Promise<string> {
  const reporter = await loadGradeReporter(name);
  return reporter.of === 'class' ? reporter.render(book, OUTPUT) : reporter.render(one, book);
}

async function json(name: string, one?: Graded, book?: Gradebook) {
  return JSON.parse(await render(name, book, one));
}

describe('the table', () => {
  test('has a line for each, what several get wrong, and no 0 for what is not gradable', async () => {
    const text = await render('table');
    expect(text).toMatch(/^ada +41\/41/m);
    expect(text).toMatch(/^none +not gradable/m);
    expect(text).toContain('2 of 4: late-arrival by no-overlap');
    expect(text).toContain('[bob, eve]');
    expect(text).toContain('4 submissions graded · 1 not gradable');
  });

  test('says what is not held where isolation is weak', async () => {
    const weak = {
      form: 'process-group' as const,
      why: 'bubblewrap is not installed',
      protections: [{ id: 'network' as const, holds: false, words: 'open' }],
    };
    const text = await render('table', { ...BOOK, isolation: weak });
    expect(text).toContain('Isolation is weak here: bubblewrap is not installed. Not held:');
    expect(text).toContain('network: open');
  });
});

describe('grades.csv', () => {
  test('has a row for each, and nothing for the score of what is not gradable', async () => {
    const { data } = Papa.parse<Record<string, string>>(await render('csv'), {
      header: true,
      skipEmptyLines: true,
    });
    expect(data.map(({ id, score }) => `${id} ${score}`)).toEqual([
      'ada 41',
      'bob 25',
      'eve 25',
      expect.stringMatching(/^fay \d/),
      'none ',
    ]);
    expect(data[4]!['reason']).toContain('no SQL');
  });

  test('says of points that were not earned because no answer came, why', async () => {
    const unit = {
      ...ADA!.items[0]!.units[0]!,
      status: 'not-judged',
      message: 'ada.sql gave no answer within 5 s.',
    } as const;
    const items = ADA!.items.map(
      (item) => ({ ...item, earned: 0, status: 'not-judged', units: [unit] }) as const,
    );
    const book = bookOf([{ ...ADA!, score: 0, items }]);
    const sentence = `${items.length} of ${items.length} parts not judged: ada.sql gave no answer within 5 s.`;
    const { data } = Papa.parse<Record<string, string>>(await render('csv', book), { header: true });
    expect(data[0]!['reason']).toBe(sentence);
    expect(await render('table', book)).toContain(sentence);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'gives a spreadsheet no formula for %j',
    async (name) => {
      const text = await render('csv', bookOf([{ ...ADA!, name, reason: name }]));
      const [, row] = Papa.parse<string[]>(text).data;
      for (const cell of row!) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    },
  );
});

test('grades.json keeps to its schema', async () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../docs/schemas/grade-1.json', import.meta.url), 'utf8'),
  );
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
  for (const book of [BOOK, HOSTILE_BOOK, bookOf([])]) {
    validate(JSON.parse(await render('json', book, ADA)));
    expect(validate.errors).toBeNull();
  }
});

describe('Gradescope', () => {
  test('gets a score, and a test for each item with its visibility', async () => {
    const results = await json('gradescope', BOB);
    expect(results).toMatchObject({ score: 25, stdout_visibility: 'hidden' });
    expect(
      results.tests.map(({ number, score, max_score, visibility }: Record<string, unknown>) => [
        number,
        score,
        max_score,
        visibility,
      ]),
    ).toEqual([
      ['1', 0, 10, 'visible'],
      ['2', 20, 20, 'visible'],
      ['3', 5, 5, 'hidden'],
      ['4', 0, 6, 'visible'],
    ]);
    expect(results.tests[0].output).toMatch(/E {2}C1 .*\n/);
  });

  test('gets only fields that it documents', async () => {
    const top = [
      'score',
      'execution_time',
      'output',
      'output_format',
      'test_output_format',
      'test_name_format',
      'visibility',
      'stdout_visibility',
      'extra_data',
      'tests',
      'leaderboard',
    ];
    const each = [
      'score',
      'max_score',
      'status',
      'name',
      'name_format',
      'number',
      'output',
      'output_format',
      'tags',
      'visibility',
      'extra_data',
    ];
    for (const one of [ADA!, BOB!, NONE!]) {
      const results = await json('gradescope', one);
      for (const name of Object.keys(results)) expect(top).toContain(name);
      for (const found of results.tests) {
        for (const name of Object.keys(found)) expect(each).toContain(name);
        expect(['passed', 'failed']).toContain(found.status);
      }
    }
  });

  test('is told in words that what is not gradable is no grade', async () => {
    const results = await json('gradescope', NONE);
    expect(results.output).toContain('could not be graded, which is not the same as 0 points');
    expect(results.tests[0].name).toBe('Not gradable');
  });
});

describe('PrairieLearn', () => {
  test('gets a share, and no words of what is hidden', async () => {
    const results = await json('prairielearn', BOB);
    expect(results).toMatchObject({ gradable: true, score: 0.6098 });
    expect(results.tests[2]).toEqual({
      name: 'Part 3',
      points: 5,
      max_points: 5,
      message: 'This part is not shown.',
    });
    expect(JSON.stringify(results)).not.toContain('hidden one');
  });

  test('takes no attempt for what is not gradable', async () => {
    expect(await json('prairielearn', NONE)).toMatchObject({
      gradable: false,
      format_errors: [expect.stringContaining('no SQL')],
    });
  });

  test('stays under the megabyte that it reads', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ ...RUBRIC.items[0]!, id: `late-${index}` }));
    const long = {
      ...LATE_OVERLAP,
      findings: LATE_OVERLAP.findings.map((one) => ({ ...one, message: 'x'.repeat(50_000) })),
    };
    const one = gradedBy(items, 'bob', long);
    const text = await render('prairielearn', bookOf([one], items));
    expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
    expect(JSON.parse(text).tests).toHaveLength(100);
  });
});

describe('Classroom 50', () => {
  test('gets whole numbers and the fields of its schema', async () => {
    const results = await json('classroom50', BOB);
    expect(results).toMatchObject({ schema: 'classroom50/result/v1', score: 25, 'max-score': 41 });
    for (const name of [
      'classroom',
      'assignment',
      'assignment_type',
      'owner',
      'submission',
      'commit',
      'release',
      'review',
      'datetime',
    ])
      expect(results).toHaveProperty(name);
    for (const found of results.tests) {
      expect(Number.isInteger(found.score) && Number.isInteger(found['max-score'])).toBe(true);
      expect(found).toHaveProperty('test-name');
      expect(typeof found.passed).toBe('boolean');
    }
    expect(JSON.stringify(results)).not.toContain('hidden one');
  });
});

describe('JUnit', () => {
  test('has a test for each case and check, with names that are unique and stay', async () => {
    const names = async (one: Graded) =>
      readXml(await render('junit', BOOK, one))
        .filter(({ name }) => name === 'testcase')
        .map(({ attributes }) => `${attributes['classname']} ${attributes['name']}`);
    expect(await names(BOB!)).toEqual(await names(ADA!));
    expect(new Set(await names(ADA!)).size).toBe(8);
    expect((await names(ADA!))[0]).toBe('scd2check.grade.late-arrival late-arrival');
  });

  test('says nothing of what is hidden but that it is there', async () => {
    const text = await render('junit', BOOK, BOB);
    expect(text).toContain('part-3');
    expect(text).not.toContain('hidden one');
    expect(text).not.toContain('"deleted"');
  });

  test('has an error for what is not gradable', async () => {
    const [error] = readXml(await render('junit', BOOK, NONE)).filter(({ name }) => name === 'error');
    expect(error!.attributes['type']).toBe('not-gradable');
  });
});

describe('the page of a student', () => {
  test('shows expected against actual of what is wrong, and the batches', async () => {
    const text = await render('html', BOOK, BOB);
    expect(text).toContain('In the dimension');
    expect(text).toContain('Batches, in order of arrival');
    expect(text).toContain(LATE_OVERLAP.findings[0]!.message.slice(0, 30));
  });

  test('has neither what is hidden nor a sum where something is', async () => {
    const text = await render('html', BOOK, ADA);
    expect(text).toContain('ALL PUBLIC PARTS RIGHT');
    expect(text).toContain('1 more part of the grade is not shown here');
    expect(text).not.toContain('hidden one');
    expect(text).not.toContain('41/41');
  });

  test('has the sum where all is visible', async () => {
    const items = RUBRIC.items.map((item) => ({ ...item, visibility: 'visible' as const }));
    const text = await render('html', bookOf([gradedBy(items, 'ada', LATE_OVERLAP)], items));
    expect(text).toContain('✗ 25/41');
  });

  test('tells a student what is asked for, and not how to declare something else', async () => {
    const { findings } = LATE_OVERLAP;
    const decided = {
      ...LATE_OVERLAP,
      findings: findings.map((one) => ({ ...one, decision: { field: 'late', option: 'ignore' } as const })),
    };
    const one = gradedBy(RUBRIC.items, 'bob', decided);
    const text = await render('html', bookOf([one]), one);
    expect(text).toContain('`late: ignore` means; `late: apply` is asked for');
    expect(text).not.toContain('add this line');
  });
});

describe.each(GRADE_REPORTER_NAMES)('%s', (name) => {
  test('makes hostile text harmless', async () => {
    const text = await render(name, HOSTILE_BOOK);
    // JSON keeps what is in it, and escapes what it must.
    const unseen = name === 'json' ? ['\u0000', '\u001b'] : ['\u0000', '\u001b', '\u202e'];
    for (const character of unseen) expect(text.includes(character)).toBe(false);
    expect(/^\s*(::|##\[)/m.test(text)).toBe(false);
    if (name === 'html') {
      expect(text.includes('<img')).toBe(false);
      expect(text.includes('</script><img')).toBe(false);
    }
    if (name !== 'table' && name !== 'csv' && name !== 'json')
      expect(text.includes(HOSTILE_TEXT)).toBe(false);
  });

  test('gives the same text twice', async () => {
    const without = (text: string) => text.replace(/"datetime": "[^"]*"/, '');
    expect(without(await render(name))).toBe(without(await render(name)));
  });
});
